import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { migrate, migrations } from '../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import { createApp } from './app.ts';
import { type Config, ensureSecret, isLoopback, readConfig } from './config.ts';
import { setReaderFaultListener } from './formats/reading/isolated-reader.ts';
import { startBackgroundTasks } from './housekeeping.ts';
import { JobRunner } from './http/jobs.ts';
import { listen } from './http/listen.ts';
import { requireFreeAddress } from './http/listen-address.ts';
import { createLog, type Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import { projectRoot } from './root.ts';
import { type Actor, createSystemActor } from './services/audit/audit.ts';
import { isMarkedDamaged } from './services/database/damage.ts';
import { createAuth } from './services/session/auth.ts';
import { createFirstAdministrator } from './services/users/first-administrator.ts';
import { hasAdministrator } from './services/users/reading.ts';
import { checkDatabaseAtStart, reportMissingEntries } from './start-check.ts';

/** How long running requests may take once the server is stopping. */
const MAX_FINISH_MS = 8000;
const MAX_STOP_MS = 9500;

/** Delay before a worker for reports is loaded, so that loading does not slow down the first requests. */
const WARM_UP_DELAY_MS = 5000;

interface StartOptions {
  env?: NodeJS.ProcessEnv;
  prepareDatabase?: (database: OpenDatabase, actor: Actor) => Promise<void>;
}

/** @throws DomainError where the configuration, the database or the port is unusable */
export async function startServer({ env = process.env, prepareDatabase }: StartOptions = {}): Promise<void> {
  const startedAt = performance.now();
  const envConfig = readConfig(env, projectRoot);
  await requireFreeAddress(envConfig);
  const log = createLog(envConfig.logLevel);
  setReaderFaultListener((fault) => log.error(fault, 'a file broke the process that reads it'));
  const database = openDatabase(envConfig.databaseUrl, { root: projectRoot, createIfMissing: true });
  const config = ensureSecret(envConfig);
  const { db } = database;
  const jobs = new JobRunner(() => startWorker(config));
  const stopping = new AbortController();
  await checkDatabaseAtStart(database, jobs, log, stopping.signal);
  const administrator = !isMarkedDamaged(db)
    ? await migrateAndEnsureAdmin(database, config, { log, prepare: prepareDatabase })
    : undefined;
  const auth = createAuth(db, {
    secret: config.secret,
    baseURL: config.url ?? `http://${config.host}:${config.port}`,
  });
  const metrics = await startMetrics(database, config, log);
  const app = createApp({
    db,
    auth,
    config,
    log,
    metrics,
    jobRunner: jobs,
    now: () => new Date(),
    isDevelopment: false,
  });
  const server = await listen(app.fetch, config).catch(async (error) => {
    await metrics?.close(); // otherwise its socket would keep a process alive that serves nothing
    throw error;
  });
  if (administrator) announceAdministrator(administrator);
  else if (!isMarkedDamaged(db) && !(await hasAdministrator(db))) process.stdout.write(NO_ADMINISTRATOR_TEXT);
  warnOfExposure(config, log);
  const stopHousekeeping = startBackgroundTasks(db, config, log);
  const closeApp = async () => {
    await jobs.terminateWorkers();
    await database.close();
  };
  stopOnSignal(server, { close: closeApp }, log, async () => {
    stopping.abort();
    await stopHousekeeping();
    await metrics?.close();
  });
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  log.info(
    { ms: Math.round(performance.now() - startedAt) },
    `Saldo en ${config.url ?? `http://${config.host}:${port}`}`,
  );
  const warmUp = auth
    .warmUp()
    .then(() => delay(WARM_UP_DELAY_MS, undefined, { ref: false, signal: stopping.signal }))
    .then(() => jobs.warmUp());
  void warmUp.catch((error) => {
    if (!stopping.signal.aborted) log.error({ err: error }, 'what later requests need did not load');
  });
}

/** @returns the first administrator if this start created one; the password is then shown, only this once */
async function migrateAndEnsureAdmin(
  database: OpenDatabase,
  config: Config,
  { log, prepare }: { log: Log; prepare: StartOptions['prepareDatabase'] },
): Promise<FirstAdministrator | undefined> {
  const { db } = database;
  const applied = await migrate(database, migrations, config);
  if (applied.length > 0) log.info({ migrations: applied }, 'database migrated');
  const actor = createSystemActor(config);
  await reportMissingEntries(db, actor, log);
  const administrator = await createFirstAdministrator(db, actor, {
    email: config.adminEmail,
    password: config.adminPassword,
  });
  await prepare?.(database, actor);
  return administrator;
}

/** Megabytes. A worker that needs more is ended; the main thread goes on. */
const WORKER_HEAP_MB = 256;

/** Starts the worker from the build, because it renders pages, whose sources Node cannot load. */
function startWorker(config: Config): Worker {
  const worker = new Worker(join(projectRoot, 'dist/server/worker.js'), {
    workerData: config,
    resourceLimits: { maxOldGenerationSizeMb: WORKER_HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
  worker.unref();
  return worker;
}

async function startMetrics(
  database: OpenDatabase,
  { metricsPort }: Config,
  log: Log,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { serveMetrics } = await import('./http/metrics.ts');
  const metrics = await serveMetrics(database, metricsPort);
  log.info(`metrics on http://127.0.0.1:${metrics.port}/metrics`);
  return metrics;
}

/**
 * On SIGTERM or SIGINT: refuses new requests, gives running ones some seconds, and closes the database. After that it
 * ends the process in any case, since a database that does not answer would keep its connections open indefinitely.
 */
function stopOnSignal(
  server: Server,
  database: Pick<OpenDatabase, 'close'>,
  log: Log,
  stopOthers: () => Promise<void>,
): void {
  const closeConnections = trackConnections(server);
  let isStopping = false;
  const stopServer = (signal: NodeJS.Signals) => {
    if (isStopping) return;
    isStopping = true;
    log.info({ signal }, 'stopping');
    const othersStopped = stopOthers();
    const timer = setTimeout(() => server.closeAllConnections(), MAX_FINISH_MS);
    setTimeout(() => {
      log.error('ended in the midst of what does not end by itself');
      process.exit(1);
    }, MAX_STOP_MS).unref();
    server.close(async () => {
      clearTimeout(timer);
      await othersStopped;
      await database.close();
      log.info('stopped');
      process.exitCode = 0;
    });
    closeConnections();
  };
  process.on('SIGTERM', stopServer);
  process.on('SIGINT', stopServer);
}

/** Node waits for connections that browsers open in advance. @returns a function that closes idle connections */
function trackConnections(server: Server): () => void {
  const requestsBySocket = new Map<Socket, number>();
  let isClosing = false;
  server.on('connection', (socket) => {
    requestsBySocket.set(socket, 0);
    socket.once('close', () => requestsBySocket.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    requestsBySocket.set(socket, (requestsBySocket.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const remaining = (requestsBySocket.get(socket) ?? 1) - 1;
      if (isClosing && remaining === 0) socket.destroySoon();
      else if (requestsBySocket.has(socket)) requestsBySocket.set(socket, remaining);
    });
  });
  return () => {
    isClosing = true;
    for (const [socket, requests] of requestsBySocket) if (requests === 0) socket.destroy();
  };
}

type FirstAdministrator = NonNullable<Awaited<ReturnType<typeof createFirstAdministrator>>>;

function announceAdministrator({ email, password, isGenerated }: FirstAdministrator): void {
  const shown = `${password}   (se muestra una sola vez; hay que cambiarla al entrar)`;
  process.stdout.write(`
  Primer administrador: ${email}
  Contraseña: ${isGenerated ? shown : 'la de SALDO_ADMIN_PASSWORD'}

`);
}

/** Shown where all administrators were deactivated or lost the role, by hand in the database or by a migration. */
const NO_ADMINISTRATOR_TEXT = `
  No hay ningún administrador activo. Para hacer uno:
    saldo users set-roles QUIÉN 1 3        (alguien que ya está; si hace falta, antes saldo users activate QUIÉN)
    saldo users create --email admin@ejemplo.mx --firstname Ana --lastname Ruiz --roles 1,3

`;

/** Behind an untrusted proxy all users share its address, so that wrong passwords of one lock out the others. */
function warnOfExposure({ host, url, trustedProxies }: Config, log: Log): void {
  const isSecure = url?.startsWith('https:');
  const plain = 'listening beyond this machine over plain http: put a TLS proxy in front and set SALDO_URL';
  const uncounted =
    'SALDO_URL is https and no proxy is trusted: set SALDO_TRUST_PROXY, or everybody has the address of the proxy';
  if (!isLoopback(host) && !isSecure) log.warn({ host }, plain);
  if (isSecure && trustedProxies === 0) log.warn({ url }, uncounted);
}
