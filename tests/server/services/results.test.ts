import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import {
  type CostFilterInPeriod,
  computeCostAfterCredits,
  createZeroCost,
  readCosts,
  sumCosts,
} from '../../../server/services/costs.ts';
import { applyCredit } from '../../../server/services/credit-notes/write.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { sumCreditCost, sumPaidCost, sumPayments } from '../../../server/services/payments/sums.ts';
import { createMovement } from '../../../server/services/petty-cash/movements.ts';
import { sumMovements } from '../../../server/services/petty-cash/searching.ts';
import { readResults, readUndatedInvoices } from '../../../server/services/results.ts';
import { readCostsByJob } from '../../../server/services/results-by-job.ts';
import { NO_RUBRO, pendingOf } from '../../../shared/invoices.ts';
import { toDecimalText } from '../../../shared/money.ts';
import { withQuery } from '../../../shared/urls.ts';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { addFund, allowSelfApproval } from '../../support/petty-cash.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
} from '../../support/rows.ts';

const period = { from: '2026-01-01', to: '2026-11-20' };
const zone = 'America/Mexico_City';

/** Stores costs of two obras, with two rubros and without, in, before and after the period. */
async function addCosts(db: Db) {
  const supplierId = await addSupplier(db);
  const jobs = [await addJob(db, { jobtitle: 'Torre' }), await addJob(db, { jobtitle: 'Ágora' })];
  const rubros = [
    await addRubro(db, { nombrerubro: 'Ñoquis' }),
    await addRubro(db, { nombrerubro: 'Acero' }),
    null,
  ];
  const days = ['2025-12-31', period.from, '2026-06-15', period.to, '2026-11-21'];
  let step = 0;
  for (const jobId of jobs) {
    for (const rubroId of rubros) {
      for (const fechaemision of days) {
        step += 1;
        await addInvoice(db, {
          supplierId,
          jobId,
          rubroId,
          fechaemision,
          subtotalCents: 100_000 + 137 * step * step,
          otrosimpuestosCents: 11 * step,
          retencionesCents: 7 * step,
        });
      }
    }
  }
  return { supplierId, jobs: jobs as [number, number], rubros: rubros as [number, number, null] };
}

/** Adds payments, credit notes, and petty cash spent with and without an obra. */
async function addAll(db: Db) {
  const { supplierId, jobs, rubros } = await addCosts(db);
  const ana = await addActor(db);
  for (const [index, paymentdate] of [
    '2025-12-31',
    '2026-01-01',
    '2026-03-31',
    '2026-11-20',
    '2026-11-21',
  ].entries())
    await addPayment(db, {
      facturaproveedorId: 1 + 5 * index,
      amountCents: 40_001 + index,
      userId: ana.userId,
      paymentdate,
    });
  const creditNoteId = await addCreditNote(db, {
    supplierId,
    userId: ana.userId,
    fecha: '2026-04-04',
    totalCents: 11_600,
    ivaCents: 1_600,
  });
  await applyCredit(db, ana, { creditNoteId, invoiceId: 3, amountCents: 5_801 });
  await allowSelfApproval(db);
  const { id: fundId } = await addFund(db, { openedOn: '2025-01-01', aperturaCents: 100_000 });
  const move = (
    tipo: 'gasto' | 'ajuste',
    fecha: string,
    importeCents: number,
    jobId?: number,
    rubroId?: number,
  ) => createMovement(db, ana, fundId, { tipo, fecha, importeCents, jobId, rubroId, concepto: 'Clavos' });
  await move('gasto', '2026-05-05', 10_000, jobs[0], rubros[0]);
  await move('gasto', '2026-01-31', 3_000, jobs[1]);
  await move('gasto', '2026-11-20', 2_000);
  await move('gasto', '2025-12-31', 500, jobs[0]);
  await move('ajuste', '2026-05-05', 700);
  return { jobs, rubros, spent: 15_000 };
}

const QUERIES: Partial<CostFilterInPeriod>[] = [
  {},
  { from: '2025-12-31', to: '2026-11-21' },
  { from: '2026-06-10', to: '2026-06-20' },
  { from: '2026-06-01', to: '2026-10-31' },
  { from: '2026-06-02', to: '2026-07-30' },
  { clientId: 1 },
  { jobId: 1 },
  { rubroId: 2 },
  { rubroId: NO_RUBRO, clientId: 1 },
  { caja: 'sin' },
  { base: 'pagado' },
  { base: 'pagado', from: '2026-01-02', to: '2026-11-19' },
  { base: 'pagado', clientId: 1, rubroId: 1 },
];

describeEachDatabase('the results', (fresh) => {
  it('every figure equals the sum of the invoice list under the same filter', async () => {
    const { db } = fresh;
    await addCosts(db);
    const results = await readResults(db, period, zone);
    const client = await createTestApp({ db }).withToken(2);
    const listed = async (filter: { jobId?: number; rubroId?: number }) => {
      const dates = { fechaemisionDesde: period.from, fechaemisionHasta: period.to };
      const address = withQuery('/api/facturaproveedores/search/', { ...dates, ...filter });
      const { headers } = await client.get(address);
      return [headers.get('x-sum-siniva'), headers.get('x-sum-total'), headers.get('x-total-count')];
    };
    const shown = (figure: { costCents: number; totalCents: number; count: number }) => [
      toDecimalText(figure.costCents),
      toDecimalText(figure.totalCents),
      String(figure.count),
    ];
    expect(shown(results)).toEqual(await listed({}));
    expect(results.count).toBe(18);
    for (const { id } of results.rubros) {
      expect(toDecimalText(results.byRubro[id]!.costCents)).toBe((await listed({ rubroId: id }))[0]);
    }
    expect(results.rows).toHaveLength(2);
    for (const row of results.rows) {
      expect(shown(row)).toEqual(await listed({ jobId: row.jobId }));
      expect(Object.keys(row.byRubro)).toHaveLength(3);
      for (const [id, { costCents }] of Object.entries(row.byRubro)) {
        expect(toDecimalText(costCents)).toBe((await listed({ jobId: row.jobId, rubroId: Number(id) }))[0]);
      }
    }
  });

  it('obras and rubros are sorted as Spanish readers sort, those without a rubro last', async () => {
    await addCosts(fresh.db);
    await addJob(fresh.db, { jobtitle: 'Sin facturas' });
    const { rows, rubros } = await readResults(fresh.db, period, zone);
    expect(rows.map((row) => row.jobtitle)).toEqual(['Ágora', 'Torre']);
    expect(rubros.map((rubro) => rubro.name)).toEqual(['Acero', 'Ñoquis', 'Sin rubro']);
  });

  it('two obras with the same name stay separate', async () => {
    for (let index = 0; index < 2; index++) {
      const jobId = await addJob(fresh.db, { jobtitle: 'Gemelas' });
      await addInvoice(fresh.db, { jobId, fechaemision: '2026-05-05' });
    }
    expect((await readResults(fresh.db, period, zone)).rows).toHaveLength(2);
  });

  it('a filter by obra, by rubro or by none yields that part of the whole', async () => {
    const { jobs, rubros } = await addCosts(fresh.db);
    const whole = await readResults(fresh.db, period, zone);
    const ofJob = await readResults(fresh.db, { ...period, jobId: jobs[0] }, zone);
    expect(ofJob.rows).toEqual([whole.rows.find((row) => row.jobId === jobs[0])]);
    const ofRubro = await readResults(fresh.db, { ...period, rubroId: rubros[0] }, zone);
    expect(ofRubro.byRubro).toEqual({ [rubros[0]]: whole.byRubro[rubros[0]] });
    const ofNone = await readResults(fresh.db, { ...period, rubroId: NO_RUBRO }, zone);
    expect(ofNone.byRubro).toEqual({ [NO_RUBRO]: whole.byRubro[NO_RUBRO] });
    expect(ofNone.costCents).toBe(whole.byRubro[NO_RUBRO]?.costCents);
  });

  it('an invoice without an issue date is counted separately, on the day it was captured in the zone of the business', async () => {
    const { db } = fresh;
    const { supplierId, jobs } = await addCosts(db);
    const before = await readResults(db, period, zone);
    const add = (numfactura: string, createdAt: string) =>
      addInvoice(db, { supplierId, jobId: jobs[0], numfactura, createdAt, subtotalCents: 5_000 });
    // Mexico City is UTC−6: the first and the last day of the year begin at 06:00
    await add('early', '2026-01-01T05:59:59.999Z');
    await add('first', '2026-01-01T06:00:00.000Z');
    await add('last', '2026-11-21T05:59:59.999Z');
    await add('late', '2026-11-21T06:00:00.000Z');
    const after = await readResults(db, period, zone);
    expect(after).toEqual({
      ...before,
      undated: { ...createZeroCost(), count: 2, costCents: 10_000, totalCents: 11_600 },
    });
    const { invoices: named } = await readUndatedInvoices(db, period, zone, 10);
    expect(named.map((invoice) => [invoice.numfactura, invoice.jobtitle, invoice.costCents])).toEqual([
      ['last', 'Torre', 5_000],
      ['first', 'Torre', 5_000],
    ]);
    expect((await readUndatedInvoices(db, { ...period, jobId: jobs[1] }, zone, 10)).invoices).toEqual([]);
    expect((await readUndatedInvoices(db, period, zone, 1)).invoices).toHaveLength(1);
  });

  it('by obra, by rubro, by month and by all of them the total is the same, of whatever is asked', async () => {
    const { db } = fresh;
    await addAll(db);
    for (const asked of QUERIES) {
      const query = { ...period, ...asked };
      const whole = sumCosts(await readCosts(db, query, []));
      expect(computeCostAfterCredits(whole)).toBeGreaterThan(0);
      const ways = [['jobId'], ['rubroId'], ['month'], ['rubroId', 'month'], ['jobId', 'rubroId']] as const;
      for (const by of ways) {
        const cells = await readCosts(db, query, by);
        expect({ asked, by, ...sumCosts(cells) }).toEqual({ asked, by, ...whole });
        expect(cells.every((cell) => by.includes('month' as never) || cell.month === '')).toBe(true);
      }
      const { rows, others, total } = await readCostsByJob(db, query, { limit: 1 });
      expect(total).toMatchObject(whole);
      expect(computeCostAfterCredits(total)).toBe(
        computeCostAfterCredits(rows[0]!) + (others ? computeCostAfterCredits(others) : 0),
      );
    }
  });

  it('petty cash is part of the cost, without an obra too, and can be excluded', async () => {
    const { db } = fresh;
    const { jobs, spent } = await addAll(db);
    const [with_, without] = [
      await readCostsByJob(db, period, {}),
      await readCostsByJob(db, { ...period, caja: 'sin' }, {}),
    ];
    expect(with_.total.pettyCents).toBe(spent);
    expect(computeCostAfterCredits(with_.total) - computeCostAfterCredits(without.total)).toBe(spent);
    expect(with_.rows.at(-1)).toMatchObject({ jobId: 0, jobtitle: 'Sin obra', pettyCents: 2_000 });
    expect(with_.rows.find(({ jobId }) => jobId === jobs[0])!.pettyCents).toBe(10_000);
    const { from: desde, to: hasta } = period;
    const list = await sumMovements(db, { desde, hasta, jobId: 0, tipo: 'gasto' });
    expect(list).toMatchObject({ count: 1, outCents: 2_000 });
  });

  it('each obra shows what is paid and pending of its invoices of the period, as the lists do', async () => {
    const { db } = fresh;
    await addAll(db);
    const day = { today: '2026-11-20', timeZone: zone };
    for (const asked of [
      {},
      { clientId: 1 },
      { rubroId: 2 },
      { from: '2026-02-03', to: '2026-11-20' },
      { base: 'pagado' as const },
      { base: 'pagado' as const, clientId: 1 },
      { base: 'pagado' as const, jobId: 1 },
      { base: 'pagado' as const, rubroId: 2 },
    ]) {
      const query = { ...period, ...asked };
      const { rows, total } = await readCostsByJob(db, query, {});
      const { from, to, base, ...narrowed } = { base: undefined, ...query };
      const issued = { fechaemisionDesde: from, fechaemisionHasta: to };
      const paidWhen = base ? { paymentdateDesde: from, paymentdateHasta: to } : issued;
      for (const { jobId, paidCents, pendingCents } of [...rows, { ...total, jobId: undefined }]) {
        if (jobId === 0) continue;
        const where = { ...narrowed, ...(jobId ? { jobId } : {}) };
        const paid = await sumPayments(db, { ...where, ...paidWhen, kind: 'pago' });
        expect([jobId, paidCents]).toEqual([jobId, paid.amountCents]);
        const open = await sumInvoices(db, { ...where, ...issued, status: 'por-pagar' }, day);
        expect([jobId, pendingCents]).toEqual([jobId, pendingOf(open)]);
      }
    }
  });

  it('"paid" instead of "billed" counts what left the bank on these days, and its share without IVA, as the list does', async () => {
    const { db } = fresh;
    await addAll(db);
    for (const days of [
      period,
      { from: '2026-01-02', to: '2026-11-20' },
      { from: '2026-02-28', to: '2026-03-30' },
      { from: '2026-03-02', to: '2026-03-03' },
    ]) {
      const query = { ...days, base: 'pagado', caja: 'sin' } as const;
      for (const by of ['jobId', 'rubroId'] as const)
        for (const { totalCents, costCents, ...cell } of await readCosts(db, query, [by])) {
          const filter = { [by]: cell[by], paymentdateDesde: days.from, paymentdateHasta: days.to };
          expect(totalCents).toBe((await sumPayments(db, { ...filter, kind: 'pago' })).amountCents);
          expect(costCents).toBe(await sumPaidCost(db, filter));
          expect(costCents).toBeLessThan(totalCents);
        }
    }
  });

  it('credit notes deduct their own share without IVA from the cost, on their day, where they were applied', async () => {
    const { db } = fresh;
    const { supplierId, jobs, rubros } = await addCosts(db);
    const ana = await addActor(db);
    const before = await readResults(db, period, zone);
    const add = async (jobId: number, rubroId: number | null, cents: number, fecha: string) => {
      // Without IVA, 116.00 are 100.00, and 58.00 are 50.00.
      const creditNoteId = await addCreditNote(db, {
        supplierId,
        userId: ana.userId,
        fecha,
        totalCents: 11_600,
        ivaCents: 1_600,
      });
      // The invoice is older: a later note does not change a closed month.
      const invoice = { supplierId, jobId, rubroId, fechaemision: '2025-01-01' };
      const invoiceId = await addInvoice(db, invoice);
      await applyCredit(db, ana, { creditNoteId, invoiceId, amountCents: cents });
    };
    await add(jobs[0], rubros[0], 11_600, '2026-03-01');
    await add(jobs[0], null, 5_801, '2026-11-20');
    await add(jobs[1], rubros[0], 11_600, '2026-11-21');
    const after = await readResults(db, period, zone);
    const [took, tookTotal] = [10_000 + 5_001, 11_600 + 5_801];
    expect(after).toMatchObject({
      costCents: before.costCents,
      creditCents: took,
      totalCents: before.totalCents,
      creditTotalCents: tookTotal,
    });
    expect(after.byRubro[rubros[0]]).toMatchObject({
      costCents: before.byRubro[rubros[0]]!.costCents,
      creditCents: 10_000,
    });
    const rowOf = (jobId: number) => after.rows.find((row) => row.jobId === jobId)!;
    expect(rowOf(jobs[0]).creditCents).toBe(took);
    expect(rowOf(jobs[0]).byRubro[NO_RUBRO]?.creditCents).toBe(5_001);
    expect(rowOf(jobs[1]).creditCents).toBe(0);
    const ofRubro = await readResults(db, { ...period, jobId: jobs[0], rubroId: rubros[0] }, zone);
    expect([ofRubro.creditCents, ofRubro.creditTotalCents]).toEqual([10_000, 11_600]);
    const month = { paymentdateDesde: period.from, paymentdateHasta: period.to };
    for (const rubroId of [undefined, ...rubros.map((id) => id ?? NO_RUBRO)]) {
      const filter = { ...month, jobId: jobs[0], rubroId };
      const cost = rubroId === undefined ? rowOf(jobs[0]) : rowOf(jobs[0]).byRubro[rubroId];
      expect(await sumCreditCost(db, filter)).toBe(cost?.creditCents ?? 0);
    }
  });

  it('a period without invoices costs nothing', async () => {
    const results = await readResults(fresh.db, period, zone);
    expect(results).toMatchObject({ rows: [], rubros: [], count: 0, costCents: 0, totalCents: 0 });
    expect(results.undated).toEqual(createZeroCost());
  });
});
