import { type CompiledQuery, sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import { invoiceList } from '../../../../server/lists/invoices.ts';
import { paymentList } from '../../../../server/lists/payments.ts';
import { readInvoicesPaidLater } from '../../../../server/services/balances/after-corte.ts';
import { readInvoicesOpenAt, readInvoicesOpenNow } from '../../../../server/services/balances/balances.ts';
import { searchCatalog } from '../../../../server/services/catalogs/reading.ts';
import { readCosts } from '../../../../server/services/costs.ts';
import { sumOpenByDueDay, sumOpenBySupplier } from '../../../../server/services/invoices/open-sums.ts';
import { type InvoiceFilter, searchInvoices } from '../../../../server/services/invoices/reading.ts';
import { sumInvoices, sumInvoicesCapturedSince } from '../../../../server/services/invoices/sums.ts';
import { readInvoiceAndPaymentNotices } from '../../../../server/services/notices/notices.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { searchPayments } from '../../../../server/services/payments/reading.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { readSupplierStatement } from '../../../../server/services/statements/supplier-statement.ts';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { fillLedger } from '../../../support/ledger.ts';
import { recordQueries } from '../../../support/recording.ts';
import { addActor, addFundingSource, addInvoice, TODAY } from '../../../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Tijuana' };

const planOf = async (db: Db, query: CompiledQuery) => {
  const asked = { ...query, sql: `explain query plan ${query.sql}` };
  return (await db.executeQuery<{ parent: number; detail: string }>(asked)).rows;
};

/**
 * Misled by its statistics, SQLite once began with the few obras and sorted all their invoices for a page of fifty:
 * with 200,000 invoices that took 400 ms instead of 1.
 */
describe('a page of a list', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is read in its own order, whatever statistics the database has', async () => {
    await fillLedger(fresh.db, { invoiceCount: 20_000 });
    // ANALYZE runs when a server stops; only later connections use its statistics.
    const first = openDatabase(fresh.database.url, { root: '/', createIfMissing: false });
    await sql`analyze payments`.execute(first.db);
    await searchInvoices(first.db, { limit: 1, sort: 'total' }, DAY);
    await first.close();
    const reopened = openDatabase(fresh.database.url, { root: '/', createIfMissing: false });
    onTestFinished(() => reopened.close());
    const { db, queries } = recordQueries(reopened.db);
    const directions = ['asc', 'desc'] as const;
    for (const direction of directions) {
      for (const sort of invoiceList.indexedSorts!) {
        const { cursor } = await searchInvoices(db, { sort, direction, limit: 50 }, DAY);
        await searchInvoices(db, { sort, direction, limit: 50, cursor }, DAY);
      }
      for (const sort of paymentList.indexedSorts!) {
        const { cursor } = await searchPayments(db, { sort, direction, limit: 50 });
        await searchPayments(db, { sort, direction, limit: 50, cursor });
      }
      for (const catalog of catalogs)
        await searchCatalog(db, catalog, { today: '2026-11-20', sort: 'id', direction, limit: 50 });
    }
    const lists = queries.filter(({ sql: text }) => / limit /i.test(text));
    expect(lists.length).toBeGreaterThanOrEqual(
      2 * 2 * (invoiceList.indexedSorts!.length + paymentList.indexedSorts!.length),
    );
    for (const query of lists) {
      const rows = await planOf(reopened.db, query);
      // A page sorts the rows of the ids that it found; this finds the other sorts.
      const isOfIds = /" in \(select/.test(query.sql);
      const plan = rows.filter(({ parent }) => !isOfIds || parent !== 0).map(({ detail }) => detail);
      expect({ query: query.sql, plan }).toMatchObject({ plan: expect.not.arrayContaining([SORTED]) });
    }
  });
});

/** Most payments have the same, empty cheque number. */
describe('a payment without a cheque', () => {
  const fresh = useFreshDatabase('sqlite');

  it('is compared only with those of its invoice', async () => {
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const by = await addActor(fresh.db);
    const { db, queries } = recordQueries(fresh.db);
    await createPayment(db, by, { facturaproveedorId, amountCents: 100 });
    const compared = queries.filter(({ sql: text }) => text.includes('cross join payments'));
    expect(compared).toHaveLength(1);
    expect(JSON.stringify(await planOf(fresh.db, compared[0]!))).toContain(
      'payments_invoice (facturaproveedorId=?)',
    );
  });
});

/** Without cheques all payments have the same number, so the source is more selective. */
describe('a payment by cheque', () => {
  const fresh = useFreshDatabase('sqlite');

  it('looks only for its number, whatever statistics the database has', async () => {
    await fillLedger(fresh.db, { invoiceCount: 2_000 });
    await sql`update payments set checknum = '', "checknumFold" = ''`.execute(fresh.db);
    await sql`analyze payments`.execute(fresh.db);
    const origenderecursoId = await addFundingSource(fresh.db);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const by = await addActor(fresh.db);
    const reopened = openDatabase(fresh.database.url, { root: '/', createIfMissing: false });
    onTestFinished(() => reopened.close());
    const { db, queries } = recordQueries(reopened.db);
    await createPayment(db, by, { facturaproveedorId, amountCents: 100, origenderecursoId, checknum: '7' });
    const [query] = queries.filter(({ sql: text }) => text.includes('from payments used'));
    const plan = (await planOf(reopened.db, query!)).map(({ detail }) => detail);
    expect(plan).toContainEqual(expect.stringContaining('INDEX payments_check (checknumFold=?)'));
    expect(plan).toContain('SEARCH used USING INTEGER PRIMARY KEY (rowid=?)');
  });
});

/** Few invoices are open, and few are due within some days. */
describe('a due invoice', () => {
  const fresh = useFreshDatabase('sqlite');
  const week = { venceDesde: '2026-11-16', venceHasta: '2026-11-22' };

  it.each<[InvoiceFilter, string]>([
    [{ status: 'vencida' }, 'invoices_open (vence<?)'],
    [{ status: 'por-pagar', ...week }, 'invoices_open (vence>? AND vence<?)'],
    [{ status: 'parcial' }, 'invoices_open (vence>?)'],
    [{ status: 'pendiente', venceHasta: week.venceHasta }, 'invoices_open (vence>? AND vence<?)'],
    [{ status: 'sin-vencimiento' }, 'invoices_open'],
    [{ status: 'sin-programar' }, 'invoices_open'],
    [{ status: 'sin-programar', ...week }, 'invoices_open (vence>? AND vence<?)'],
  ])('is found by its index: %o', async (filter, index) => {
    await fillLedger(fresh.db, { invoiceCount: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recordQueries(fresh.db);
    await searchInvoices(db, { ...filter, limit: 50 }, DAY);
    await sumInvoices(db, filter, DAY);
    // The rows are read by id afterwards, and filters by days alone use stored sums.
    for (const query of queries.filter(({ sql: text }) => !/json_each|day_sums/.test(text))) {
      const details = (await planOf(fresh.db, query)).map(({ detail }) => detail);
      const reads = details.filter((detail) => / invoices USING (?!INTEGER)/.test(detail));
      expect(reads.map((detail) => detail.replace(/^.* INDEX /, ''))).toEqual([index]);
    }
    expect(queries.length).toBeGreaterThan(1);
  });
});

/** Each covering index for sums, with the query that it serves. */
describe('sums', () => {
  const fresh = useFreshDatabase('sqlite');
  const year = { from: '2026-01-01', to: '2026-12-31' };
  const issued = { fechaemisionDesde: year.from, fechaemisionHasta: year.to };

  /** Sums of all, of a period, of open invoices and of the bell read some thousand rows at any size. */
  it('are read from the sums by day if days alone restrict them', async () => {
    const { db, queries } = recordQueries(fresh.db);
    const year = { paymentdateDesde: '2026-01-01', paymentdateHasta: '2026-12-31' };
    await sumInvoices(db, {}, DAY);
    await sumInvoices(db, { fechaemisionDesde: '2026-01-01' }, DAY);
    await sumInvoices(db, { status: 'vencida' }, DAY);
    await sumInvoices(db, { status: 'pagada' }, DAY);
    await sumPayments(db, { ...year, kind: 'pago' });
    await sumOpenByDueDay(db);
    expect(queries.map(({ sql: text }) => /from (day_sums|invoices|payments)\b/.exec(text)?.[1])).toEqual(
      Array(7).fill('day_sums'),
    );
  });

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['invoices_issued', (db) => sumInvoices(db, { ...issued, rubroId: 4 }, DAY)],
    ['invoices_issued', (db) => readCosts(db, { ...year, caja: 'sin' }, ['rubroId', 'month'])],
    ['invoices_supplier', (db) => sumInvoices(db, { supplierId: 3, jobId: 4 }, DAY)],
    ['invoices_job_cost', (db) => sumInvoices(db, { jobId: 4 }, DAY)],
    ['invoices_job_cost', (db) => readCosts(db, { jobId: [4], caja: 'sin' }, ['rubroId'])],
    ['invoices_open', (db) => sumOpenBySupplier(db, 10)],
  ])('are read from %s alone', async (index, read) => {
    await fillLedger(fresh.db, { invoiceCount: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recordQueries(fresh.db);
    await read(db);
    const plans: string[] = [];
    for (const query of queries.filter(({ sql: text }) => /sum\(|count\(/.test(text))) {
      const explained = { ...query, sql: `explain query plan ${query.sql}` };
      const { rows } = await fresh.db.executeQuery<{ detail: string }>(explained);
      plans.push(...rows.map(({ detail }) => detail).filter((one) => / (invoices|payments)\b/.test(one)));
    }
    expect(plans.filter((plan) => !plan.includes('credit'))).toContainEqual(
      expect.stringMatching(new RegExp(`COVERING INDEX ${index}\\b`)),
    );
  });
});

/** With a million invoices these pages took seconds when they read invoice rows. */
describe('a figure that people use to steer the firm', () => {
  const fresh = useFreshDatabase('sqlite');

  it.each<[string, RegExp, (db: Db) => Promise<unknown>]>([
    [
      'look-alikes',
      / other\b.* INDEX /,
      (db) => readInvoiceAndPaymentNotices(db, DAY, [], { includesSlow: true }),
    ],
    ['what was captured', / INDEX invoices_created/, (db) => sumInvoicesCapturedSince(db, '2026-11-19', DAY)],
    [
      'the sums of a statement',
      / INDEX invoices_supplier/,
      (db) => readSupplierStatement(db, { supplierId: 1 }, DAY),
    ],
  ])('reads only what is kept in order, and scans nothing else: %s', async (_what, kept, read) => {
    await fillLedger(fresh.db, { invoiceCount: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recordQueries(fresh.db);
    await read(db);
    const plans: string[] = [];
    for (const query of queries) {
      const { rows } = await fresh.db.executeQuery<{ detail: string }>({
        ...query,
        sql: `explain query plan ${query.sql}`,
      });
      plans.push(...rows.map(({ detail }) => detail).filter((detail) => kept.test(detail)));
    }
    expect(plans.length).toBeGreaterThan(0);
    expect(plans.filter((plan) => !/COVERING INDEX|PRIMARY KEY/.test(plan))).toEqual([]);
  });
});

/** Each of these once sorted or scanned many rows. */
describe('a report', () => {
  const fresh = useFreshDatabase('sqlite');
  const year = { from: '2026-01-01', to: '2026-12-31', caja: 'sin' } as const;

  it.each<[string, string, (db: Db) => Promise<unknown>]>([
    [
      'costs obra by obra, without sorting them',
      'SEARCH invoices USING COVERING INDEX invoices_job_cost (jobId=? AND fechaemision>? AND fechaemision<?)',
      (db) => readCosts(db, year, ['jobId']),
    ],
    [
      'costs by month from the sums by day',
      'SEARCH day_sums USING PRIMARY KEY (kind=?)',
      (db) => readCosts(db, year, ['month']),
    ],
    [
      'costs of a rubro by month day by day',
      'SEARCH invoices USING COVERING INDEX invoices_issued (fechaemision>? AND fechaemision<?)',
      (db) => readCosts(db, { ...year, rubroId: 1 }, ['month']),
    ],
    [
      'payments by month day by day',
      'SEARCH payments USING COVERING INDEX payments_date (paymentdate>? AND paymentdate<?)',
      (db) => readCosts(db, { ...year, base: 'pagado' }, ['month']),
    ],
    [
      'what is owed to one supplier from the open invoices',
      'SCAN invoices USING COVERING INDEX invoices_open',
      (db) => readInvoicesOpenNow(db, { supplierId: 1 }),
    ],
    [
      'what is owed for one obra from the open invoices',
      'SCAN invoices USING COVERING INDEX invoices_open',
      (db) => readInvoicesOpenAt(db, { jobId: 1 }, TODAY, DAY),
    ],
    [
      'payments that are dated later by their days',
      'SEARCH payments USING COVERING INDEX payments_date (paymentdate>?)',
      (db) => readInvoicesPaidLater(db, TODAY, DAY),
    ],
  ])('reads %s', async (_what, step, read) => {
    await fillLedger(fresh.db, { invoiceCount: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recordQueries(fresh.db);
    await read(db);
    const plan = (await planOf(fresh.db, queries[0]!)).map(({ detail }) => detail);
    expect(plan).toContain(step);
    if (plan.includes('SCAN jobs')) expect(plan).not.toContain('USE TEMP B-TREE FOR GROUP BY');
  });
});

const SORTED = 'USE TEMP B-TREE FOR ORDER BY';
