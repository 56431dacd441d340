import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import {
  type BalanceQuery,
  type BalanceReport,
  readBalanceRows,
  readBalances,
} from '../../../../server/services/balances/balances.ts';
import { sumInvoices } from '../../../../server/services/invoices/sums.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { type BalanceRow, writeBalanceJson } from '../../../../shared/balances.ts';
import { addDays, type PlainDate, plainDateIn } from '../../../../shared/dates.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { chooseRunCount } from '../../../support/proofs.ts';
import {
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  createActor,
  TODAY,
} from '../../../support/rows.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

describeEachDatabase('saldos por proveedor', (fresh) => {
  it('an empty company owes nothing', async () => {
    const report = await readBalances(fresh.db, {}, day);
    expect(report.columns.map((column) => column.key)).toEqual(['ANTERIORES', 'SEM 47']);
    expect(report.rows).toEqual([report.total]);
    expect(report.total).toMatchObject({ suppliername: 'Total general', isSummary: true, totalCents: 0 });
  });

  it('rows are sorted by supplier as Spanish readers sort, job, due date and number, and each supplier ends with its total', async () => {
    const { db } = fresh;
    const [nogal, nandu, alamos, zarate] = [
      await addSupplier(db, { suppliername: 'Nogal' }),
      await addSupplier(db, { suppliername: 'Ñandú' }),
      await addSupplier(db, { suppliername: 'Álamos' }),
      await addSupplier(db, { suppliername: 'zarate' }),
    ];
    const [torre, agua] = [await addJob(db, { jobtitle: 'Torre' }), await addJob(db, { jobtitle: 'Água' })];
    const add = (supplierId: number, jobId: number, numfactura: string, fechavencimiento: PlainDate) =>
      addInvoice(db, { supplierId, jobId, numfactura, fechavencimiento, fechaemision: '2026-10-01' });
    await add(zarate, torre, 'Z1', '2026-11-20');
    await add(nandu, torre, 'Ñ1', '2026-11-20');
    await add(nogal, torre, 'N3', '2026-11-30');
    await add(nogal, torre, 'N2', '2026-11-20');
    await add(nogal, torre, 'N1', '2026-11-20');
    await add(nogal, agua, 'N9', '2026-12-20');
    await add(alamos, agua, 'A1', '2026-11-01');
    const { rows } = await readBalances(db, {}, day);
    expect(rows.map((row) => row.numfactura || row.jobtitle || row.suppliername).join()).toBe(
      'A1,Total Álamos,N9,N1,N2,N3,Total Nogal,Ñ1,Total Ñandú,Z1,Total zarate,Total general',
    );
    expect(rows.find((row) => row.jobtitle === 'Total Nogal')).toMatchObject({
      suppliername: 'Nogal',
      numfactura: '',
      amounts: { 'SEM 47': 232_000, 'SEM 49': 116_000, 'SEM 51': 116_000 },
      totalCents: 464_000,
    });
  });

  it('suppliers and obras that were renamed are sorted by their new names', async () => {
    const { db } = fresh;
    const [first, second] = [
      await addSupplier(db, { suppliername: 'Arena' }),
      await addSupplier(db, { suppliername: 'Grava' }),
    ];
    const [torre, villa] = [await addJob(db, { jobtitle: 'Torre' }), await addJob(db, { jobtitle: 'Villa' })];
    for (const [supplierId, jobId, numfactura] of [
      [first, torre, 'A1'],
      [first, villa, 'A2'],
      [second, torre, 'G1'],
    ] as const)
      await addInvoice(db, { supplierId, jobId, numfactura, fechaemision: '2026-11-01' });
    const shown = async () =>
      (await readBalances(db, {}, day)).rows.filter((row) => !row.isSummary).map((row) => row.numfactura);
    expect(await shown()).toEqual(['A1', 'A2', 'G1']);
    await db.updateTable('jobs').set({ jobtitle: 'Zona' }).where('id', '=', torre).execute();
    expect(await shown()).toEqual(['A2', 'A1', 'G1']);
    await db.updateTable('suppliers').set({ suppliername: 'Mármol' }).where('id', '=', first).execute();
    expect(await shown()).toEqual(['G1', 'A2', 'A1']);
  });

  it('two suppliers with the same name stay separate', async () => {
    const jobId = await addJob(fresh.db);
    for (let index = 0; index < 2; index++) {
      const supplierId = await addSupplier(fresh.db, { suppliername: 'Gemelos' });
      await addInvoice(fresh.db, { supplierId, jobId, fechaemision: '2026-11-01' });
    }
    const { rows } = await readBalances(fresh.db, {}, day);
    expect(rows.filter((row) => row.jobtitle === 'Total Gemelos')).toHaveLength(2);
  });

  it('a past corte counts invoices issued by then, less payments made by then', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const paidLater = await addInvoice(db, { numfactura: 'later', fechaemision: '2026-09-01' });
    await addPayment(db, {
      facturaproveedorId: paidLater,
      amountCents: 16_000,
      userId,
      paymentdate: '2026-09-30',
    });
    await addPayment(db, {
      facturaproveedorId: paidLater,
      amountCents: 100_000,
      userId,
      paymentdate: '2026-10-01',
    });
    await addInvoice(db, { numfactura: 'issued later', fechaemision: '2026-10-01' });
    await addInvoice(db, { numfactura: 'captured later', createdAt: '2026-10-01T06:00:00.000Z' });
    await addInvoice(db, { numfactura: 'captured by then', createdAt: '2026-10-01T05:59:59.999Z' });
    const report = await readBalances(db, { corte: '2026-09-30' }, day);
    expect(invoicesOf(report.rows).map((row) => [row.numfactura, row.totalCents])).toEqual(
      expect.arrayContaining([
        ['later', 100_000],
        ['captured by then', 116_000],
      ]),
    );
    expect(report.invoiceCount).toBe(2);
    expect(report.firstWeek).toEqual({ year: 2026, week: 40 });
    expect(report.later).toEqual({
      payments: { count: 1, sumCents: 100_000 },
      credits: { count: 0, sumCents: 0 },
      invoices: { count: 1, sumCents: 116_000 },
      undated: { count: 1, sumCents: 116_000 },
    });
  });

  it('the setting decides how many weeks are shown', async () => {
    await addInvoice(fresh.db, { fechaemision: '2026-11-01', fechavencimiento: '2027-06-01' });
    await changeSetting(fresh.db, createActor(), 'semanas', '2');
    const { columns, total } = await readBalances(fresh.db, {}, day);
    expect(columns.map((column) => column.key)).toEqual(['ANTERIORES', 'SEM 47', 'SEM 48', 'SEM 49+']);
    expect(total.amounts).toEqual({ 'SEM 49+': 116_000 });
  });

  it('a week that does not exist is refused', async () => {
    await expect(readBalances(fresh.db, { weeknum: 53, yr: 2025 }, day)).rejects.toMatchObject({
      kind: 'malformed',
    });
  });

  describe('as a property', () => {
    it('each balance appears once, all sums agree, and the invoice list agrees with them', async () => {
      const { db } = fresh;
      const { id: userId } = await addUser(db);
      const suppliers: Stored['supplier'][] = [];
      for (const diascredito of [0, 8, 30]) {
        const suppliername = `Ñandú "${diascredito}" \\`;
        suppliers.push({ id: await addSupplier(db, { suppliername, diascredito }), diascredito });
      }
      const jobs = [await addJob(db), await addJob(db)];
      await fc.assert(
        fc.asyncProperty(fc.array(invoices, { maxLength: 12 }), queries, async (drafts, query) => {
          await db.deleteFrom('payments').execute();
          await db.deleteFrom('invoices').execute();
          const stored: Stored[] = [];
          for (const draft of drafts) {
            const supplier = suppliers[draft.supplier]!;
            const jobId = jobs[draft.job]!;
            const { payments, ...own } = draft;
            const parts = { ...own, supplierId: supplier.id, jobId, tasa: 0, ivaCents: 0 };
            const id = await addInvoice(db, parts);
            const paid = portions(draft.subtotalCents, payments);
            for (const payment of paid) await addPayment(db, { facturaproveedorId: id, userId, ...payment });
            stored.push({ ...draft, id, supplier, jobId, paid });
          }
          const { supplier, job, ...rest } = query;
          const scope = {
            ...rest,
            supplierId: supplier === null ? null : suppliers[supplier]!.id,
            jobId: job === null ? null : jobs[job]!,
          };
          await expectAgreement(db, scope, stored);
          await expectSameAsText(db, scope);
          for (const openedSupplierId of [null, suppliers[0]!.id])
            await expectSameInShort(db, scope, openedSupplierId);
        }),
        { numRuns: chooseRunCount(20, 60) },
      );
    });
  });
});

interface Stored extends Omit<Draft, 'supplier' | 'payments'> {
  id: number;
  supplier: { id: number; diascredito: number };
  jobId: number;
  paid: { amountCents: number; paymentdate: PlainDate }[];
}

/** The abbreviated report has the same sums, and the rows of the opened supplier. */
async function expectSameInShort(
  db: Db,
  scope: BalanceQuery,
  openedSupplierId: number | null,
): Promise<void> {
  const whole = await readBalances(db, scope, day);
  for (const maxRows of [1, 4]) {
    const { rows, isAbbreviated, ...short } = await readBalances(db, scope, day, {
      maxRows,
      expandedSupplierId: openedSupplierId,
    });
    expect(isAbbreviated).toBe(whole.rows.length > maxRows);
    const isShown = (row: BalanceRow) =>
      row.isSummary || !isAbbreviated || row.supplierId === openedSupplierId;
    expect(rows).toEqual(whole.rows.filter(isShown));
    expect(short).toEqual({ ...whole, rows: undefined, isAbbreviated: undefined });
  }
}

/** The API's JSON, which is generated row by row, equals the report's rows. */
async function expectSameAsText(db: Db, scope: BalanceQuery): Promise<void> {
  const report = await readBalances(db, scope, day);
  const { rows, columns } = await readBalanceRows(db, scope, day);
  const records = report.rows.map(({ invoiceId, amounts, totalCents, ...row }) => ({
    ...{ suppliername: row.suppliername, jobtitle: row.jobtitle, numfactura: row.numfactura },
    isSummary: row.isSummary,
    ...(invoiceId !== null && { facturaproveedorId: invoiceId, fechavencimiento: row.fechavencimiento }),
    ...(row.vencimientoEstimado && { vencimientoEstimado: true }),
    ...Object.fromEntries(report.columns.map(({ key }) => [key, (amounts[key] ?? 0) / 100])),
    total: totalCents / 100,
  }));
  expect([...writeBalanceJson(rows, columns)].join('')).toBe(JSON.stringify(records));
}

/** Compares the report with the invoice list and with sums computed here. */
async function expectAgreement(db: Db, scope: BalanceQuery, stored: Stored[]): Promise<void> {
  const report = await readBalances(db, scope, day);
  const corte = scope.corte ?? TODAY;
  const inFilter = stored.filter(
    (invoice) =>
      (!scope.supplierId || invoice.supplier.id === scope.supplierId) &&
      (!scope.jobId || invoice.jobId === scope.jobId),
  );
  const counted = inFilter.filter((invoice) => (invoice.fechaemision ?? capturedOn(invoice)) <= corte);
  const pending = (invoice: Stored) => invoice.subtotalCents - sumOf(paidUntil(invoice, corte));
  const open = counted.filter((invoice) => pending(invoice) > 0);

  expect(
    invoicesOf(report.rows)
      .map((row) => [row.invoiceId, row.totalCents])
      .sort(),
  ).toEqual(open.map((invoice) => [invoice.id, pending(invoice)]).sort());
  for (const row of invoicesOf(report.rows)) {
    const invoice = open.find((one) => one.id === row.invoiceId)!;
    const due = dueOf(invoice);
    expect(row.fechavencimiento).toBe(due);
    expect(row.vencimientoEstimado).toBe(invoice.fechavencimiento === null);
    const [key] = Object.keys(row.amounts);
    const column = report.columns.find((one) => one.key === key)!;
    expect(column.from === null || column.from <= due).toBe(true);
    expect(column.to === null || due <= column.to).toBe(true);
  }
  expectSums(report);
  const totals = await sumInvoices(db, { corte, supplierId: scope.supplierId, jobId: scope.jobId }, day);
  expect(totals.totalCents - totals.paidCents).toBe(report.total.totalCents);
  const { later } = report;
  const paidLater = inFilter.flatMap(({ paid }) => paid.filter(({ paymentdate }) => paymentdate > corte));
  expect(later.payments).toEqual({
    count: paidLater.length,
    sumCents: sumOf(paidLater.map(({ amountCents }) => amountCents)),
  });
  const issuedLater = inFilter.filter((invoice) => !counted.includes(invoice));
  const [dated, undated] = [true, false].map((isDated) =>
    issuedLater.filter(({ fechaemision }) => Boolean(fechaemision) === isDated),
  );
  const owed = (ones: Stored[] = []) => ({
    count: ones.length,
    sumCents: ones.reduce((sum, one) => sum + one.subtotalCents - sumOf(paidUntil(one, '9999-12-31')), 0),
  });
  expect([later.invoices, later.undated]).toEqual([owed(dated), owed(undated)]);
  const late = open.filter((invoice) => dueOf(invoice) < corte);
  expect(report.overdue).toEqual({
    count: late.length,
    sumCents: late.reduce((sum, invoice) => sum + pending(invoice), 0),
  });
}

/** Each row is the sum of its columns, each supplier of its rows, and the total of the suppliers. */
function expectSums({ rows, columns, total, invoiceCount }: BalanceReport): void {
  const keys = columns.map((column) => column.key);
  const groups = new Map<number, BalanceRow[]>();
  for (const row of rows) {
    expect(Object.keys(row.amounts).every((key) => keys.includes(key))).toBe(true);
    expect(Object.values(row.amounts).reduce((sum, cents) => sum + cents, 0)).toBe(row.totalCents);
    if (row.supplierId !== null) groups.set(row.supplierId, [...(groups.get(row.supplierId) ?? []), row]);
  }
  for (const group of groups.values()) {
    expect(group.map((row) => row.isSummary)).toEqual([...group.slice(1).map(() => false), true]);
    expect(group.at(-1)!.amounts).toEqual(byColumn(group.slice(0, -1)));
  }
  const summaries = rows.filter((row) => row.isSummary && row.supplierId !== null);
  expect(total.amounts).toEqual(byColumn(summaries));
  expect(rows.at(-1)).toBe(total);
  expect(rows).toHaveLength(invoiceCount + groups.size + 1);
}

function byColumn(rows: BalanceRow[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { amounts } of rows) {
    for (const [key, cents] of Object.entries(amounts)) sums[key] = (sums[key] ?? 0) + cents;
  }
  return sums;
}

const invoicesOf = (rows: readonly BalanceRow[]) => rows.filter((row) => !row.isSummary);

const capturedOn = ({ createdAt }: { createdAt: string }) => plainDateIn(new Date(createdAt), day.timeZone);

const paidUntil = ({ paid }: Stored, corte: PlainDate) =>
  paid.filter((payment) => payment.paymentdate <= corte).map((payment) => payment.amountCents);

const sumOf = (amounts: number[]) => amounts.reduce((sum, cents) => sum + cents, 0);

function dueOf(invoice: Stored): PlainDate {
  const { fechavencimiento, fecharecepcion, fechaemision, supplier } = invoice;
  if (fechavencimiento) return fechavencimiento;
  const from = fecharecepcion ?? fechaemision;
  return from ? addDays(from, supplier.diascredito) : capturedOn(invoice);
}

function portions(total: number, payments: Draft['payments']): Stored['paid'] {
  let left = total;
  return payments.flatMap(({ share, paymentdate }) => {
    const amountCents = Math.min(left, Math.ceil((total * share) / 4));
    left -= amountCents;
    return amountCents > 0 ? [{ amountCents, paymentdate }] : [];
  });
}

const dates = fc.integer({ min: 0, max: 140 }).map((days) => addDays('2026-09-15', days));
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null, freq: 2 });
const invoices = fc.record({
  supplier: fc.nat({ max: 2 }),
  job: fc.nat({ max: 1 }),
  subtotalCents: fc.integer({ min: 1, max: 50_000_000 }),
  fechaemision: maybe(dates),
  fecharecepcion: maybe(dates),
  fechavencimiento: maybe(dates),
  createdAt: fc
    .tuple(dates, fc.constantFrom('05:59:59.999', '06:00:00.000', '18:00:00.000'))
    .map(([date, time]) => `${date}T${time}Z`),
  payments: fc.array(fc.record({ share: fc.nat({ max: 4 }), paymentdate: dates }), { maxLength: 3 }),
});
type Draft = typeof invoices extends fc.Arbitrary<infer T> ? T : never;
const queries = fc.record({
  corte: maybe(dates),
  supplier: maybe(fc.nat({ max: 2 })),
  job: maybe(fc.nat({ max: 1 })),
});
