import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { applyCredit } from '../../../server/services/credit-notes.ts';
import { sumCreditCost } from '../../../server/services/payments/sums.ts';
import { readResults, readUndated } from '../../../server/services/results.ts';
import { nothing } from '../../../server/services/results-layout.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { moneyText } from '../../../shared/money.ts';
import { withQuery } from '../../../shared/urls.ts';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { addActor, addCreditNote, addInvoice, addJob, addRubro, addSupplier } from '../../support/rows.ts';

const period = { from: '2026-01-01', to: '2026-11-20' };
const zone = 'America/Mexico_City';

/** Two obras, two rubros and none, on, before and after the ends of the period, with taxes and withholdings. */
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

describeEachDatabase('the results', (fresh) => {
  it('every figure is what the invoice list sums under the same filter', async () => {
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
      moneyText(figure.costCents),
      moneyText(figure.totalCents),
      String(figure.count),
    ];
    expect(shown(results)).toEqual(await listed({}));
    expect(results.count).toBe(18);
    for (const { id } of results.rubros) {
      expect(moneyText(results.byRubro[id]!.costCents)).toBe((await listed({ rubroId: id }))[0]);
    }
    expect(results.rows).toHaveLength(2);
    for (const row of results.rows) {
      expect(shown(row)).toEqual(await listed({ jobId: row.jobId }));
      expect(Object.keys(row.byRubro)).toHaveLength(3);
      for (const [id, { costCents }] of Object.entries(row.byRubro)) {
        expect(moneyText(costCents)).toBe((await listed({ jobId: row.jobId, rubroId: Number(id) }))[0]);
      }
    }
  });

  it('obras and rubros go as Spanish readers sort, what has no rubro last', async () => {
    await addCosts(fresh.db);
    await addJob(fresh.db, { jobtitle: 'Sin facturas' });
    const { rows, rubros } = await readResults(fresh.db, period, zone);
    expect(rows.map((row) => row.jobtitle)).toEqual(['Ágora', 'Torre']);
    expect(rubros.map((rubro) => rubro.name)).toEqual(['Acero', 'Ñoquis', 'Sin rubro']);
  });

  it('two obras of one name stay two', async () => {
    for (let index = 0; index < 2; index++) {
      const jobId = await addJob(fresh.db, { jobtitle: 'Gemelas' });
      await addInvoice(fresh.db, { jobId, fechaemision: '2026-05-05' });
    }
    expect((await readResults(fresh.db, period, zone)).rows).toHaveLength(2);
  });

  it('a filter by obra, by rubro or by none leaves that part of the whole', async () => {
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

  it('an invoice without issue date counts apart, on the day it was captured as the business has it', async () => {
    const { db } = fresh;
    const { supplierId, jobs } = await addCosts(db);
    const before = await readResults(db, period, zone);
    const add = (numfactura: string, createdAt: string) =>
      addInvoice(db, { supplierId, jobId: jobs[0], numfactura, createdAt, subtotalCents: 5_000 });
    // Mexico City is six hours behind: the year begins at 06:00 and the last day ends at 06:00
    await add('early', '2026-01-01T05:59:59.999Z');
    await add('first', '2026-01-01T06:00:00.000Z');
    await add('last', '2026-11-21T05:59:59.999Z');
    await add('late', '2026-11-21T06:00:00.000Z');
    const after = await readResults(db, period, zone);
    expect(after).toEqual({
      ...before,
      undated: { ...nothing(), count: 2, costCents: 10_000, totalCents: 11_600 },
    });
    const named = await readUndated(db, period, zone, 10);
    expect(named.map((invoice) => [invoice.numfactura, invoice.jobtitle, invoice.costCents])).toEqual([
      ['last', 'Torre', 5_000],
      ['first', 'Torre', 5_000],
    ]);
    expect(await readUndated(db, { ...period, jobId: jobs[1] }, zone, 10)).toEqual([]);
    expect(await readUndated(db, period, zone, 1)).toHaveLength(1);
  });

  it.each([
    period,
    { from: '2025-12-31', to: '2026-11-21' },
    { from: '2026-01-15', to: '2026-01-20' },
    { from: '2026-06-01', to: '2026-10-31' },
    { from: '2026-06-02', to: '2026-07-30' },
  ])('of the obras that cost most, and the others together, are those of all from %o', async (days) => {
    const { db } = fresh;
    const { supplierId, rubros } = await addCosts(db);
    for (let n = 0; n < 24; n++) {
      const jobId = await addJob(db, { jobtitle: `Casa ${n}` });
      for (const [index, fechaemision] of ['2026-01-15', '2026-06-01', '2026-07-30', null].entries())
        await addInvoice(db, {
          supplierId,
          jobId,
          rubroId: rubros[(n + index) % 3],
          fechaemision,
          subtotalCents: 1_000 + 97 * n,
        });
    }
    const whole = await readResults(db, days, zone);
    const bounded = await readResults(db, days, zone, 1);
    expect(bounded.rows.length).toBe(20);
    expect(bounded.others!.jobs).toBe(whole.rows.length - 20);
    const { rows, others, ...sums } = bounded;
    expect({ ...sums, rows: whole.rows }).toEqual(whole);
    const largest = whole.rows.toSorted((a, b) => b.costCents - a.costCents).slice(0, 20);
    expect(rows.map(({ jobId }) => jobId).sort()).toEqual(largest.map(({ jobId }) => jobId).sort());
    for (const row of rows) expect(whole.rows).toContainEqual(row);
    const left = whole.rows.filter(({ jobId }) => !rows.some((row) => row.jobId === jobId));
    const sumOf = (cents: (row: (typeof left)[number]) => number | undefined) =>
      left.reduce((sum, row) => sum + (cents(row) ?? 0), 0);
    const costOf = (id: number) => ({
      costCents: sumOf((row) => row.byRubro[id]?.costCents),
      creditCents: sumOf((row) => row.byRubro[id]?.creditCents),
    });
    expect(others).toEqual({
      jobs: left.length,
      count: sumOf(({ count }) => count),
      costCents: sumOf(({ costCents }) => costCents),
      totalCents: sumOf(({ totalCents }) => totalCents),
      creditCents: sumOf(({ creditCents }) => creditCents),
      creditTotalCents: sumOf(({ creditTotalCents }) => creditTotalCents),
      byRubro: Object.fromEntries(whole.rubros.map(({ id }) => [id, costOf(id)])),
    });
  });

  it('credit notes take their own share without IVA off the cost, on their day, where they were applied', async () => {
    const { db } = fresh;
    const { supplierId, jobs, rubros } = await addCosts(db);
    const ana = await addActor(db);
    const before = await readResults(db, period, zone);
    const add = async (jobId: number, rubroId: number | null, cents: number, fecha: string) => {
      // Of 116.00 a hundred is without IVA, and of 58.00 fifty.
      const creditNoteId = await addCreditNote(db, {
        supplierId,
        userId: ana.userId,
        fecha,
        totalCents: 11_600,
        ivaCents: 1_600,
      });
      // Issued long before: a closed month does not change by a later note.
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
    expect(after.byRubro[rubros[0]]).toEqual({
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
    expect(results.undated).toEqual(nothing());
  });
});
