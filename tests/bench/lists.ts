/**
 * Measures lists and reports in the database, without HTTP, right after a write. Each query runs in turn as bare
 * statements (bare-answers.ts), where these exist, and on each named database; the answers have to be equal. Prints the
 * median time, for searches also the slowest of a dozen, and the ratio to the previous column; on Linux also the
 * processor time, PostgreSQL's included.
 * node tests/bench/lists.ts file:/PATH/saldo.db [postgres://…, of the same content] [rounds, 9 by default]
 */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { dialectOf, openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readBalances } from '../../server/services/balances/balances.ts';
import { readDashboard } from '../../server/services/balances/dashboard.ts';
import { sumOpenByDueDay } from '../../server/services/invoices/open-sums.ts';
import { type InvoiceQuery, searchInvoices } from '../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../server/services/invoices/sums.ts';
import { createDueNotices } from '../../server/services/notices/notices.ts';
import { type PaymentQuery, searchPayments } from '../../server/services/payments/reading.ts';
import { sumPayments } from '../../server/services/payments/sums.ts';
import { readCostsByJob } from '../../server/services/results-by-job.ts';
import { type Answer, type Asked, BareLists } from './bare-answers.ts';

const DAY = { today: '2026-11-20', timeZone: 'America/Mexico_City' };
const MONTH = { from: '2026-10-01', to: '2026-10-31' };
const YEAR = { from: '2025-11-21', to: '2026-11-20' };
const DRAWN = 12;

/** Each round runs the next of `asks`. */
interface Question {
  name: string;
  asks: readonly ((db: Db) => Promise<unknown>)[];
  floor?: readonly ((floor: BareLists) => unknown)[];
}

const list = async (db: Db, query: Partial<InvoiceQuery>): Promise<Answer> => {
  const [{ rows }, { count, totalCents, paidCents }] = await Promise.all([
    searchInvoices(db, { limit: 50, ...query }, DAY),
    sumInvoices(db, query, DAY),
  ]);
  return { ids: rows.map(({ id }) => id), sums: { count, totalCents, paidCents } };
};
const payments = (db: Db, query: Partial<PaymentQuery>) =>
  Promise.all([searchPayments(db, { limit: 50, ...query }), sumPayments(db, query)]);
const bare = (name: string, floor: readonly Asked[]): Question => ({
  name,
  floor: floor.map((query) => (lists) => lists.list(query)),
  asks: floor.map(
    ({ issued, ...query }) =>
      (db) =>
        list(db, { ...query, fechaemisionDesde: issued?.from, fechaemisionHasta: issued?.to }),
  ),
});
const ours = (name: string, ask: (db: Db) => Promise<unknown>): Question => ({ name, asks: [ask] });

async function questionsOf(db: Db): Promise<Question[]> {
  const { rows } = await sql<{ supplierId: number; jobId: number }>`
    select "supplierId", "jobId" from invoices where "supplierId" = (select "supplierId" from invoices
      group by 1 order by count(*) desc limit 1) group by 1, 2 order by count(*) desc limit 1`.execute(db);
  const { supplierId, jobId } = rows[0]!;
  const { last } = await db
    .selectFrom('invoices')
    .select((eb) => eb.fn.max<number>('id').as('last'))
    .executeTakeFirstOrThrow();
  const drawn = await db
    .selectFrom('invoices')
    .select('numfacturaFold')
    .where(
      'id',
      'in',
      Array.from({ length: 4 * DRAWN }, (_, n) => 1 + ((n * 7919 * 104_729) % last)),
    )
    .execute();
  const texts = (length: number) =>
    drawn
      .filter(({ numfacturaFold: number }) => number.length >= length)
      .slice(0, DRAWN)
      .map(({ numfacturaFold: number }, n) => {
        const from = (n * 5) % (number.length - length + 1);
        return { numfactura: number.slice(from, from + length) };
      });
  const due = 'fechavencimiento';
  return [
    bare('all, by id', [{}]),
    bare('all, by due day', [{ sort: due }]),
    bare('largest supplier, by due day', [{ supplierId, sort: due }]),
    bare('supplier and obra', [{ supplierId, jobId, sort: due }]),
    ...[2, 3, 5].map((length) => bare(`number, ${length} characters`, texts(length))),
    bare('issued in a month', [{ issued: MONTH }]),
    bare('issued in a year', [{ issued: YEAR }]),
    ours('all, by total', (one) => list(one, { sort: 'total', direction: 'desc' })),
    ours('overdue', (one) => list(one, { status: 'vencida' })),
    ours('overdue, by due day', (one) => list(one, { status: 'vencida', sort: due })),
    ours('to pay', (one) => list(one, { status: 'por-pagar' })),
    ours('corte', (one) => list(one, { corte: '2026-06-30' })),
    ours('payments by id', (one) => payments(one, {})),
    ours('payments by day', (one) => payments(one, { sort: 'paymentdate', direction: 'desc' })),
    ours('payments of a year', (one) =>
      payments(one, { paymentdateDesde: YEAR.from, paymentdateHasta: YEAR.to }),
    ),
    ours('payments of the largest supplier', (one) => payments(one, { supplierId })),
    ours('notices', async (one) => createDueNotices(await sumOpenByDueDay(one), DAY)),
    ours('balances', (one) => readBalances(one, {}, DAY)),
    ours('balances, as the page shows them', (one) => readBalances(one, {}, DAY, { maxRows: 300 })),
    ours('dashboard', (one) => readDashboard(one, DAY)),
    ours('results', (one) => readCostsByJob(one, YEAR, { limit: 40 })),
  ];
}

/** Drops cached answers, as a write does on SQLite. */
async function forgetAnswers(db: Db): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return;
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  await inTransaction(db, (trx) =>
    sql`pragma user_version = ${sql.lit(rows[0]!.user_version + 1)}`.execute(trx),
  );
}

async function workersOf(db: Db): Promise<number[]> {
  if (dialectOf(db) !== 'postgres' || process.platform !== 'linux') return [];
  const { rows } = await sql<{ pid: number }>`
    select pid from pg_stat_activity where datname = current_database()`.execute(db);
  return rows.map(({ pid }) => pid);
}

/** Processor time so far in ms, including these processes. */
function processorTime(workers: readonly number[]): number {
  const { user, system } = process.cpuUsage();
  const theirs = workers.map((pid) => {
    try {
      return Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
    } catch {
      return 0; // the process is on another machine, or has ended
    }
  });
  return theirs.reduce((sum, one) => sum + one, (user + system) / 1e3);
}

interface Contender {
  ask(question: Question, round: number): Promise<unknown>;
  /** @returns the ids of the database's own processes */
  prepare(): Promise<number[]>;
}

const urls = process.argv.slice(2).filter((given) => given.includes(':'));
const rounds = Number(process.argv.slice(2).find((given) => /^\d+$/.test(given)) ?? 9);
const databases = urls.map((url) => openDatabase(url, { root: '/', createIfMissing: false }));
const floors = urls
  .filter((url) => url.startsWith('file:'))
  .map((url) => url.slice('file:'.length))
  .map((file) => new BareLists(file));
const contenders: Contender[] = [
  ...floors.map((floor) => ({
    ask: async ({ floor: query }: Question, round: number) => query?.[round % query.length]?.(floor),
    prepare: async () => [],
  })),
  ...databases.map(({ db }) => ({
    ask: ({ asks }: Question, round: number) => asks[round % asks.length]!(db),
    prepare: async () => {
      await forgetAnswers(db);
      return workersOf(db);
    },
  })),
];
try {
  console.log(
    `${''.padEnd(34)}${[...floors.map(() => 'floor'), ...urls.map((url) => url.split(':')[0]!)].map((name) => name.padStart(9)).join('')}`,
  );
  for (const question of await questionsOf(databases[0]!.db)) {
    const asking = question.floor ? contenders : contenders.slice(floors.length);
    const times = asking.map((): number[] => []);
    const spent = asking.map(() => 0);
    for (let round = 0; round < Math.max(rounds, question.asks.length); round++) {
      const answers: string[] = [];
      for (const [which, contender] of asking.entries()) {
        const workers = await contender.prepare();
        const before = processorTime(workers);
        const began = performance.now();
        const answer = await contender.ask(question, round);
        times[which]!.push(performance.now() - began);
        spent[which]! += processorTime(workers) - before;
        answers.push(JSON.stringify(answer));
      }
      if (new Set(answers).size > 1) console.log(`${question.name}: the answers differ in round ${round}`);
    }
    console.log(said(question, times, spent));
  }
} finally {
  for (const floor of floors) floor.close();
  for (const database of databases) await database.close();
}

function said({ name, asks, floor }: Question, times: number[][], spent: number[]): string {
  const sorted = times.map((one) => one.toSorted((a, b) => a - b));
  const ratios = (values: number[]) => values.slice(1).map((value, at) => (value / values[at]!).toFixed(2));
  const medians = sorted.map((one) => one[one.length >> 1]!);
  const blank = floor ? '' : ''.padEnd(9 * floors.length);
  const parts = [
    `${name.padEnd(34)}${blank}${medians.map((ms) => ms.toFixed(2).padStart(9)).join('')}`,
    `  ratio ${ratios(medians).join(', ')}`,
    `  processor ${spent.map((ms, at) => (ms / times[at]!.length).toFixed(2)).join(', ')}: ${ratios(spent).join(', ')}`,
    ...(asks.length > 1 ? [`  slowest ${sorted.map((one) => one.at(-1)!.toFixed(1)).join(', ')}`] : []),
  ];
  return parts.join('');
}
