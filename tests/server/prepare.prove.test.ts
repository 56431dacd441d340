import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { projectRoot } from '../../server/root.ts';

let root = '';

/** A project with packages, whose `vite` only writes a marker file. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'saldo-prepare-'));
  write('package-lock.json', '{}');
  write('server/main.ts', 'export {};');
  copyFileSync(join(projectRoot, 'server/prepare.mjs'), join(root, 'server/prepare.mjs'));
  markInstalled();
  standInForVite(`
    import { appendFileSync } from 'node:fs';
    appendFileSync('builds.log', 'start ');
    await new Promise((resolve) => setTimeout(resolve, 150));
    appendFileSync('builds.log', 'end ');
  `);
});

afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('preparing a build', () => {
  test('builds once and prints nothing if there is nothing to do', async () => {
    expect(await prepare('build')).toEqual({ code: 0, output: expect.stringContaining('compilado en') });
    expect(await prepare('build')).toEqual({ code: 0, output: '' });
    expect(builds()).toBe('start end ');
  });

  test('builds again after a change of content, not of date', async () => {
    await prepare('build');
    write('server/main.ts', 'export {};');
    expect((await prepare('build')).output).toBe('');
    write('server/main.ts', 'export const changed = true;');
    expect((await prepare('build')).output).toContain('compilado en');
  });

  test('builds with --always even if nothing changed', async () => {
    await prepare('build');
    expect((await prepare('build', '--always')).output).toContain('compilado en');
  });

  test('builds one after the other if started twice, and the second finds nothing left to do', async () => {
    const both = await Promise.all([prepare('build'), prepare('build')]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(builds()).toBe('start end ');
  });

  test('never overlaps if forced twice at once', async () => {
    await Promise.all([prepare('build', '--always'), prepare('build', '--always')]);
    expect(builds()).toBe('start end start end ');
  });

  test('removes the lock of a process that is gone', async () => {
    const gone = spawn(process.execPath, ['-e', '']);
    await new Promise((resolve) => gone.on('exit', resolve));
    const { hostname } = await import('node:os');
    write('dist/.lock/owner', `${hostname()} ${gone.pid}`);
    expect(await prepare('build')).toEqual({ code: 0, output: expect.stringContaining('compilado en') });
    expect(existsSync(join(root, 'dist/.lock'))).toBe(false);
  });

  test('shows what a failed build printed, ends with one line and tries again at the next start', async () => {
    standInForVite('console.error("falta un paréntesis"); process.exitCode = 1;');
    const failed = await prepare('build');
    expect(failed.code).toBe(1);
    expect(failed.output).toContain('falta un paréntesis\nsaldo: vite build terminó con el código 1');
    expect(existsSync(join(root, 'dist/.stamp'))).toBe(false);
    expect((await prepare('build')).code).toBe(1);
  });

  test('prints its usage', async () => {
    expect(await prepare('run')).toEqual({ code: 1, output: expect.stringContaining('saldo: uso:') });
  });
});

interface Outcome {
  code: number | null;
  output: string;
}

function prepare(...args: string[]): Promise<Outcome> {
  const child = spawn(process.execPath, [join(root, 'server/prepare.mjs'), ...args], { cwd: tmpdir() });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, output })));
}

const builds = () => readFileSync(join(root, 'builds.log'), 'utf8');

function standInForVite(code: string) {
  write('node_modules/vite/bin/vite.js', code);
  write('node_modules/vite/package.json', '{ "type": "module" }');
}

/** Writes the stamp of a finished installation. */
function markInstalled() {
  const hash = createHash('sha256')
    .update(`${process.platform} ${process.arch}\n`)
    .update('{}')
    .digest('hex');
  write('node_modules/.saldo-stamp', hash);
}

function write(path: string, content: string) {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), content);
}
