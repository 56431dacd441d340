import { beforeEach, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { closeUntil } from '../../../support/dated-rows.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addSupplier } from '../../../support/rows.ts';

const CLOSED =
  'El martes 20 de octubre de 2026 es de un periodo cerrado (hasta el sábado 31 de octubre de 2026).';

describeOneDatabase('a late edit', (fresh) => {
  let admin: TestClient;
  beforeEach(async () => {
    admin = await createTestApp({ db: fresh.db }).as(3);
    await closeUntil(fresh.db, '2026-10-31');
  });

  it('asks an administrator for a reason, keeps all that was typed, and then is saved', async () => {
    const id = await addInvoice(fresh.db, { numfactura: 'A-7', fechaemision: '2026-10-20' });
    const typed = { comments: 'llegó el remito', numfactura: 'A-7 bis', version: '1' };
    const refused = await readPage(admin.form(`/editinvoicepage/${id}`, typed));
    expect([refused.status, refused.alerts, refused.focused]).toEqual([
      409,
      [`error: ${CLOSED} Para cambiarlo de todos modos, indica el motivo.`],
      'motivo',
    ]);
    expect([refused.value('numfactura'), refused.value('comments')]).toEqual([
      typed.numfactura,
      typed.comments,
    ]);
    expect(refused.html).toMatch(/<input(?=[^>]* name="motivo")[^>]* form="invoice-form"/);
    // What else is wrong is said with the reason still there.
    const wrong = await readPage(
      admin.form(`/editinvoicepage/${id}`, { ...typed, subtotal: '', motivo: 'Así venía' }),
    );
    expect([wrong.status, wrong.value('motivo')]).toEqual([422, 'Así venía']);
    const saved = await admin.form(`/editinvoicepage/${id}`, { ...typed, motivo: 'Así venía' });
    expect(saved.status).toBe(303);
  });

  it('is refused to others without a field that would be of no use', async () => {
    const other = await createTestApp({ db: fresh.db }).as([2]);
    const id = await addInvoice(fresh.db, { fechaemision: '2026-10-20' });
    const { alerts, value } = await readPage(
      other.form(`/editinvoicepage/${id}`, { comments: 'x', version: '1' }),
    );
    expect(alerts).toEqual([`error: ${CLOSED} Solo un administrador puede cambiarlo, con un motivo.`]);
    expect(value('motivo')).toBeUndefined();
  });

  it('may be a capture, a payment, a deletion or one that is undone', async () => {
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
    // The refusal itself is asked again, with the reason.
    expect(undone.html).toContain(` action="/pagos-proveedores/${paid}/deshacer"`);
    expect((await admin.form(`/pagos-proveedores/${paid}/deshacer`, { motivo: 'Sí era' })).status).toBe(303);
    const asked = await readPage(admin.form(`/editinvoicepage/${id}/eliminar`, {}));
    expect(asked.html).toMatch(/<details class="disclosure" open="">(?:(?!<\/details>).)*name="motivo"/s);
  });
});
