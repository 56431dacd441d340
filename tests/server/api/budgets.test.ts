import { expect, it } from 'vitest';
import { createDocumentedApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addJob, addRubro } from '../../support/rows.ts';

describeOneDatabase('the budgets API', (fresh) => {
  async function begin() {
    const { db } = fresh;
    const api = await createDocumentedApp({ db }).withToken(2);
    const jobId = await addJob(db);
    const acero = await addRubro(db, { nombrerubro: 'Acero' });
    return { db, api, acero, jobId, path: `/api/presupuestos/${jobId}/` };
  }

  it('sets an obra’s lines, lists them with what is spent and left, and keeps their history', async () => {
    const { db, api, acero, jobId, path } = await begin();
    await addInvoice(db, { jobId, rubroId: acero, subtotalCents: 43_000_050 });
    await addInvoice(db, { jobId, subtotalCents: 100 });
    const sent = { motivo: 'Contrato', partidas: [{ rubroId: acero, presupuesto: 500_000 }] };
    const saved = await api.put(path, sent);
    expect(saved.status).toBe(200);
    const lines = await saved.json();
    expect(lines).toEqual([
      {
        rubroId: acero,
        nombrerubro: 'Acero',
        presupuesto: 500_000,
        comprometido: 0,
        gastado: 430_000.5,
        disponible: 69_999.5,
        version: 1,
      },
      {
        rubroId: null,
        nombrerubro: 'Sin rubro',
        presupuesto: 0,
        comprometido: 0,
        gastado: 1,
        disponible: -1,
        version: 0,
      },
    ]);
    expect(await (await api.get(path)).json()).toEqual(lines);
    const more = {
      motivo: 'Convenio',
      partidas: [{ rubroId: acero, presupuesto: '$600,000.00', version: 1 }],
    };
    expect((await api.put(path, more)).status).toBe(200);
    const history = await api.get(`${path}history/`);
    expect(await history.json()).toMatchObject([
      { rubroId: acero, antes: 500_000, despues: 600_000, motivo: 'Convenio', userId: api.user.id },
      { rubroId: acero, antes: null, despues: 500_000, motivo: 'Contrato' },
    ]);
  });

  it('refuses what it cannot read, what breaks a rule, and what somebody else has changed', async () => {
    const { api, acero, path } = await begin();
    const partidas = [{ rubroId: acero, presupuesto: 10, version: 0 }];
    const refusals: [body: object, status: number][] = [
      [{ partidas }, 422],
      [{ motivo: 'x', partidas: [] }, 422],
      [{ motivo: 'x', partidas: [{ rubroId: acero }] }, 422],
      [{ motivo: 'x', partidas: [{ presupuesto: 10 }] }, 422],
      [{ motivo: 'x', partidas: [{ rubroId: acero, presupuesto: -10 }] }, 422],
      [{ motivo: 'x', partidas: [{ rubroId: acero, presupuesto: 1.001 }] }, 422],
      [{ motivo: 'x', partidas: [{ rubroId: 999_999, presupuesto: 1 }] }, 422],
      [{ motivo: 'x', partidas: [...partidas, ...partidas] }, 422],
      [{ motivo: 'x', partidas: 'todas' }, 400],
      [{ motivo: 'x' }, 422],
      [{ motivo: 'x', partidas: [{ rubroId: acero, presupuesto: 'mucho' }] }, 400],
      [{ motivo: 'x', partidas: [{ rubroId: acero, importe: 1 }] }, 400],
    ];
    for (const [body, status] of refusals)
      expect((await api.put(path, body)).status, JSON.stringify(body)).toBe(status);
    expect(await (await api.get(path)).json()).toEqual([]);
    expect((await api.put(path, { motivo: 'x', partidas })).status).toBe(200);
    const late = await api.put(path, { motivo: 'x', partidas: [{ ...partidas[0], presupuesto: 20 }] });
    expect(late.status).toBe(409);
    expect(await late.json()).toMatchObject({
      code: 'stale',
      current: { rubroId: acero, presupuesto: 10, version: 1 },
    });
    expect((await api.get('/api/presupuestos/999999/')).status).toBe(404);
    expect((await api.put('/api/presupuestos/999999/', { motivo: 'x', partidas })).status).toBe(404);
  });
});
