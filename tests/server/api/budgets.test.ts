import { expect, it } from 'vitest';
import { createDocumentedApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice, addJob, addRubro } from '../../support/rows.ts';

describeOneDatabase('the budgets API', (fresh) => {
  it('sets the budget lines of an obra, lists them with what is spent and left, and keeps their history', async () => {
    const { db } = fresh;
    const api = await createDocumentedApp({ db }).withToken(2);
    const jobId = await addJob(db);
    const rubroId = await addRubro(db, { nombrerubro: 'Acero' });
    await addInvoice(db, { jobId, rubroId, subtotalCents: 43_000_050 });
    await addInvoice(db, { jobId, subtotalCents: 100 });
    const path = `/api/presupuestos/${jobId}/`;
    const put = async (motivo: string, line: object) =>
      (await api.put(path, { motivo, partidas: [{ rubroId, ...line }] })).json();
    const figures = { presupuesto: 500_000, comprometido: 0, gastado: 430_000.5, disponible: 69_999.5 };
    const without = { presupuesto: 0, comprometido: 0, gastado: 1, disponible: -1 };
    const lines = await put('Contrato', { presupuesto: 500_000 });
    expect(lines).toEqual([
      { rubroId, nombrerubro: 'Acero', ...figures, version: 1 },
      { rubroId: null, nombrerubro: 'Sin rubro', ...without, version: 0 },
    ]);
    expect(await (await api.get(path)).json()).toEqual(lines);
    await put('Convenio', { presupuesto: '$600,000.00', version: 1 });
    expect(await (await api.get(`${path}history/`)).json()).toMatchObject([
      { rubroId, antes: 500_000, despues: 600_000, motivo: 'Convenio', userId: api.user.id },
      { rubroId, antes: null, despues: 500_000, motivo: 'Contrato' },
    ]);
  });
});
