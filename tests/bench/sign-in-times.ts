/**
 * What a stranger can read from the time of a refused sign-in: known and unknown accounts, interleaved.
 * Exit 1 where the medians differ by 10 % or the AUC leaves 0.45–0.55.
 *
 *   node tests/bench/sign-in-times.ts [pairs, 400 by default]
 *
 * It starts the built server itself, on a database of its own. An AUC from 200 pairs that cannot be told
 * apart leaves those bounds once in twelve runs; from 400, once in seventy.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { hashPassword } from '../../server/services/session/password-hashing.ts';
import { compareTimes } from '../security/timing.ts';
import { ask } from '../support/http.ts';
import { addUser } from '../support/rows.ts';
import { type RunningServer, startServer } from '../support/server.ts';

const PAIRS = Number(process.argv[2] ?? 400);
const folder = mkdtempSync(join(tmpdir(), 'saldo-times-'));
const url = `file:${join(folder, 'saldo.db')}`;
let server: RunningServer | undefined;

try {
  const database = openDatabase(url, { root: '/', create: true });
  await migrate(database);
  const password = await hashPassword('ladrillo rojo');
  const known: string[] = [];
  // At most fifty tries on each account: an hour allows a hundred.
  for (let n = 0; n < Math.ceil(PAIRS / 50); n++)
    known.push((await addUser(database.db, { password })).username);
  await database.close();
  server = await startServer({ DATABASE_URL: url, LOG_LEVEL: 'error' });
  const base = server.url;

  let tries = 0;
  const timed = async (email: string) => {
    const n = tries++;
    const from = `127.1.${Math.floor(n / 250)}.${(n % 250) + 1}`; // each from an address of its own
    const began = performance.now();
    const { status } = await ask(`${base}/api/auth/signin`, { json: { email, password: 'otra cosa' }, from });
    if (status !== 401) throw new Error(`${email} from ${from}: ${status}`);
    return performance.now() - began;
  };
  for (let n = 0; n < 5; n++) await timed('nadie');
  const wrong: number[] = [];
  const unknown: number[] = [];
  for (let pair = 0; pair < PAIRS; pair++) {
    const account = known[pair % known.length] ?? '';
    if (pair % 2) unknown.push(await timed(`persona${pair}`));
    wrong.push(await timed(account));
    if (pair % 2 === 0) unknown.push(await timed(`persona${pair}`));
  }
  const { medians, auc } = compareTimes(wrong, unknown);
  const gap = Math.abs(medians[0] - medians[1]) / Math.min(...medians);
  console.log(
    `${PAIRS} pairs: wrong password ${medians[0].toFixed(2)} ms, unknown user ${medians[1].toFixed(2)} ms`,
  );
  console.log(`  medians differ by ${(gap * 100).toFixed(2)} %, AUC ${auc.toFixed(3)}`);
  if (gap >= 0.1 || auc < 0.45 || auc > 0.55) process.exitCode = 1;
} finally {
  await server?.stop();
  rmSync(folder, { recursive: true, force: true });
}
