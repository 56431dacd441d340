import { type ChildProcess, fork } from 'node:child_process';
import { join } from 'node:path';

/** Starts a separate PostgreSQL whose programs and data are in these folders; it removes them when it ends. */
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

export function stopPostgres(server: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (server.exitCode !== null) return resolve();
    server.on('exit', () => resolve());
    if (server.connected) server.disconnect();
  });
}
