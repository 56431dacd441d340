/**
 * Requests over all routes, sound and bent in every way, against a server process on a company's database: no
 * 5xx, no unhandled rejection, the process alive, and every rule of `saldo db check` kept afterwards.
 *
 *   node tests/bench/fuzz.ts [requests] [seed] [sqlite|postgres]
 *
 * It needs the built application, and prints the seed, the answers by status, and for every offending request
 * a command that sends it again.
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runnerImport } from 'vite';
import { createProgress } from '../../cli/progress.ts';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import type { createApp } from '../../server/app.ts';
import { fillDemo } from '../../server/services/demo/demo.ts';
import { fuzz } from '../support/fuzz.ts';
import { FUZZ_SECRET } from '../support/fuzz-actors.ts';
import { startPostgres } from '../support/own-postgres.ts';
import { actor } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

const [count = '50000', given, kind = 'sqlite'] = process.argv.slice(2);
const requests = Number(count);
const seed = Number(given ?? Date.now() % 1e9);
const root = join(import.meta.dirname, '../..');

const folder = mkdtempSync(join(tmpdir(), 'saldo-fuzz-'));
const postgres = kind === 'postgres' ? await startPostgres() : undefined;
const DATABASE_URL = postgres?.url ?? `file:${join(folder, 'saldo.db')}`;
const database = openDatabase(DATABASE_URL, { root: '/', create: true });
const progress = createProgress({ isTerminal: process.stderr.isTTY === true });

try {
  console.log(`${kind}, ${requests} requests, seed ${seed}`);
  await migrate(database);
  await fillDemo(database, actor());
  const server = await startServer({ DATABASE_URL, SALDO_SECRET: FUZZ_SECRET, LOG_LEVEL: 'warn' });
  // Routes stand in .tsx files too, which Node does not read by itself.
  const { module } = await runnerImport<{ createApp: typeof createApp }>(join(root, 'server/app.ts'), {
    root,
    configFile: false,
    logLevel: 'error',
  });
  const { routes } = module.createApp({} as Parameters<typeof createApp>[0]);
  const began = performance.now();
  const result = await fuzz({
    url: server.url,
    db: database.db,
    routes,
    requests,
    seed,
    onProgress: (done) => progress.show(done / requests, String(done)),
  });
  progress.end();
  const seconds = (performance.now() - began) / 1000;
  const alive = server.process.exitCode === null;
  const ended = await server.stop();
  const complaints = server
    .output()
    .split('\n')
    .filter((line) => line && !line.includes('"event":"busy"'));
  const check = await checkDatabase();

  console.log(`${seconds.toFixed(0)} s; ${result.served} of ${result.routes} routes did what they are for`);
  for (const [status, times] of Object.entries(result.statuses)) console.log(`  ${status}: ${times}`);
  for (const { number, problem, replay } of result.offences)
    console.log(`\n#${number} ${problem}\n  ${replay}`);
  if (complaints.length > 0) console.log(`\nThe server's log:\n${complaints.slice(0, 50).join('\n')}`);
  console.log(`\n${check.out.trim().split('\n').slice(-2).join('\n')}`);
  console.log(
    `${result.offences.length} offences, ${complaints.length} complaints, server ${alive ? 'alive' : 'DEAD'}, ended with ${ended.code}`,
  );
  const sound = result.offences.length === 0 && complaints.length === 0 && alive && check.code === 0;
  if (!sound) process.exitCode = 1;
} finally {
  await database.close();
  await postgres?.stop();
  rmSync(folder, { recursive: true, force: true });
}

async function checkDatabase(): Promise<{ code: number; out: string }> {
  const saldo = [join(root, 'cli/saldo.mjs'), 'db', 'check'];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, saldo, {
      env: { ...process.env, DATABASE_URL },
    });
    return { code: 0, out: stdout };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    console.log(stdout + stderr);
    return { code, out: stdout };
  }
}
