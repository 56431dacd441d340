import { writeFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { findMarkedDamage, markDamaged } from '../db/damage.ts';
import { openDatabase } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { inSnapshot } from '../db/transaction.ts';
import type { createWorkerApp, WorkerRequestEnv } from './app.ts';
import type { Config } from './config.ts';
import { CANCEL_MESSAGE, type Job, type JobAnswer, type JobReply } from './http/jobs.ts';
import { createLog } from './http/log.ts';
import { projectRoot } from './root.ts';
import { drainCreatedCounts } from './services/audit/created-counts.ts';
import { findStartupDamage } from './services/database/check.ts';
import { createAuth } from './services/session/auth.ts';

/**
 * A worker thread. It runs jobs (http/jobs.ts) one at a time, with database connections and an application of its own.
 */

const config = workerData as Config;
const log = createLog(config.logLevel);
const database = openDatabase(config.databaseUrl, {
  root: projectRoot,
  createIfMissing: false,
  connections: 3,
});
let app: ReturnType<typeof createWorkerApp> | undefined;

let cancellation = new AbortController();
parentPort?.on('message', async (message: Job | typeof CANCEL_MESSAGE) => {
  if (message === CANCEL_MESSAGE) return cancellation.abort();
  cancellation = new AbortController();
  const reply: JobReply = await executeJob(message, cancellation.signal).then(
    (result) => ({ result }),
    ({ message, stack, code }) => ({ error: { message, stack, code } }),
  );
  parentPort?.postMessage(reply);
});

async function executeJob(job: Job, signal: AbortSignal): Promise<unknown> {
  if (!('file' in job)) return job.kind === 'check' ? findStartupDamage(database.db) : void (await loadApp());
  const answerInDatabase = (db: Db) => answerRequest(db, job, signal);
  const writes = job.kind === 'import' || job.kind === 'backup';
  return writes ? answerInDatabase(database.db) : inSnapshot(database.db, answerInDatabase);
}

async function answerRequest(
  db: Db,
  { request: { url, method, headers, body, context, damage }, file }: Extract<Job, { file: number }>,
  signal: AbortSignal,
): Promise<JobAnswer> {
  if (damage) markDamaged(database.db, damage);
  const environment: WorkerRequestEnv = { db, context };
  const response = await (await loadApp()).fetch(
    new Request(url, { method, headers, body, signal }),
    environment,
  );
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    signal.throwIfAborted();
    writeFileSync(file, chunk); // writing to a descriptor appends the chunk
    bytes += chunk.length;
  }
  return {
    status: response.status,
    headers: [...response.headers],
    bytes,
    event: environment.event,
    damage: findMarkedDamage(database.db),
    createdCounts: drainCreatedCounts(),
  };
}

/** The application is loaded with the first request, since the check at the start does not need it. */
async function loadApp() {
  const { createWorkerApp } = await import('./app.ts');
  app ??= createWorkerApp({
    db: database.db,
    auth: createAuth(database.db, { secret: config.secret, baseURL: config.url ?? 'http://localhost' }),
    config,
    log,
    now: () => new Date(),
    isDevelopment: false,
  });
  return app;
}
