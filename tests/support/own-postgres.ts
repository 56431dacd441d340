import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** A PostgreSQL of its own, whose programs and data are in these folders; it takes them with it when it ends. */
export async function forkPostgres(folders: string[]): Promise<{ server: ChildProcess; port: number }> {
  const script = join(import.meta.dirname, 'postgres-server.ts');
  const server = fork(script, folders, { detached: true, stdio: 'ignore', execArgv: [] });
  return new Promise((resolve, reject) => {
    server.once('message', ({ port, problem }: { port?: number; problem?: string }) =>
      port ? resolve({ server, port }) : reject(new Error(`PostgreSQL did not start: ${problem}`)),
    );
    server.once('exit', () => reject(new Error('PostgreSQL did not start')));
  });
}

/** Resolves once server and folders are gone. */
export function stopPostgres(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve();
    server.on('exit', () => resolve());
    if (server.connected) server.disconnect();
  });
}
