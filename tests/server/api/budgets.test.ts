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
});
