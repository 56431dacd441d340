/**
 * What lists and reports cost in the database, without HTTP: median milliseconds of each question on each database
 * that is named, asked in turn. With two of the same content (a SQLite file and a PostgreSQL) the last column is
 * the ratio of the second to the first. The answers have to be equal.
 *
 *   node tests/bench/lists.ts file:/PATH/saldo.db [postgres://…] [rounds, 9 by default]
 */
import { sql } from 'kysely';
import { dialectOf, openDatabase } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { readBalances } from '../../server/services/balances/balances.ts';
import { readDashboard } from '../../server/services/dashboard.ts';
import { type InvoiceQuery, searchInvoices } from '../../server/services/invoices/reading.ts';
import { sumInvoices } from '../../server/services/invoices/sums.ts';
import { dueNotices } from '../../server/services/notices.ts';
import { type PaymentQuery, searchPayments } from '../../server/services/payments/reading.ts';
import { sumPayments } from '../../server/services/payments/sums.ts';
import { readResults } from '../../server/services/results.ts';

const DAY = { today: '2026-11-20', timeZone: 'America/Mexico_City' };
const YEAR = { from: '2025-11-21', to: '2026-11-20' };
const LARGEST = { supplierId: 1 };

type Question = (db: Db) => Promise<unknown>;

const invoices =
  (query: Partial<InvoiceQuery>): Question =>
  (db) =>
    searchInvoices(db, { limit: 50, ...query }, DAY);
const invoiceSums =
  (query: Partial<InvoiceQuery>): Question =>
  (db) =>
    sumInvoices(db, query, DAY);
const payments =
  (query: Partial<PaymentQuery>): Question =>
  (db) =>
    searchPayments(db, { limit: 50, ...query });
const paymentSums =
  (query: Partial<PaymentQuery>): Question =>
  (db) =>
    sumPayments(db, query);
const ofYear = { paymentdateDesde: YEAR.from, paymentdateHasta: YEAR.to };

const QUESTIONS: Record<string, Question> = {
  'invoices by id': invoices({}),
  'invoices by id, newest first': invoices({ direction: 'desc' }),
  'invoices by due day': invoices({ sort: 'fechavencimiento' }),
  'invoices by total': invoices({ sort: 'total', direction: 'desc' }),
  'sums of all': invoiceSums({}),
  'largest supplier, due': invoices({ ...LARGEST, sort: 'fechavencimiento' }),
  'sums of it': invoiceSums(LARGEST),
  overdue: invoices({ status: 'vencida' }),
  'overdue, by due day': invoices({ status: 'vencida', sort: 'fechavencimiento' }),
  'sums of it ': invoiceSums({ status: 'vencida' }),
  'to pay': invoices({ status: 'por-pagar' }),
  'sums of it  ': invoiceSums({ status: 'por-pagar' }),
  'number, 2 characters': invoices({ numfactura: '20' }),
  'number, 3 characters': invoices({ numfactura: '202' }),
  'sums of it   ': invoiceSums({ numfactura: '202' }),
  'issued in a month': invoices({ fechaemisionDesde: '2026-10-01', fechaemisionHasta: '2026-10-31' }),
  'sums of it    ': invoiceSums({ fechaemisionDesde: '2026-10-01', fechaemisionHasta: '2026-10-31' }),
  'sums of a year': invoiceSums({ fechaemisionDesde: YEAR.from, fechaemisionHasta: YEAR.to }),
  'corte, page': invoices({ corte: '2026-06-30' }),
  'corte, sums': invoiceSums({ corte: '2026-06-30' }),
  'payments by id': payments({}),
  'payments by day': payments({ sort: 'paymentdate', direction: 'desc' }),
  'payments of a year by id': payments(ofYear),
  'payments of a supplier': payments(LARGEST),
  'sums of all payments': paymentSums({}),
  'sums of a year of them': paymentSums(ofYear),
  notices: (db) => dueNotices(db, DAY),
  balances: (db) => readBalances(db, {}, DAY),
  dashboard: (db) => readDashboard(db, DAY),
  results: (db) => readResults(db, YEAR, DAY.timeZone, 1000),
};

/** As after somebody's write: on SQLite what was remembered goes with each commit. */
async function forgetAnswers(db: Db): Promise<void> {
  if (dialectOf(db) !== 'sqlite') return;
  const { rows } = await sql<{ user_version: number }>`pragma user_version`.execute(db);
  await inTransaction(db, (trx) =>
    sql`pragma user_version = ${sql.lit(rows[0]!.user_version + 1)}`.execute(trx),
  );
}

const urls = process.argv.slice(2).filter((given) => given.includes(':'));
const rounds = Number(process.argv.slice(2).find((given) => /^\d+$/.test(given)) ?? 9);
const databases = urls.map((url) => openDatabase(url, { root: '/', create: false }));
try {
  for (const [name, ask] of Object.entries(QUESTIONS)) {
    const times = databases.map((): number[] => []);
    const answers: string[] = [];
    for (let round = 0; round < rounds; round++) {
      for (const [which, { db }] of databases.entries()) {
        await forgetAnswers(db);
        const began = performance.now();
        const answer = await ask(db);
        times[which]!.push(performance.now() - began);
        if (round === 0) answers.push(JSON.stringify(answer));
      }
    }
    if (new Set(answers).size > 1) console.log(`${name}: the answers differ`);
    const medians = times.map((one) => one.sort((a, b) => a - b)[Math.floor(one.length / 2)]!);
    const ratio = medians.length > 1 ? `  ${(medians[1]! / medians[0]!).toFixed(2)}` : '';
    console.log(`${name.padEnd(32)}${medians.map((ms) => ms.toFixed(2).padStart(10)).join('')}${ratio}`);
  }
} finally {
  for (const database of databases) await database.close();
}
