import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { copyPrograms, findFreePort, makeDataFolder, runPostgres } from './postgres-programs.ts';

/**
 * This process tells its port to the parent, and removes server and folders once the parent is gone, however it ended:
 * a killed parent cannot clean up after itself.
 */
const [programFolder = '', dataFolder = ''] = process.argv.slice(2);
const POSTGRES_SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  // The data is needed only during the run.
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '64MB',
  // Nothing may connect to the template while it is copied.
  autovacuum: 'off',
};
const PORT_TRIES = 5;

let server: ChildProcess | undefined;
process.on('SIGINT', () => {});
process.on('SIGTERM', stopAndRemovePostgres);
process.on('disconnect', stopAndRemovePostgres);

try {
  process.send?.({ port: await startPostgres() });
} catch (error) {
  process.send?.({ problem: error instanceof Error ? error.message : String(error) });
  stopAndRemovePostgres();
}

async function startPostgres(): Promise<number> {
  const programs = copyPrograms(join(programFolder, 'postgres'));
  const data = join(dataFolder, 'postgres-data');
  makeDataFolder(programs, data);
  for (let tries = 1; ; tries++) {
    const port = await findFreePort();
    const started = await runPostgres(programs, data, { ...POSTGRES_SETTINGS, port: String(port) });
    if ('server' in started) {
      server = started.server;
      return port;
    }
    if (tries === PORT_TRIES) throw new Error(started.problem);
  }
}

function stopAndRemovePostgres(): void {
  const removeFolders = () => {
    for (const folder of [programFolder, dataFolder]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    process.exit();
  };
  if (server?.pid && server.exitCode === null) {
    server.removeAllListeners('exit').on('exit', removeFolders);
    server.kill('SIGQUIT');
  } else removeFolders();
}
