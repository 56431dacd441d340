import { expect, it } from 'vitest';
import { saveBudget } from '../../../../server/services/budgets/write.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp } from '../../../support/app.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addJob, addSupplier } from '../../../support/rows.ts';

const SAID = 'Presupuesto 500 · Gastado 0 · Esta 1,000 → excede 500';

describeOneDatabase('an invoice beyond the budget', (fresh) => {
  async function begin(rule: string) {
    const { db } = fresh;
    const actor = await addActor(db);
    const jobId = await addJob(db);
    await saveBudget(db, actor, jobId, {
      motivo: 'Contrato',
      partidas: [{ rubroId: null, presupuestoCents: 50_000 }],
    });
    await changeSetting(db, actor, 'presupuesto', rule);
    const supplierId = await addSupplier(db, { rfc: 'EKU9003173C9' });
    const form = { supplierId, jobId, numfactura: 'A-9', subtotal: '1000', tasa: '16' };
    const clients = { app: createTestApp({ db }), form };
    return { ...clients, director: await clients.app.as(1), other: await clients.app.as(4) };
  }
  const invoices = () => fresh.db.selectFrom('invoices').select('numfactura').execute();

  it('is sent back with all that was typed, and saved once Dirección gives a reason', async () => {
    const { director, other, form } = await begin('impedir');
    const refused = await readPage(other.form('/new-invoice', { ...form, motivo: 'Urge' }));
    expect([refused.status, refused.alerts]).toEqual([
      422,
      [`error: La factura excede el presupuesto. ${SAID}. Solo Dirección puede guardarla, con un motivo.`],
    ]);
    const asked = await readPage(director.form('/new-invoice', form));
    expect([asked.status, asked.focused, asked.value('subtotal')]).toEqual([422, 'motivo', '1,000']);
    expect(await invoices()).toEqual([]);
    expect((await director.form('/new-invoice', { ...form, motivo: 'Urge' })).status).toBe(303);
    expect(await invoices()).toHaveLength(1);
  });

  it('of a closed period too takes one reason for both, and the audit trail says so', async () => {
    const { app, form } = await begin('impedir');
    await changeSetting(fresh.db, await addActor(fresh.db), 'cierre', '2026-10-31');
    const both = await app.as([1, 3]);
    const typed = { ...form, fechaemision: '2026-10-05', motivo: 'Llegó tarde' };
    expect((await both.form('/new-invoice', typed)).status).toBe(303);
    expect((await readPage(both.get('/bitacora'))).html).toContain(
      'Motivo (periodo cerrado y presupuesto excedido): Llegó tarde',
    );
  });

  it('of an XML keeps its form and asks Dirección for the reason too', async () => {
    const { director, form } = await begin('impedir');
    const sent = await director.files('/new-invoice/xml', { xml: ['a.xml', bytesOf(buildCfdi())] });
    const address = sent.headers.get('location')!;
    const save = { jobId: form.jobId, numfactura: 'A-0012' };
    const asked = await readPage(director.form(address, save));
    expect([asked.status, asked.value('jobId'), asked.value('motivo')]).toEqual([
      422,
      String(form.jobId),
      '',
    ]);
    expect(asked.alerts[0]).toContain(`La factura excede el presupuesto. ${SAID}.`);
    expect((await director.form(address, { ...save, motivo: 'Urge' })).status).toBe(303);
    expect(await invoices()).toHaveLength(1);
  });

  it('is said of by the form only where budgets count', async () => {
    const { other } = await begin('avisar');
    expect((await readPage(other.get('/new-invoice'))).html).toMatch(/\bbudget\W/);
    await changeSetting(fresh.db, await addActor(fresh.db), 'presupuesto', 'ignorar');
    const again = await createTestApp({ db: fresh.db }).as(4);
    expect((await readPage(again.get('/new-invoice'))).html).not.toMatch(/\bbudget\W/);
  });
});
