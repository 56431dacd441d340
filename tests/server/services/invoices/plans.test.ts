import { sql } from 'kysely';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase } from '../../../../db/open.ts';
import type { Db } from '../../../../db/schema.ts';
import {
  readBalances,
  readOpenInvoices,
  readOwedNow,
} from '../../../../server/services/balances/balances.ts';
import { searchCatalog } from '../../../../server/services/catalogs/reading.ts';
import { openBySupplier } from '../../../../server/services/invoices/open-sums.ts';
import { type InvoiceFilter, searchInvoices } from '../../../../server/services/invoices/reading.ts';
import { addUpInvoices, sumCaptured, sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { documentNotices } from '../../../../server/services/notices/documents.ts';
import { searchPayments } from '../../../../server/services/payments/reading.ts';
import { readStatement } from '../../../../server/services/statements/reading.ts';
import { catalogs } from '../../../../shared/catalogs/all.ts';
import { INVOICE_SORTS } from '../../../../shared/invoices.ts';
import { PAYMENT_SORTS } from '../../../../shared/payments.ts';
import { useFresh } from '../../../support/databases.ts';
import { fillLedger } from '../../../support/ledger.ts';
import { recording } from '../../../support/recording.ts';
import { TODAY } from '../../../support/rows.ts';

/** No other test asks for this zone: a statement that is compiled already would not be seen. */
const DAY = { today: TODAY, timeZone: 'America/Tijuana' };

/**
 * With its statistics SQLite once went through the few obras first and sorted all invoices of all of them for a
 * page of fifty, in 400 ms of 200,000 invoices instead of one.
 */
describe('a page of a list', () => {
  const fresh = useFresh('sqlite');

  it('is read in its own order, whatever the database has counted', async () => {
    await fillLedger(fresh.db, { invoices: 20_000 });
    // Counted from a sample when a server stops; known to the connections that begin afterwards.
    const first = openDatabase(fresh.database.url, { root: '/', create: false });
    await sql`analyze payments`.execute(first.db);
    await searchInvoices(first.db, { limit: 1, sort: 'total' }, DAY);
    await first.close();
    const reopened = openDatabase(fresh.database.url, { root: '/', create: false });
    onTestFinished(() => reopened.close());
    const { db, queries } = recording(reopened.db);
    const directions = ['asc', 'desc'] as const;
    for (const direction of directions) {
      for (const sort of INVOICE_SORTS) {
        const { cursor } = await searchInvoices(db, { sort, direction, limit: 50 }, DAY);
        await searchInvoices(db, { sort, direction, limit: 50, cursor }, DAY);
      }
      for (const sort of PAYMENT_SORTS) {
        const { cursor } = await searchPayments(db, { sort, direction, limit: 50 });
        await searchPayments(db, { sort, direction, limit: 50, cursor });
      }
      for (const catalog of catalogs) await searchCatalog(db, catalog, { sort: 'id', direction, limit: 50 });
    }
    const lists = queries.filter(({ sql: text }) => / limit /i.test(text));
    expect(lists.length).toBeGreaterThanOrEqual(2 * 2 * (INVOICE_SORTS.length + PAYMENT_SORTS.length));
    for (const query of lists) {
      const { rows } = await reopened.db.executeQuery<{ parent: number; detail: string }>({
        ...query,
        sql: `explain query plan ${query.sql}`,
      });
      // Of ids found first, the rows of the page are sorted once more: those that no other step stands under.
      const isOfIds = /" in \(select/.test(query.sql);
      const plan = rows.filter(({ parent }) => !isOfIds || parent !== 0).map(({ detail }) => detail);
      expect({ query: query.sql, plan }).toMatchObject({ plan: expect.not.arrayContaining([SORTED]) });
    }
  });
});

/** Invoices that are open are few; those that are due within some days are few too. */
describe('what is due', () => {
  const fresh = useFresh('sqlite');
  const week = { venceDesde: '2026-11-16', venceHasta: '2026-11-22' };

  it.each<[InvoiceFilter, string | RegExp]>([
    [{ status: 'vencida' }, 'invoices_open (vence<?)'],
    [{ status: 'por-pagar', ...week }, 'invoices_open (vence>? AND vence<?)'],
    [{ status: 'parcial' }, 'invoices_open (vence>?)'],
    [{ status: 'pendiente', venceHasta: week.venceHasta }, 'invoices_open (vence>? AND vence<?)'],
    [{ status: 'sin-vencimiento' }, /^invoices_(open|owed)$/], // of either all
    [week, 'invoices_vence (vence>? AND vence<?)'],
  ])('is found by its index: %o', async (filter, index) => {
    await fillLedger(fresh.db, { invoices: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recording(fresh.db);
    await searchInvoices(db, { ...filter, limit: 50 }, DAY);
    await addUpInvoices(db, filter, DAY);
    for (const query of queries.filter(
      ({ sql: text }) => text.includes('"vence"') || text.includes('is true'),
    )) {
      const { rows } = await fresh.db.executeQuery<{ detail: string }>({
        ...query,
        sql: `explain query plan ${query.sql}`,
      });
      const reads = rows
        .map(({ detail }) => detail)
        .filter((detail) => / invoices USING (?!INTEGER)/.test(detail));
      expect(reads).toHaveLength(1);
      const found = reads[0]?.replace(/^.* INDEX /, '');
      expect(found).toEqual(typeof index === 'string' ? index : expect.stringMatching(index));
    }
    expect(queries.length).toBeGreaterThan(1);
  });
});

/** Of a supplier of many years' invoices a few are open. */
describe('what is owed to a supplier', () => {
  const fresh = useFresh('sqlite');

  it.each<[string, (db: Db) => Promise<unknown>]>([
    ['now', (db) => readOwedNow(db, { supplierId: 1 })],
    ['at a day', (db) => readOpenInvoices(db, { supplierId: 1 }, TODAY, DAY)],
  ])('is found among what is open of it: %s', async (_when, read) => {
    await fillLedger(fresh.db, { invoices: 2_000 });
    const { db, queries } = recording(fresh.db);
    await read(db);
    expect(queries).toHaveLength(1);
    const { rows } = await fresh.db.executeQuery<{ detail: string }>({
      ...queries[0]!,
      sql: `explain query plan ${queries[0]!.sql}`,
    });
    const [first] = rows.map(({ detail }) => detail).filter((detail) => detail.includes(' invoices '));
    expect(first).toBe('SEARCH invoices USING INDEX invoices_owed (supplierId=?)');
  });
});

/** What was added up anew after each write, in a tenth of a second at a million invoices. */
describe('sums that are rolled up', () => {
  const fresh = useFresh('sqlite');
  const year = { fechaemisionDesde: '2026-01-01', fechaemisionHasta: '2026-12-31' };

  it.each<[InvoiceFilter, string | RegExp]>([
    [{}, 'invoice_sums USING PRIMARY KEY (supplierId=? AND jobId=?)'],
    [{ supplierId: 3 }, 'invoice_sums USING PRIMARY KEY (supplierId=? AND jobId=?)'],
    [{ supplierId: 3, jobId: 4 }, 'invoice_sums USING PRIMARY KEY (supplierId=? AND jobId=?)'],
    [{ status: 'vencida' }, 'invoice_due_sums USING PRIMARY KEY (pago=? AND vence<?)'],
    [{ status: 'por-pagar' }, 'invoice_due_sums USING PRIMARY KEY (pago=?)'],
    [
      { ...year, fechaemisionHasta: '2026-11-20' },
      'invoice_day_sums USING PRIMARY KEY (fechaemision>? AND fechaemision<?)',
    ],
    [{ ...year, rubroId: 0 }, 'invoice_month_sums USING PRIMARY KEY (month>? AND month<?)'],
  ])('are read from few rows, none of them an invoice: %o', async (filter, found) => {
    const { db, queries } = recording(fresh.db);
    await sumInvoices(db, filter, DAY);
    const [query, ...more] = queries;
    expect(more).toEqual([]);
    const { rows } = await fresh.db.executeQuery<{ detail: string }>({
      ...query!,
      sql: `explain query plan ${query!.sql}`,
    });
    const reads = rows.map(({ detail }) => detail).filter((detail) => /^(SCAN|SEARCH) invoice/.test(detail));
    expect(reads).toEqual([`SEARCH ${found}`, 'SCAN invoice_changes']);
  });
});

/** A row of an invoice is a page read; of a million of them these pages took seconds. */
describe('what steers the firm', () => {
  const fresh = useFresh('sqlite');

  it.each<[string, RegExp, (db: Db) => Promise<unknown>]>([
    ['look-alikes', / other\b.* INDEX /, (db) => documentNotices(db, DAY, { whole: true })],
    [
      'receipts that are due',
      /SCAN invoices .* INDEX invoices_receipted/,
      (db) => documentNotices(db, DAY, { whole: true }),
    ],
    ['what was captured', / INDEX invoices_created/, (db) => sumCaptured(db, '2026-11-19', DAY)],
    [
      'the sums of a statement',
      / INDEX invoices_supplier/,
      (db) => readStatement(db, { supplierId: 1 }, DAY),
    ],
    [
      'what is owed in a long report',
      / INDEX invoices_owed/,
      (db) => readBalances(db, {}, DAY, { mostRows: 10 }),
    ],
    ['whom most is owed to', / invoice_sums .* INDEX invoice_sums_supplier/, (db) => openBySupplier(db, 10)],
  ])('takes from what is kept in order, row by row of nothing else: %s', async (_what, kept, read) => {
    await fillLedger(fresh.db, { invoices: 2_000 });
    await sql`analyze`.execute(fresh.db);
    const { db, queries } = recording(fresh.db);
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

const SORTED = 'USE TEMP B-TREE FOR ORDER BY';
