import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { readResults, readUndated } from '../../../server/services/results.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { moneyText } from '../../../shared/money.ts';
import { withQuery } from '../../../shared/urls.ts';
import { createTestApp } from '../../support/app.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { addInvoice, addJob, addRubro, addSupplier } from '../../support/rows.ts';

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
      expect(moneyText(results.byRubro[id]!)).toBe((await listed({ rubroId: id }))[0]);
    }
    expect(results.rows).toHaveLength(2);
    for (const row of results.rows) {
      expect(shown(row)).toEqual(await listed({ jobId: row.jobId }));
      expect(Object.keys(row.byRubro)).toHaveLength(3);
      for (const [id, cents] of Object.entries(row.byRubro)) {
        expect(moneyText(cents)).toBe((await listed({ jobId: row.jobId, rubroId: Number(id) }))[0]);
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
    expect(ofNone.costCents).toBe(whole.byRubro[NO_RUBRO]);
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
    expect(after).toEqual({ ...before, undated: { count: 2, costCents: 10_000, totalCents: 11_600 } });
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
    const costOf = (id: number) => left.reduce((sum, row) => sum + (row.byRubro[id] ?? 0), 0);
    expect(others).toEqual({
      jobs: left.length,
      count: left.reduce((sum, { count }) => sum + count, 0),
      costCents: left.reduce((sum, { costCents }) => sum + costCents, 0),
      totalCents: left.reduce((sum, { totalCents }) => sum + totalCents, 0),
      byRubro: Object.fromEntries(whole.rubros.map(({ id }) => [id, costOf(id)])),
    });
  });

  it('a period without invoices costs nothing', async () => {
    const results = await readResults(fresh.db, period, zone);
    expect(results).toMatchObject({ rows: [], rubros: [], count: 0, costCents: 0, totalCents: 0 });
    expect(results.undated).toEqual({ count: 0, costCents: 0, totalCents: 0 });
  });
});
