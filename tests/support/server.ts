import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { type OpenDatabase, openDatabase } from '../../db/open.ts';
import { temporaryFolder } from './folder.ts';
import { findFreePort } from './postgres-programs.ts';

export interface RunningServer {
  url: string;
  process: ChildProcess;
  output(): string;
  /** sends SIGTERM, and returns how the server ended */
  stop(): Promise<{ code: number | null; ms: number }>;
}

/** Starts the built server, as `npm start` runs it after its build, on a free port. @param options such as --demo */
export async function startServer(
  env: Record<string, string>,
  options: readonly string[] = [],
): Promise<RunningServer> {
  const port = await findFreePort();
  const script = join(import.meta.dirname, '../../cli/saldo.mjs');
  const heap = ['--max-semi-space-size=8', '--heap-growing-percent=20'];
  const child = spawn(process.execPath, [...heap, script, 'serve', ...options], {
    env: { ...process.env, NODE_ENV: 'production', PORT: String(port), LOG_LEVEL: 'info', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      printed += chunk;
    });
  }
  let hasEnded = false; // and all that it printed has arrived
  child.once('close', () => {
    hasEnded = true;
  });
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (hasEnded) {
      // Another process may have taken the port since it was found free.
      if (printed.includes(`: PORT: El puerto ${port} ya está ocupado.`)) return startServer(env, options);
      throw new Error(`the server ended with ${child.exitCode ?? child.signalCode}: ${printed}`);
    }
    if (await isReady(url)) break;
    await new Promise((resolve) => setTimeout(resolve, 15)); // asking without a pause would slow the start down
  }
  const stopServer = () =>
    new Promise<{ code: number | null; ms: number }>((resolve) => {
      const began = performance.now();
      if (child.exitCode !== null || child.signalCode) return resolve({ code: child.exitCode, ms: 0 });
      child.once('exit', (code) => resolve({ code, ms: performance.now() - began }));
      child.kill('SIGTERM');
    });
  return { url, process: child, output: () => printed, stop: stopServer };
}

export interface OwnServer extends RunningServer {
  folder: string;
}

/** Starts a server on its own SQLite database, filled by `prepare`; both are removed when it is stopped. */
export async function startOwnServer(
  prepare: (database: OpenDatabase) => Promise<void>,
  env: (folder: string) => Record<string, string> = () => ({}),
): Promise<OwnServer> {
  const { folder, remove } = temporaryFolder();
  const url = `file:${folder}/saldo.db`;
  const database = openDatabase(url, { root: folder, createIfMissing: true });
  await migrate(database);
  await prepare(database);
  await database.close();
  const server = await startServer({ DATABASE_URL: url, ...env(folder) });
  return { ...server, folder, stop: () => server.stop().finally(remove) };
}

const isReady = (url: string) =>
  fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  );
