import { beforeEach, expect, it } from 'vitest';
import { readSettings } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { setClosingDate } from '../../../support/dated-rows.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
  addUser,
} from '../../../support/rows.ts';

describeOneDatabase('Cierre de mes', (fresh) => {
  let ids: { supplierId: number; jobId: number };
  let userId: number;
  let client: TestClient;
  beforeEach(async () => {
    ids = { supplierId: await addSupplier(fresh.db), jobId: await addJob(fresh.db) };
    userId = (await addUser(fresh.db)).id;
    client = await createTestApp({ db: fresh.db }).as(3);
  });
  const closing = async () => (await readSettings(fresh.db)).cierre;
  const antes = async () => ({ antes: await closing() });

  it('counts what is open in the month, each count leading to exactly those rows', async () => {
    const { db } = fresh;
    const rubroId = await addRubro(db);
    const october = { ...ids, fechaemision: '2026-10-20' };
    const sound = await addInvoice(db, { ...october, rubroId, subtotalCents: 500_000 });
    await db.updateTable('invoices').set({ metodopago: 'PPD' }).where('id', '=', sound).execute();
    await addInvoice(db, { ...october, subtotalCents: 10_000 }); // no rubro
    for (const fechaemision of ['2026-10-25', '2026-11-03', '2026-11-20'])
      await addInvoice(db, { ...ids, fechaemision, rubroId, subtotalCents: 70_000 }); // the first two look alike
    await addInvoice(db, { ...ids, rubroId, createdAt: '2026-10-31T18:00:00.000Z', subtotalCents: 20_000 }); // no date
    const paid = { facturaproveedorId: sound, userId, paymentdate: '2026-10-30' };
    const origenderecursoId = await addFundingSource(db);
    await addPayment(db, { ...paid, amountCents: 1_000, origenderecursoId });
    await addPayment(db, { ...paid, amountCents: 2_000 });
    await addPayment(db, { ...paid, amountCents: 3_000, paymentdate: '2026-11-01' });

    const page = await readPage(client.get('/cierre'));
    expect(page.value('mes')).toBe('2026-10');
    const counted = page.rows.map(([label, count]) => [label!.split('.')[0]!.trim(), count]);
    expect(counted.slice(0, 5).map(([, count]) => count)).toEqual(['1', '1', '1', '2', '1']);
    expect(counted[5]).toEqual(['Cruce con el SAT', '0']);
    expect(page.links(/Cruce con el SAT/)).toEqual([]);
    const [without, undated, alike, receipts, sources] = page.links(/^(Facturas|Pagos) .*: \d+$/);
    for (const [list, label] of [
      [without, '1 factura'],
      [undated, '1 factura'],
      [alike, '1 factura'],
      [receipts, '2 pagos'],
      [sources, '1 pago'],
    ]) {
      const { decodedHtml, rows } = await readPage(client.get(list!));
      expect([list, rows.length]).toEqual([list, Number(label!.split(' ')[0])]);
      expect(decodedHtml).toContain('results');
    }
  });

  it('closes a month that is over, and says who did it', async () => {
    const done = await client.form('/cierre', { mes: '2026-10', ...(await antes()) });
    expect(done.headers.get('location')).toBe('/cierre');
    expect(await closing()).toBe('2026-10-31');
    const page = await readPage(client.follow(done));
    expect(page.alerts).toEqual(['success: Se cerró el periodo hasta el sábado 31 de octubre de 2026.']);
    // The next month has not ended yet.
    expect(page.value('mes')).toBe('2026-11');
    expect(page.decodedHtml).toContain('El mes de noviembre de 2026 se cierra cuando termine.');
    expect(page.decodedHtml).toContain('cerró el periodo hasta el sábado 31 de octubre de 2026');
    expect(page.decodedHtml).toContain(client.user.username);
    const early = await readPage(client.form('/cierre', { mes: '2026-11', ...(await antes()) }));
    expect([early.status, early.alerts]).toEqual([
      422,
      ['error: El mes de noviembre de 2026 no ha terminado.'],
    ]);
    // A form that is older than another user's closing is refused.
    const stale = await client.form('/cierre', { mes: '2026-09', antes: '' });
    expect(stale.status).toBe(409);
    expect(await closing()).toBe('2026-10-31');
  });

  it('asks for the password with the month and what its closing leads to, in a field that is not wrong yet', async () => {
    const app = createTestApp({ db: fresh.db });
    const user = await app.as(3);
    app.clock.advance({ minutes: 20 });
    const asked = await readPage(user.form('/cierre', { mes: '2026-10', ...(await antes()) }));
    expect([asked.status, asked.alerts, asked.errors, asked.focusedControlName]).toEqual([
      403,
      [],
      [],
      'currentpassword',
    ]);
    expect(asked.decodedHtml).toContain('<h1>Cerrar hasta el 31 de octubre de 2026</h1>');
    expect(asked.decodedHtml).toContain(
      'Después nadie podrá capturar ni cambiar nada con fecha anterior sin un motivo.',
    );
    expect(asked.decodedHtml).toContain('>Cerrar octubre</button>');
    expect(await closing()).toBe('');
  });

  it('is reopened with a reason, which is shown in its history', async () => {
    await setClosingDate(fresh.db, '2026-10-31');
    const sent = { cierre: '2026-09-30', antes: '2026-10-31' };
    const refused = await readPage(client.form('/cierre/reabrir', { ...sent, motivo: ' ' }));
    expect([refused.status, refused.errors]).toEqual([422, ['Indica el motivo.']]);
    expect(refused.value('cierre')).toBe('2026-09-30');
    expect(await closing()).toBe('2026-10-31');
    const motivo = 'Falta la factura de la grúa';
    // The refused form shows the current closing date and can be sent again.
    const stale = await readPage(client.form('/cierre/reabrir', { ...sent, antes: '2026-11-30', motivo }));
    expect([stale.status, stale.value('antes')]).toEqual([409, '2026-10-31']);
    const done = await client.form('/cierre/reabrir', { ...sent, motivo });
    expect(await closing()).toBe('2026-09-30');
    const { decodedHtml } = await readPage(client.follow(done));
    expect(decodedHtml).toContain(
      `Reabrió el periodo: queda cerrado hasta el miércoles 30 de septiembre de 2026. Motivo: ${motivo}`,
    );
    const trail = await readPage(client.get('/bitacora?entity=settings'));
    expect(trail.decodedHtml).toContain(`Motivo: ${motivo}`);
    await client.form('/cierre/reabrir', { cierre: '', antes: '2026-09-30', motivo });
    expect(await closing()).toBe('');
  });

  it('gives the accountant one document for the month: what it cost, what was owed, what was paid from where', async () => {
    const { db } = fresh;
    const id = await addInvoice(db, { ...ids, fechaemision: '2026-10-20', subtotalCents: 100_000 });
    const origenderecursoId = await addFundingSource(db, { origenderecursonombre: 'BBVA 0102' });
    const paid = { facturaproveedorId: id, userId, origenderecursoId };
    await addPayment(db, { ...paid, amountCents: 16_000, paymentdate: '2026-10-30' });
    await addPayment(db, { ...paid, amountCents: 50_000, paymentdate: '2026-11-02' });
    const answer = await client.get('/cierre/export.pdf?mes=2026-10');
    expect(answer.headers.get('content-disposition')).toContain('Cierre de octubre de 2026.pdf');
    const { document, pages } = await readPdf(answer);
    expect(document.getTitle()).toBe('Cierre de octubre de 2026');
    const texts = pages.map((page) => page.texts.join(' '));
    expect(texts).toHaveLength(3);
    expect(texts[0]).toMatch(/Resultados.*\$1,000\.00/);
    // The report is as of the month's last day: a later payment does not count.
    expect(texts[1]).toMatch(/Saldos por proveedor.*\$1,000\.00/);
    expect(texts[2]).toMatch(/Pagos por origen.*BBVA 0102 1 \$160\.00 \$160\.00/);
  });

  it('can be reached from Configuración and the menu, where the date can be set too', async () => {
    expect((await readPage(client.get('/admin-settings/cierre'))).links('Cierre de mes')).toContain(
      '/cierre',
    );
    await client.form('/admin-settings', { cierre: '2026-10-31', 'antes:cierre': '' });
    expect(await closing()).toBe('2026-10-31');
    const earlier = { cierre: '2026-08-31', 'antes:cierre': '2026-10-31' };
    const refused = await readPage(client.form('/admin-settings', earlier));
    expect([refused.status, refused.value('motivo'), refused.value('cierre')]).toEqual([
      422,
      '',
      '2026-08-31',
    ]);
    await client.form('/admin-settings', { ...earlier, motivo: 'Se cerró de más' });
    expect(await closing()).toBe('2026-08-31');
  });
});

const CLOSED =
  'El martes 20 de octubre de 2026 es de un periodo cerrado (hasta el sábado 31 de octubre de 2026).';

describeOneDatabase('a late change', (fresh) => {
  let admin: TestClient;
  beforeEach(async () => {
    admin = await createTestApp({ db: fresh.db }).as(3);
    await setClosingDate(fresh.db, '2026-10-31');
  });

  it('asks an administrator for a reason, keeps all that was typed, and then is saved', async () => {
    const id = await addInvoice(fresh.db, { numfactura: 'A-7', fechaemision: '2026-10-20' });
    const typed = { comments: 'llegó el remito', numfactura: 'A-7 bis', version: '1' };
    const refused = await readPage(admin.form(`/editinvoicepage/${id}`, typed));
    expect([refused.status, refused.alerts, refused.focusedControlName]).toEqual([
      409,
      [`error: ${CLOSED} Para cambiarlo de todos modos, indica el motivo.`],
      'motivo',
    ]);
    expect([refused.value('numfactura'), refused.value('comments')]).toEqual([
      typed.numfactura,
      typed.comments,
    ]);
    expect(refused.decodedHtml).toMatch(/<input(?=[^>]* name="motivo")[^>]* form="invoice-form"/);
    // Other errors are shown, and the typed reason is kept.
    const wrong = await readPage(
      admin.form(`/editinvoicepage/${id}`, { ...typed, subtotal: '', motivo: 'Así venía' }),
    );
    expect([wrong.status, wrong.value('motivo')]).toEqual([422, 'Así venía']);
    const saved = await admin.form(`/editinvoicepage/${id}`, { ...typed, motivo: 'Así venía' });
    expect(saved.status).toBe(303);
  });

  it('is refused to others without a useless field for a reason', async () => {
    const other = await createTestApp({ db: fresh.db }).as([2]);
    const id = await addInvoice(fresh.db, { fechaemision: '2026-10-20' });
    const { alerts, value } = await readPage(
      other.form(`/editinvoicepage/${id}`, { comments: 'x', version: '1' }),
    );
    expect(alerts).toEqual([`error: ${CLOSED} Solo un administrador puede cambiarlo, con un motivo.`]);
    expect(value('motivo')).toBeUndefined();
  });

  it('may be a new row, a payment, a deletion or an undone deletion', async () => {
    const { db } = fresh;
    const ids = { supplierId: await addSupplier(db), jobId: await addJob(db) };
    const id = await addInvoice(db, { ...ids, fechaemision: '2026-10-20' });
    const paid = await addPayment(db, {
      facturaproveedorId: await addInvoice(db, { ...ids, fechaemision: '2026-10-20' }),
      amountCents: 100,
      userId: admin.user.id,
      paymentdate: '2026-10-20',
    });
    const steps: [string, Record<string, string | number>][] = [
      ['/new-invoice', { ...ids, subtotal: '10', fechaemision: '2026-10-20' }],
      ['/new-payment', { facturaproveedorId: id, paymentamount: '1', paymentdate: '2026-10-20' }],
      [`/editpaymentpage/${paid}`, { paymentamount: '1', version: 1 }],
      [`/pagos-proveedores/${paid}/eliminar`, {}],
    ];
    for (const [address, fields] of steps) {
      const refused = await readPage(admin.form(address, fields));
      expect([address, refused.status, refused.value('motivo')]).toEqual([address, 409, '']);
      const done = await admin.form(address, { ...fields, motivo: 'Llegó tarde' });
      expect([address, done.status]).toEqual([address, 303]);
    }
    const undone = await readPage(admin.form(`/pagos-proveedores/${paid}/deshacer`, {}));
    expect(undone.status).toBe(409);
    // The refused deletion is offered again, with a field for the reason.
    expect(undone.decodedHtml).toContain(` action="/pagos-proveedores/${paid}/deshacer"`);
    expect((await admin.form(`/pagos-proveedores/${paid}/deshacer`, { motivo: 'Sí era' })).status).toBe(303);
    const response = await readPage(admin.form(`/editinvoicepage/${id}/eliminar`, {}));
    expect(response.decodedHtml).toMatch(
      /<details class="disclosure" open="">(?:(?!<\/details>).)*name="motivo"/s,
    );
  });
});
