import { type CompiledQuery, sql } from 'kysely';
import { expect, it } from 'vitest';
import { insertRows } from '../../../db/bulk.ts';
import { type DialectName, dialectOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { invoiceList } from '../../../server/lists/invoices.ts';
import { paymentList } from '../../../server/lists/payments.ts';
import { readJobCostsAndDebts, readSupplierDebts } from '../../../server/services/catalogs/figures.ts';
import { readOpenInvoiceOptions } from '../../../server/services/invoices/finding.ts';
import { createInvoice, deleteInvoice, updateInvoice } from '../../../server/services/invoices/invoices.ts';
import { type InvoiceQuery, searchInvoices } from '../../../server/services/invoices/reading.ts';
import { toInvoiceRow } from '../../../server/services/invoices/rows.ts';
import { createPayment, deletePayment, updatePayment } from '../../../server/services/payments/payments.ts';
import { type PaymentQuery, searchPayments } from '../../../server/services/payments/reading.ts';
import { toPaymentColumns } from '../../../server/services/payments/rows.ts';
import { addDays } from '../../../shared/dates.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { recordQueries } from '../../support/recording.ts';
import { addActor, addFundingSource, addJob, addRubro, addSupplier, TODAY } from '../../support/rows.ts';

const INVOICES = 100_000;
const SUPPLIERS = 300;
const JOBS = 40;

/** No other test uses this zone, because statements that are already compiled would not be recorded. */
const DAY = { today: TODAY, timeZone: 'America/Cancun' };
const WEEK = { venceDesde: '2026-11-16', venceHasta: '2026-11-22' };
const MONTH = { fechaemisionDesde: '2026-10-03', fechaemisionHasta: '2026-10-30' };

const LISTS: readonly Partial<InvoiceQuery>[] = [
  {},
  { supplierId: 3 },
  { jobId: 3 },
  { supplierId: 3, jobId: 3 },
  { rubroId: 1, ...MONTH },
  { numfactura: 'n-4711' },
  { status: 'vencida' },
  { status: 'por-pagar', ...WEEK },
  { status: 'parcial' },
  { status: 'pendiente', supplierId: 3 },
  { status: 'sin-vencimiento' },
  { status: 'sin-programar' },
  MONTH,
  { corte: '2026-09-30', supplierId: 3 },
];

const PAYMENT_LISTS: readonly Partial<PaymentQuery>[] = [
  {},
  { facturaproveedorId: 17 },
  { checknum: 'ch-4711' },
  { paymentdateDesde: '2026-10-03', paymentdateHasta: '2026-10-30' },
  { supplierId: 3 },
];

// Sums and reports that read rows are measured by tests/bench/lists.ts.
describeEachDatabase('with a hundred thousand invoices', (fresh) => {
  it('no page of a list and no change reads the whole table', async () => {
    const { db, dialect } = fresh;
    const actor = await addActor(db);
    const { jobId, supplierId, origenderecursoId } = await fill(db, actor);
    const { db: watched, queries } = recordQueries(db);
    for (const query of LISTS) {
      for (const sort of invoiceList.indexedSorts!) {
        const { cursor } = await searchInvoices(watched, { ...query, sort, limit: 20 }, DAY);
        if (cursor) await searchInvoices(watched, { ...query, sort, limit: 20, cursor }, DAY);
      }
    }
    for (const query of PAYMENT_LISTS) {
      for (const sort of paymentList.indexedSorts!)
        await searchPayments(watched, { ...query, sort, direction: 'desc', limit: 20 });
    }
    const some = Array.from({ length: 50 }, (_, index) => index + 1);
    await readSupplierDebts(watched, some, TODAY);
    await readJobCostsAndDebts(watched, [1, 2, 3]);
    await readOpenInvoiceOptions(watched, 10);
    const draft = { supplierId, jobId, numfactura: 'Nueva 1', subtotalCents: 100_00, tasa: 160_000 };
    const { invoice } = await createInvoice(watched, actor, draft);
    await updateInvoice(watched, actor, invoice.id, { comments: 'corregida' });
    const paid = { facturaproveedorId: invoice.id, origenderecursoId, amountCents: 50_00, checknum: 'CH-1' };
    const { payment } = await createPayment(watched, actor, paid);
    await updatePayment(watched, actor, payment.id, { amountCents: 60_00 });
    await deletePayment(watched, actor, payment.id);
    await deleteInvoice(watched, actor, invoice.id);
    expect(queries.length).toBeGreaterThan(100);
    const whole: unknown[] = [];
    for (const query of new Map(queries.map((one) => [one.sql, one])).values()) {
      const reads = await wholeReads[dialect](db, query);
      if (reads.length > 0) whole.push({ reads, query: query.sql });
    }
    expect(whole).toEqual([]);
  });
});

/**
 * Stores invoices of three years, the newest twelfth open and the others paid; every second payment awaits its receipt.
 */
async function fill(db: Db, actor: Awaited<ReturnType<typeof addActor>>) {
  const several = async (count: number, add: () => Promise<number>) => {
    const ids: number[] = [];
    for (let n = 0; n < count; n++) ids.push(await add());
    return ids;
  };
  const suppliers = await several(SUPPLIERS, () => addSupplier(db));
  const jobs = await several(JOBS, () => addJob(db));
  const rubros = [await addRubro(db), await addRubro(db), null];
  const origenderecursoId = await addFundingSource(db);
  const stamp = { ...actor, importId: null };
  const numbers = Array.from({ length: INVOICES }, (_, index) => index);
  const isPaid = (n: number) => n * 12 < INVOICES * 11;
  const issued = (n: number) => addDays('2023-11-20', Math.floor((n * 1096) / INVOICES));
  const invoices = numbers.map((n) => ({
    id: n + 1,
    ...toInvoiceRow(
      {
        supplierId: suppliers[n % SUPPLIERS]!,
        jobId: jobs[n % JOBS]!,
        rubroId: rubros[n % 3]!,
        numfactura: `N-${n}`,
        fechaemision: issued(n),
        fechavencimiento: n % 7 ? addDays(issued(n), 30) : null,
        subtotalCents: 1000 + n,
        tasa: 0,
        ivaCents: 0,
        otrosimpuestosCents: 0,
        retencionesCents: 0,
        totalCents: 1000 + n,
      },
      0,
      { ...stamp, at: new Date(`${issued(n)}T18:00:00Z`).toISOString(), today: TODAY },
    ),
    paidCents: isPaid(n) ? 1000 + n : 0,
    metodopago: n % 2 === 0 ? 'PPD' : 'PUE',
  }));
  const payments = numbers.filter(isPaid).map((n) => ({
    id: n + 1,
    ...toPaymentColumns({
      facturaproveedorId: n + 1,
      origenderecursoId,
      checknum: `CH-${n}`,
      paymentdate: addDays(issued(n), 20),
      amountCents: 1000 + n,
    }),
    userId: actor.userId,
    createdAt: actor.at,
    updatedAt: actor.at,
  }));
  await inTransaction(db, async (trx) => {
    await insertRows(trx, 'invoices', invoices);
    await insertRows(trx, 'payments', payments);
  });
  // The rows have ids of their own, so PostgreSQL's sequences are moved past them.
  for (const table of ['invoices', 'payments'])
    if (dialectOf(db) === 'postgres')
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'), ${INVOICES})`.execute(db);
  await sql`analyze`.execute(db);
  return { supplierId: suppliers[3]!, jobId: jobs[3]!, origenderecursoId };
}

const LARGE = /^(invoices|payments|audit)$/;
/** Partial indexes of the few rows that are open or undated. */
const SMALL_INDEXES = /^(invoices_open|invoices_owed|invoices_undated)$/;

type WholeReads = (db: Db, query: CompiledQuery) => Promise<string[]>;

const wholeReads: Record<DialectName, WholeReads> = {
  /** Finds scans other than those in an index order that a limit stops. */
  async sqlite(db, query) {
    const text = `explain query plan ${query.sql}`;
    const { rows } = await db.executeQuery<{ parent: number; detail: string }>({ ...query, sql: text });
    const sorts = new Set(
      rows.filter(({ detail }) => /USE TEMP B-TREE/.test(detail)).map((row) => row.parent),
    );
    const isCut = (parent: number) => / limit \+?[?\d]/i.test(query.sql) && !sorts.has(parent);
    return rows.flatMap(({ parent, detail }) => {
      const [, table = '', index = ''] =
        /^SCAN (\w+)(?: USING (?:COVERING )?INDEX (\w+))?/.exec(detail) ?? [];
      return LARGE.test(table) && !SMALL_INDEXES.test(index) && !isCut(parent) ? [detail] : [];
    });
  },
  async postgres(db, query) {
    const { rows } = await db.executeQuery<{ 'QUERY PLAN': { Plan: PlanNode }[] }>({
      ...query,
      sql: `explain (format json) ${query.sql}`,
    });
    return rows[0]!['QUERY PLAN'].flatMap(({ Plan }) => [...wholeNodes(Plan, false)]);
  },
};

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Name'?: string;
  'Index Cond'?: string;
  Plans?: PlanNode[];
}

function* wholeNodes(node: PlanNode, isCut: boolean): Generator<string> {
  const type = node['Node Type'];
  const [table = '', index = ''] = [node['Relation Name'], node['Index Name']];
  const isScan = /^(Seq|Index|Index Only) Scan$/.test(type) && !node['Index Cond'];
  if (isScan && LARGE.test(table) && !SMALL_INDEXES.test(index) && !isCut) yield `${type} ${table} ${index}`;
  // Sorting, grouping and hashing read all of their input, whatever limit is above.
  const passes = /^(Limit|Nested Loop|Index|Result|Subquery Scan|Incremental Sort)/.test(type);
  for (const child of node.Plans ?? []) yield* wholeNodes(child, type === 'Limit' || (isCut && passes));
}
