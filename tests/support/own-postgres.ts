import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** For benches: the tests' own PostgreSQL with an empty database, in a folder that goes with it. */
export async function startPostgres(): Promise<{ url: string; stop(): Promise<void> }> {
  const home = mkdtempSync(join(tmpdir(), 'saldo-bench-pg-'));
  const script = join(import.meta.dirname, 'postgres-server.ts');
  const server = fork(script, [home, home], { detached: true, stdio: 'ignore', execArgv: [] });
  const { port, problem } = await new Promise<{ port?: number; problem?: string }>((resolve) => {
    server.once('message', (said) => resolve(said as { port?: number; problem?: string }));
    server.once('exit', () => resolve({ problem: 'it ended' }));
  });
  if (!port) throw new Error(`PostgreSQL did not start: ${problem}`);
  const stop = () =>
    new Promise<void>((resolve) => {
      server.once('exit', () => resolve());
      server.disconnect();
    });
  return { url: `postgres://saldo@127.0.0.1:${port}/postgres`, stop };
}
