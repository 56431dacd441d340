/**
 * A day after the other without a restart, by the clock of events: what the server holds may not grow.
 *
 *   npm run build && node tests/drills/soak.ts [requests, 1,000,000 by default]
 *
 * Requests of every kind, six at a time, to a company of 20,000 invoices; resident memory after every tenth of them
 * (Linux). Ends with 1 where an answer fails, or where the last tenth's memory is more than five percent above the first.
 */

import { migrate } from '../../db/migrate.ts';
import { openDatabase } from '../../db/open.ts';
import { inTransaction } from '../../db/transaction.ts';
import { insertInvoices } from '../bench/many-invoices.ts';
import { temporaryFolder } from '../support/folder.ts';
import { askMixed, memoryOf, prepareMixed } from '../support/mixed-requests.ts';
import { addUser, NOW } from '../support/rows.ts';
import { startServer } from '../support/server.ts';

const INVOICES = 20_000;
const AT_ONCE = 6;
export const GROWTH_PERCENT = 5;

export interface SoakFigures {
  requests: number;
  failed: number;
  /** in MB, after each tenth */
  resident: number[];
  /** of the last tenth over the first */
  growthPercent: number;
}

export async function drillSoak(requests: number, say: (line: string) => void): Promise<SoakFigures> {
  const { folder, remove } = temporaryFolder();
  const file = `${folder}/saldo.db`;
  const database = openDatabase(`file:${file}`, { root: '/', create: true });
  await migrate(database);
  const { id: userId } = await addUser(database.db, { roles: [1] });
  await inTransaction(database.db, (trx) => insertInvoices(trx, INVOICES, { userId, at: NOW }));
  await database.close();
  const part = await prepareMixed(file);
  const server = await startServer({
    DATABASE_URL: `file:${file}`,
    SALDO_SECRET: 'a secret of this drill alone, 0123456789',
    LOG_LEVEL: 'fatal',
  });
  try {
    const resident: number[] = [];
    let [next, failed] = [0, 0];
    const ask = async () => {
      for (let n = next++; n < requests; n = next++) {
        if ((await askMixed(server.url, part, n)) >= 400) failed++;
        if ((n + 1) % Math.floor(requests / 10) !== 0) continue;
        resident.push(memoryOf(server.process.pid!, 'VmRSS'));
        say(`${n + 1} requests: ${resident.at(-1)} MB`);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    const growthPercent = Math.round((resident.at(-1)! / resident[0]! - 1) * 1000) / 10;
    return { requests, failed, resident, growthPercent };
  } finally {
    await server.stop();
    remove();
  }
}

if (import.meta.main) {
  const figures = await drillSoak(Number(process.argv[2] ?? '1000000'), console.log);
  console.log(figures);
  if (figures.failed > 0 || figures.growthPercent > GROWTH_PERCENT) process.exitCode = 1;
}
