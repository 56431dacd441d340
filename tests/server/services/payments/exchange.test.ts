import { expect, it } from 'vitest';
import { readDashboard } from '../../../../server/services/balances/dashboard.ts';
import {
  createPayment,
  deletePayment,
  restorePayment,
} from '../../../../server/services/payments/payments.ts';
import { listFunds } from '../../../../server/services/petty-cash/reading.ts';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { findDatabaseProblems } from '../../../support/problems.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addJob, addSupplier, TODAY } from '../../../support/rows.ts';

/** 209,445.33 USD are 3,586,416.16 pesos at 17.1234, and 3,770,015.94 at the payment day's 18.00. */
const [OWED, PAID] = [358_641_616, 377_001_594];
const API = '/api/payments/newpayment';

describeEachInLongLane('a payment of an invoice in dollars', (fresh) => {
  const staff = (roles: number | number[] = [1, 3]) => createTestApp({ db: fresh.db }).as(roles);
  const invoiceIn = async (moneda?: string) =>
    addInvoice(fresh.db, {
      supplierId: await addSupplier(fresh.db, { suppliername: 'Aceros' }),
      jobId: await addJob(fresh.db, { jobtitle: 'Torre' }),
      numfactura: moneda ?? 'MXN',
      subtotalCents: OWED,
      tasa: 0,
      ivaCents: 0,
      totalCents: OWED,
      ...(moneda && { moneda, tipocambio: '17.1234' }),
    });
  const faults = () => findDatabaseProblems(fresh.db);

  it('settles the invoice at its own rate and keeps the bank amount', async () => {
    const client = await staff();
    const facturaproveedorId = await invoiceIn('USD');
    const created = await client.post(API, {
      facturaproveedorId,
      paymentamount: 3586416.16,
      importebanco: '3,770,015.94',
    });
    expect(created.status).toBe(201);
    const { id, ...payment } = await created.json();
    expect(payment).toMatchObject({ paymentamount: 3586416.16, importebanco: 3770015.94, warnings: [] });
    const invoice = await (await client.get(`/api/facturaproveedores/${facturaproveedorId}`)).json();
    expect(invoice).toMatchObject({
      moneda: 'USD',
      tipocambio: 17.1234,
      totalamountpaid: 3586416.16,
      status: 'pagada',
      payment: [{ importebanco: 3770015.94 }],
    });
    const put = async (change: object) => (await client.put(`/api/payments/${id}`, change)).json();
    expect(await put({ comments: 'x' }), 'what is not sent stays').toMatchObject({
      importebanco: 3770015.94,
    });
    expect(await put({ importebanco: null })).toMatchObject({ importebanco: null });
    expect(await put({ importebanco: 3455847.95 })).toMatchObject({ importebanco: 3455847.95 });
    expect(await put({ importebanco: 3586416.16 }), 'the same amount is kept once').toMatchObject({
      importebanco: null,
    });
    expect(await faults()).toEqual([]);
  });

  it('counts with one amount towards the debt, and with the other as money spent', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const origenderecursoId = await addFundingSource(db);
    await addFund(db, {
      pagosOrigenId: origenderecursoId,
      openedOn: '2026-01-01',
      aperturaCents: 400_000_000,
    });
    const paid = { amountCents: OWED, importebancoCents: PAID, origenderecursoId };
    const { payment } = await createPayment(db, actor, {
      ...paid,
      facturaproveedorId: await invoiceIn('USD'),
    });
    const spent = async () => {
      const { paidThisMonth, open } = await readDashboard(db, {
        today: TODAY,
        timeZone: 'America/Mexico_City',
      });
      const [fund] = await listFunds(db, TODAY);
      return [paidThisMonth.sumCents, fund!.saldoCents, open.sumCents];
    };
    expect(await spent()).toEqual([PAID, 400_000_000 - PAID, 0]);
    await deletePayment(db, actor, payment.id);
    expect(await spent()).toEqual([0, 400_000_000, OWED]);
    expect((await restorePayment(db, actor, payment.id)).payment).toMatchObject({ importebancoCents: PAID });
    expect(await spent()).toEqual([PAID, 400_000_000 - PAID, 0]);
    const page = await readPage((await staff()).get('/pagos-proveedores'));
    expect(page.facts).toMatchObject({
      'Total pagado': '$3,770,015.94',
      'Abonado a facturas': '$3,586,416.16',
      'Diferencia cambiaria': '$183,599.78',
    });
    expect(page.rows[0]).toContain('$3,770,015.94');
  });

  it('is captured and corrected on its page, with and without a script', async () => {
    const client = await staff();
    const facturaproveedorId = String(await invoiceIn('USD'));
    const hidden = /data-foreign="" hidden=""/;
    expect((await readPage(client.get('/new-payment'))).decodedHtml).toMatch(hidden);
    const fresher = await readPage(client.get(`/new-payment?facturaproveedorId=${facturaproveedorId}`));
    expect(fresher.decodedHtml).not.toMatch(hidden);
    expect(fresher.decodedHtml).toContain('Tipo de cambio de la factura</span><span>17.1234<');
    for (const label of ['Importe en USD', 'Salió del banco (MXN)', '$209,445.33 USD'])
      expect(fresher.decodedHtml).toContain(label);
    expect(fresher.value('importemoneda'), 'all that is owed is proposed').toBe('209,445.33');
    expect(fresher.decodedHtml, 'the amount in pesos is not asked').toMatch(
      /<input disabled="" id="paymentamount"/,
    );
    const form = { facturaproveedorId, importemoneda: '209445.33', importebanco: '209445.33*18' };
    expect((await client.form('/new-payment', form)).status).toBe(303);
    const inDollars = await fresh.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
    expect(inDollars).toMatchObject({
      amountCents: OWED,
      importebancoCents: PAID,
      importemonedaCents: 20_944_533,
    });
    const edit = await readPage(client.get(`/editpaymentpage/${inDollars.id}`));
    expect([edit.value('importemoneda'), edit.value('importebanco')]).toEqual(['209,445.33', '3,770,015.94']);
    for (const fact of ['$183,599.78', '$3,586,416.16', '18.0000']) expect(edit.decodedHtml).toContain(fact);
    const version = edit.value('version')!;
    const tooMuch = await readPage(
      client.form(`/editpaymentpage/${inDollars.id}`, { ...form, importemoneda: '209445.34', version }),
    );
    expect(tooMuch.errors).toContain('A lo más $209,445.33 USD.');
    const half = { ...form, importemoneda: '100000', importebanco: '', version };
    expect((await client.form(`/editpaymentpage/${inDollars.id}`, half)).status).toBe(303);
    expect(await fresh.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow()).toMatchObject({
      amountCents: 171_234_000,
      importemonedaCents: 10_000_000,
    });
    await deletePayment(fresh.db, await addActor(fresh.db), inDollars.id);
  });

  it('that was stated in pesos stays so on its page', async () => {
    const client = await staff();
    const facturaproveedorId = String(await invoiceIn('USD'));
    const hidden = /data-foreign="" hidden=""/;
    const form = { facturaproveedorId, paymentamount: '209445.33*17.1234', importebanco: '209445.33*18' };
    expect((await client.form('/new-payment', form)).status).toBe(303);
    const { id } = await fresh.db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
    const edit = await readPage(client.get(`/editpaymentpage/${id}`));
    expect([edit.value('paymentamount'), edit.value('importebanco')]).toEqual([
      '3,586,416.16',
      '3,770,015.94',
    ]);
    expect(edit.decodedHtml).toContain('$183,599.78');
    const emptied = { ...form, importebanco: '', version: edit.value('version')! };
    expect((await client.form(`/editpaymentpage/${id}`, emptied)).status).toBe(303);
    const stored = await fresh.db.selectFrom('payments').selectAll().executeTakeFirstOrThrow();
    expect(stored).toMatchObject({ amountCents: OWED, importebancoCents: null });
    const wrong = await readPage(client.form('/new-payment', { ...form, importebanco: '-5' }));
    expect(wrong.errors).toContain('El importe del banco debe ser mayor que cero.');
    const plain = await readPage(client.get(`/new-payment?facturaproveedorId=${await invoiceIn()}`));
    expect(plain.decodedHtml, 'nothing is asked of a debt in pesos').toMatch(hidden);
    const page = await readPage(client.get(`/editinvoicepage/${facturaproveedorId}`));
    expect(page.decodedHtml).toContain('Está en USD, a 17.1234');
  });

  it('is constrained by the database itself, and verified by its check', async () => {
    const { db } = fresh;
    const actor = await addActor(db);
    const facturaproveedorId = await invoiceIn('USD');
    const { payment } = await createPayment(db, actor, { facturaproveedorId, amountCents: 100 });
    const set = (importebancoCents: number) =>
      db.updateTable('payments').set({ importebancoCents }).where('id', '=', payment.id).execute();
    for (const cents of [0, -1, 100, 1_000_000_000_000]) await expect(set(cents)).rejects.toThrow();
    const rate = db.updateTable('invoices').set({ tipocambio: null }).where('id', '=', facturaproveedorId);
    await expect(rate.execute()).rejects.toThrow();
    await set(105);
    expect(await faults()).toEqual([]);
  });
});
