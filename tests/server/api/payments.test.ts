import { expect, it } from 'vitest';
import { addBatch } from '../../support/batches.ts';
import { createDocumentedApp as createTestApp } from '../../support/documented.ts';
import { describeOneDatabase } from '../../support/proofs.ts';
import { addFundingSource, addInvoice, addJob, addSupplier } from '../../support/rows.ts';

const NEW = '/api/payments/newpayment';

describeOneDatabase('the payments API', (fresh) => {
  it('stores a payment of the session’s user, whatever user the sender names', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const origenderecursoId = await addFundingSource(fresh.db, { origenderecursonombre: 'Banco' });
    const response = await api.post(NEW, {
      facturaproveedorId,
      origenderecursoId,
      paymentamount: '$1,160.00',
      checknum: '7',
      userId: 999,
    });
    expect(response.status).toBe(201);
    const payment = await response.json();
    expect(payment).toMatchObject({
      paymentamount: 1160,
      paymentdate: '2026-11-20',
      userId: api.user.id,
      facturaproveedor: { id: facturaproveedorId, numfactura: 'A-1', supplier: { suppliername: 'Aceros' } },
      origenderecurso: { id: origenderecursoId, origenderecursonombre: 'Banco' },
    });
    for (const path of [
      `/api/payments/${payment.id}`,
      `/api/payments/findbyid/${payment.id}/`,
      `/api/payments?id=${payment.id}`,
    ]) {
      expect((await (await api.get(path)).json()).id).toBe(payment.id);
    }
    const pending = await api.get(`/api/payments/pendingpayment/?facturaproveedorid=${facturaproveedorId}`);
    expect(await pending.json()).toEqual({
      facturaproveedorId,
      total: 1160,
      totalamountpaid: 1160,
      pending: 0,
    });
    const invoice = await (await api.get(`/api/facturaproveedores/${facturaproveedorId}`)).json();
    expect(invoice).toMatchObject({ totalamountpaid: 1160, status: 'pagada', payment: [{ id: payment.id }] });
  });

  it('refuses more than is owed with the specification’s message', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const response = await api.post(NEW, { facturaproveedorId, paymentamount: 1160.01 });
    expect(response.status).toBe(422);
    expect((await response.json()).message).toBe(
      'El total pagado no puede ser mayor que el total de la factura.',
    );
  });

  it('pays once however often the same request is sent', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const send = (paymentamount: number, key: string) =>
      api.post(NEW, { facturaproveedorId, paymentamount }, { headers: { 'idempotency-key': key } });
    const answers = await Promise.all(Array.from({ length: 50 }, () => send(10, 'k-1')));
    const bodies = await Promise.all(answers.map((answer) => answer.text()));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([201]));
    expect(new Set(bodies).size).toBe(1);
    expect((await api.get('/api/payments')).headers.get('x-total-count')).toBe('1');
    expect((await send(11, 'k-1')).status).toBe(409);
    expect((await send(10, 'k-2')).status).toBe(201);
  });

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

  it('refuses a change that leaves the amount empty, and changes nothing', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    const { id } = await (await api.post(NEW, { facturaproveedorId, paymentamount: 100 })).json();
    const required = 'Seleccione una factura e ingrese la cantidad del pago recibido.';
    for (const paymentamount of [null, '', ' '])
      expect(await (await api.put(`/api/payments/${id}`, { paymentamount, comments: 'x' })).json()).toEqual({
        message: required,
        code: 'invalid',
        fields: { paymentamount: required },
      });
    const answer = await api.put(`/api/payments/${id}`, { paymentamount: 1e21 });
    expect(answer.status).toBe(422);
    const stored = await (await api.get(`/api/payments/${id}`)).json();
    expect(stored).toMatchObject({ paymentamount: 100, version: 1, comments: '' });
  });

  it('searches by the days of payment, first and last included', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const facturaproveedorId = await addInvoice(fresh.db, {});
    for (const paymentdate of ['2026-10-31', '2026-11-01', '2026-11-30', '2026-12-01'])
      await api.post(NEW, { facturaproveedorId, paymentamount: 1, paymentdate });
    const days = async (query: string) => {
      const response = await api.get(`/api/payments/search/?sortfield=paymentdate&${query}`);
      const found: { paymentdate: string }[] = await response.json();
      expect(response.headers.get('x-total-count')).toBe(String(found.length));
      return found.map((one) => one.paymentdate);
    };
    expect(await days('paymentdateDesde=2026-11-01&paymentdateHasta=2026-11-30')).toEqual([
      '2026-11-01',
      '2026-11-30',
    ]);
    expect(await days('paymentdateHasta=2026-10-31')).toEqual(['2026-10-31']);
    expect(await days('paymentdateDesde=2026-12-01')).toEqual(['2026-12-01']);
    expect((await api.get('/api/payments/search/?paymentdateDesde=ayer')).status).toBe(400);
  });

  it('searches by the supplier and obra of the invoice paid', async () => {
    const api = await createTestApp({ db: fresh.db }).withToken(4);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre' });
    const invoices = [
      await addInvoice(fresh.db, { supplierId, jobId }),
      await addInvoice(fresh.db, { supplierId }),
      await addInvoice(fresh.db, { jobId }),
    ];
    for (const facturaproveedorId of invoices) await api.post(NEW, { facturaproveedorId, paymentamount: 1 });
    const found = async (query: string) => {
      const response = await api.get(`/api/payments?${query}`);
      const rows: { facturaproveedorId: number }[] = await response.json();
      expect(response.headers.get('x-total-count')).toBe(String(rows.length));
      return rows.map((one) => invoices.indexOf(one.facturaproveedorId));
    };
    expect(await found(`supplierId=${supplierId}`)).toEqual([0, 1]);
    expect(await found(`jobId=${jobId}`)).toEqual([0, 2]);
    expect(await found(`supplierId=${supplierId}&jobId=${jobId}`)).toEqual([0]);
    expect(await found(`supplierId=${supplierId}&userId=&facturaproveedorId=id&checknum=DESC`)).toEqual([
      1, 0,
    ]);
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
