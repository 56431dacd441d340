import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import { migrate, migrations } from '../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { plainDateIn } from '../shared/dates.ts';
import { createApp } from './app.ts';
import { type Config, isLoopback, readConfig, withSecret } from './config.ts';
import { requireAddress } from './http/address.ts';
import { HeavyThreads } from './http/heavy-threads.ts';
import { listen } from './http/listen.ts';
import { createLog, type Log } from './http/log.ts';
import type { Metrics } from './http/metrics.ts';
import { projectRoot } from './root.ts';
import type { Actor } from './services/audit/audit.ts';
import { recoverImports } from './services/imports/recovering.ts';
import { createAuth } from './services/session/auth.ts';
import { forgetOldAttempts } from './services/session/signin-limit.ts';
import { createFirstAdministrator, hasAdministrator } from './services/users/first-administrator.ts';

/** Of what is in use, after which V8 looks for what is not; by itself it waits until there is four times as much. */
const GROWING_PERCENT = 20;

const STOP_LIMIT_MS = 10_000;
const CLEANING_MS = 3600_000;
/** Another process may die in the midst of an import at any time. */
const RECOVERING_MS = 20_000;

interface StartOptions {
  env?: NodeJS.ProcessEnv;
  /** fills an empty database before serving, as the demo does */
  prepare?: (database: OpenDatabase, actor: Actor) => Promise<void>;
}

/**
 * Opens and migrates the database, makes the first administrator, listens, and stops gracefully.
 * @throws DomainError where the configuration, the database or the port does not serve
 */
export async function start({ env = process.env, prepare }: StartOptions = {}): Promise<void> {
  const began = performance.now();
  setFlagsFromString(`--heap-growing-percent=${GROWING_PERCENT}`);
  const given = readConfig(env, projectRoot);
  await requireAddress(given);
  const log = createLog(given.logLevel);
  const database = openDatabase(given.databaseUrl, { root: projectRoot, create: true });
  const config = withSecret(given);
  const { db } = database;
  const ran = await migrate(database, migrations, config);
  if (ran.length > 0) log.info({ migrations: ran }, 'database migrated');
  await recover(db, log);
  const actor = systemActor(config);
  const administrator = await createFirstAdministrator(db, actor, {
    email: config.adminEmail,
    password: config.adminPassword,
  });
  await prepare?.(database, actor);
  const auth = createAuth(db, {
    secret: config.secret,
    baseURL: config.url ?? `http://${config.host}:${config.port}`,
  });
  const metrics = await startMetrics(database, config, log);
  const heavy = new HeavyThreads(() => startHeavyThread(config));
  const app = createApp({ db, auth, config, log, metrics, heavy, now: () => new Date(), development: false });
  const server = await listen(app.fetch, config).catch(async (error) => {
    await metrics?.close(); // or it would keep a server alive that serves nothing
    throw error;
  });
  if (administrator) announce(administrator);
  else if (!(await hasAdministrator(db))) process.stdout.write(NO_ADMINISTRATOR);
  warnPlainHttp(config, log);
  warnMissingHop(config, log);
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : config.port;
  log.info(
    { ms: Math.round(performance.now() - began) },
    `Saldo en ${config.url ?? `http://${config.host}:${port}`}`,
  );
  void auth.warmUp().catch((error) => log.error({ err: error }, 'better-auth did not load'));
  const cleaning = setInterval(() => void forgetOldAttempts(db, new Date()).catch(() => {}), CLEANING_MS);
  const recovering = setInterval(() => void recover(db, log), RECOVERING_MS);
  const close = async () => {
    await heavy.stop();
    await database.close();
  };
  stopOnSignal(server, { close }, log, async () => {
    clearInterval(cleaning);
    clearInterval(recovering);
    await metrics?.close();
  });
}

/** Where that fails, on a full disk say, whoever only reads is served all the same; it is tried again. */
async function recover(db: Db, log: Log): Promise<void> {
  try {
    const count = await recoverImports(db);
    if (count > 0) log.warn({ imports: count }, 'imports that had broken off were taken back');
  } catch (error) {
    log.error({ err: error }, 'an import that had broken off could not be taken back');
  }
}

export function systemActor({ timeZone }: Pick<Config, 'timeZone'>): Actor {
  const now = new Date();
  return {
    userId: 0,
    username: 'sistema',
    roles: [],
    origin: 'system',
    at: now.toISOString(),
    today: plainDateIn(now, timeZone),
  };
}

/** Megabytes of a thread's heap: beyond it the thread ends, and nothing else. */
const THREAD_HEAP_MB = 256;

/** From the build: it draws pages, which Node does not read from their sources. */
function startHeavyThread(config: Config): Worker {
  const thread = new Worker(join(projectRoot, 'dist/server/heavy-thread.js'), {
    workerData: config,
    resourceLimits: { maxOldGenerationSizeMb: THREAD_HEAP_MB, maxYoungGenerationSizeMb: 16 },
  });
  thread.unref();
  return thread;
}

/** Its package is loaded only where somebody watches. */
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

/** No new requests; those under way finish, for ten seconds at most; the database closes. */
function stopOnSignal(
  server: Server,
  database: Pick<OpenDatabase, 'close'>,
  log: Log,
  stopRest: () => Promise<void>,
): void {
  const closeConnections = trackConnections(server);
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    const rest = stopRest();
    const late = setTimeout(() => server.closeAllConnections(), STOP_LIMIT_MS);
    server.close(async () => {
      clearTimeout(late);
      await rest;
      await database.close();
      log.info('stopped');
      process.exitCode = 0;
    });
    closeConnections();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/**
 * Browsers open connections ahead of need, and Node waits for those that never sent a request.
 * @returns what closes every connection as soon as no request is under way on it
 */
function trackConnections(server: Server): () => void {
  const underWay = new Map<Socket, number>();
  let closing = false;
  server.on('connection', (socket) => {
    underWay.set(socket, 0);
    socket.once('close', () => underWay.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    underWay.set(socket, (underWay.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (underWay.get(socket) ?? 1) - 1;
      if (closing && left === 0) socket.destroySoon();
      else if (underWay.has(socket)) underWay.set(socket, left);
    });
  });
  return () => {
    closing = true;
    for (const [socket, requests] of underWay) if (requests === 0) socket.destroy();
  };
}

function announce({
  email,
  password,
  generated,
}: {
  email: string;
  password: string;
  generated: boolean;
}): void {
  process.stdout.write(`\n  Primer administrador: ${email}\n`);
  process.stdout.write(
    generated
      ? `  Contraseña: ${password}   (se muestra una sola vez; hay que cambiarla al entrar)\n\n`
      : '  Contraseña: la de SALDO_ADMIN_PASSWORD\n\n',
  );
}

/** All were deactivated, or lost the role, by hand in the database or by a table of another system. */
const NO_ADMINISTRATOR = `
  No hay ningún administrador activo. Para hacer uno:
    saldo users set-roles QUIÉN 1 3        (alguien que ya está; si hace falta, antes saldo users activate QUIÉN)
    saldo users create --email admin@ejemplo.mx --firstname Ana --lastname Ruiz --roles 1,3

`;

function warnPlainHttp({ host, url }: Config, log: Log): void {
  if (!isLoopback(host) && !url?.startsWith('https:')) {
    log.warn(
      { host },
      'listening beyond this machine over plain http: put a TLS proxy in front and set SALDO_URL',
    );
  }
}

/** Behind a proxy that is not counted all users have its address, and one's wrong passwords stop the others. */
function warnMissingHop({ url, trustedProxies }: Config, log: Log): void {
  if (url?.startsWith('https:') && trustedProxies === 0) {
    log.warn(
      { url },
      'SALDO_URL is https and no proxy is trusted: set SALDO_TRUST_PROXY, or everybody has the address of the proxy',
    );
  }
}
