import { expect, it } from 'vitest';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addInvoice } from '../../support/rows.ts';

const NEW = '/api/payments/newpayment';

describeOneDatabase('the payments API', (fresh) => {
  it('edits, deletes and restores under the same id', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const { id } = await (await api.post(NEW, { facturaproveedorId, paymentamount: 10 })).json();
    expect(await (await api.put(`/api/payments/${id}`, { paymentamount: 20.5 })).json()).toMatchObject({
      paymentamount: 20.5,
    });
    expect((await api.delete(`/api/payments/${id}/`)).status).toBe(204);
    expect((await api.get(`/api/payments/${id}`)).status).toBe(404);
    const again = { headers: { 'idempotency-key': 'deshacer-1' } };
    const restored = await api.post(`/api/payments/${id}/restore`, {}, again);
    expect((await api.post(`/api/payments/${id}/restore`, {}, again)).status).toBe(200);
    expect((await api.post(`/api/payments/${id}/restore`)).status).toBe(409);
    expect(restored.status).toBe(200);
    expect(await restored.json()).toMatchObject({ id, paymentamount: 20.5 });
  });

  it('understands the old screen’s search, three values in the wrong places', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    for (const [checknum, paymentdate] of [
      ['CH-1', '2026-11-03'],
      ['CH-2', '2026-11-01'],
      ['X', '2026-11-02'],
    ]) {
      await api.post(NEW, { facturaproveedorId, paymentamount: 1, checknum, paymentdate });
    }
    const numbers = async (query: string) =>
      (await (await api.get(`/api/payments/search/?${query}`)).json()).map(
        (one: { checknum: string }) => one.checknum,
      );
    expect(await numbers('userId=ch&facturaproveedorId=fechavencimiento&checknum=ASC')).toEqual([
      'CH-2',
      'CH-1',
    ]);
    expect(await numbers('userId=&facturaproveedorId=id&checknum=DESC')).toEqual(['X', 'CH-2', 'CH-1']);
    expect(await numbers(`checknum=x&facturaproveedorId=${facturaproveedorId}`)).toEqual(['X']);
    expect(await numbers('sortfield=paymentdate&sorttype=desc')).toEqual(['CH-1', 'X', 'CH-2']);
  });

  it('refuses what the bank was sent to pay until a reason is given, and says what else is odd', async () => {
    const app = createTestApp({ db: fresh.db });
    const api = await app.withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, { numfactura: 'A-1', fechaemision: '2027-01-20' });
    const { id: programacionId } = await addBatch(fresh.db, {
      estado: 'enviada',
      invoiceIds: [facturaproveedorId],
    });
    const body = { facturaproveedorId, paymentamount: 10 };
    const refused = await api.post(NEW, { ...body, allowProgrammed: true });
    expect(refused.status).toBe(409);
    expect(await refused.json()).toEqual({
      code: 'in_open_batch',
      message: `La factura A-1 está en la programación ${programacionId}, enviada al banco el viernes 20 de noviembre de 2026.`,
      fields: { motivo: 'Indica el motivo.' },
      programacionId,
    });
    const allowed = { allowProgrammed: true, motivo: 'Anticipo' };
    const early =
      'La fecha del pago es más de 60 días anterior a la emisión de la factura, el miércoles 20 de enero de 2027.';
    const created = await api.post(NEW, { ...body, ...allowed });
    expect(created.status).toBe(201);
    const { id, warnings } = await created.json();
    expect(warnings).toEqual([early]);
    const twin = await (await api.post(NEW, { ...body, ...allowed })).json();
    expect(twin.warnings).toEqual([
      `Es igual al pago ${id}: la misma factura, fecha, cantidad y número de cheque.`,
      early,
    ]);
    const path = `/api/payments/${id}`;
    expect((await api.put(path, { paymentamount: 11 })).status).toBe(409);
    expect((await api.put(path, { paymentamount: 11, ...allowed })).status).toBe(200);
    await api.delete(path);
    expect((await api.post(`${path}/restore`)).status).toBe(409);
    const restored = await api.post(`${path}/restore`, allowed);
    expect(restored.status).toBe(200);
    expect(await restored.json()).toMatchObject({ id, warnings: [early] });
    const admin = await app.withToken(3);
    const trail = await (await admin.get(`/api/audit/?entity=payments&entityId=${id}`)).json();
    for (const action of ['create', 'update', 'restore'])
      expect(trail).toContainEqual(
        expect.objectContaining({
          action,
          after: expect.objectContaining({ motivo: 'Anticipo', permite: ['programacion'] }),
        }),
      );
  });
});
