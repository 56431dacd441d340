import { beforeEach, expect, it } from 'vitest';
import { addAccount } from '../../../support/accounts.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { addFund } from '../../../support/petty-cash.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addFundingSource, addInvoice, addPayment, NOW } from '../../../support/rows.ts';

describeOneDatabase('the form of a payment', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const payments = () => fresh.db.selectFrom('payments').selectAll().orderBy('id').execute();
  const BEYOND = 'error: El total pagado no puede ser mayor que el total de la factura.';

  it('says what is missing at its fields, and computes an amount without a script', async () => {
    const none = await readPage(browser.form('/new-payment', { facturaproveedorId: '', paymentamount: '' }));
    expect(none.errors).toEqual(['Escribe la factura.', 'Escribe la cantidad pagada.']);
    const facturaproveedorId = await addInvoice(fresh.db);
    const wrong = await readPage(
      browser.form('/new-payment', { facturaproveedorId, paymentamount: '5*', paymentdate: '2026-02-30' }),
    );
    expect([wrong.status, wrong.errors, wrong.focusedControlName, wrong.value('paymentamount')]).toEqual([
      400,
      ['Cantidad pagada: la operación no se entiende.', 'Fecha de pago: no es una fecha (AAAA-MM-DD).'],
      'paymentamount',
      '5*',
    ]);
    await browser.form('/new-payment', { facturaproveedorId, paymentamount: '1,000/3' });
    expect(await payments()).toMatchObject([{ amountCents: 33_333 }]);
  });

  it('starts with the invoice, and from the pay link with nothing, so that a phone stays at the top', async () => {
    expect((await readPage(browser.get('/new-payment'))).focusedControlName).toBe('Factura');
    const id = await addInvoice(fresh.db);
    const linked = await readPage(browser.get(`/new-payment?facturaproveedorId=${id}`));
    // A focused amount would scroll the payee out of sight.
    expect(linked.focusedControlName).toBeUndefined();
  });

  it('says until when the invoice is due, and to which account of the supplier it is paid', async () => {
    const { db } = fresh;
    const facturaproveedorId = await addInvoice(db, { fechavencimiento: '2026-12-04' });
    const { supplierId } = await db.selectFrom('invoices').select('supplierId').executeTakeFirstOrThrow();
    const facts = async (address = `/new-payment?facturaproveedorId=${facturaproveedorId}`) => {
      const { decodedHtml } = await readPage(browser.get(address));
      const texts = decodedHtml.matchAll(/<dt>(Se paga a|Aviso|Vencimiento)<\/dt><dd>(.*?)<\/dd>/g);
      return [...texts].map(([, , text]) => text!.replace(/<[^>]*>/g, '').trim());
    };
    expect(await facts('/new-payment')).toEqual(['–']);
    expect(await facts()).toEqual(['Sin cuenta', 'Vence en 14 días (SEM 49)']);
    const { id, clabe } = await addAccount(db, { supplierId, truster: false });
    const name = `Ixe ··· ${clabe.slice(-4)}`;
    expect((await facts()).slice(0, -1)).toEqual([`${name}, sin confirmar`, 'Cuenta nueva, 20 nov']);
    await db
      .updateTable('supplier_accounts')
      .set({ changedOn: '2026-10-21', trustedBy: 1, trustedAt: NOW })
      .where('id', '=', id)
      .execute();
    expect((await facts())[0]).toBe(name);
    const detail = await browser.get(`/api/facturaproveedores/${facturaproveedorId}`);
    expect((await detail.json()).cuenta).toEqual({
      ...{ nombre: name, confiable: true, cambiadaEl: '2026-10-21', nueva: false },
      ...{ texto: name, aviso: null },
    });
    const paymentId = await addPayment(db, { facturaproveedorId, amountCents: 100, userId: 1 });
    expect(await facts(`/editpaymentpage/${paymentId}`)).toEqual(['Vence en 14 días (SEM 49)']);
  });

  it('proposes the source of the last three payments to the supplier, and says that it is a proposal', async () => {
    const facturaproveedorId = await addInvoice(fresh.db, { subtotalCents: 500_00 });
    const { supplierId } = await fresh.db.selectFrom('invoices').selectAll().executeTakeFirstOrThrow();
    const other = await addInvoice(fresh.db, { supplierId });
    const [bank, fund] = [await addFundingSource(fresh.db), await addFundingSource(fresh.db)];
    const payFrom = (origenderecursoId: number) =>
      addPayment(fresh.db, { facturaproveedorId: other, origenderecursoId, amountCents: 100, userId: 1 });
    const propose = () => readPage(browser.get(`/new-payment?facturaproveedorId=${facturaproveedorId}`));
    for (const source of [fund, bank, bank]) await payFrom(source);
    const undecided = await propose();
    expect(undecided.value('origenderecursoId')).toBe('');
    expect(undecided.decodedHtml).not.toContain('Propuesta, por sus tres últimos pagos.');
    await payFrom(bank);
    const proposed = await propose();
    expect(proposed.value('origenderecursoId')).toBe(String(bank));
    expect(proposed.decodedHtml).toContain('Propuesta, por sus tres últimos pagos.');
    const chosen = await readPage(
      browser.get(`/new-payment?facturaproveedorId=${facturaproveedorId}&origenderecursoId=${fund}`),
    );
    expect(chosen.value('origenderecursoId')).toBe(String(fund));
    expect(chosen.decodedHtml).not.toContain('Propuesta, por sus tres últimos pagos.');
    const cash = await addFundingSource(fresh.db);
    await addFund(fresh.db, { pagosOrigenId: cash });
    for (const source of [cash, cash, cash]) await payFrom(source);
    expect((await propose()).value('origenderecursoId')).toBe('');
  });

  it('leads back from the pay link to where the user came from, also after a refusal', async () => {
    const id = await addInvoice(fresh.db);
    const from = (referer: string) =>
      readPage(browser.get(`/new-payment?facturaproveedorId=${id}`, { headers: { referer } }));
    const list = '/invoices?status=vencida&sortfield=total';
    const page = await from(`http://localhost${list}`);
    expect(page.links('Regresar')).toEqual([list]);
    const refused = await readPage(
      browser.form('/new-payment', { facturaproveedorId: String(id), back: list }),
    );
    expect([refused.status, refused.links('Regresar')]).toEqual([422, [list]]);
    const elsewhere = { facturaproveedorId: String(id), back: '//evil.test/', paymentamount: '1' };
    const other = await readPage(browser.form('/new-payment', { ...elsewhere, paymentamount: 'x' }));
    expect(other.links('Regresar')).toEqual(['/pagos-proveedores']);
    const saved = await browser.form('/new-payment', { ...elsewhere, back: list });
    expect(saved.headers.get('location')).toBe('/pagos-proveedores');
    const returnTo = '/pagos-proveedores?checknum=7';
    const listed = await browser.form('/new-payment', { ...elsewhere, returnTo });
    expect(listed.headers.get('location')).toBe(returnTo);
    expect((await readPage(browser.get('/new-payment'))).links('Regresar')).toEqual(['/pagos-proveedores']);
  });

  it('says so if an invoice is paid, and how much is pending if more is typed', async () => {
    const facturaproveedorId = await addInvoice(fresh.db);
    const much = await readPage(
      browser.form('/new-payment', { facturaproveedorId, paymentamount: '1160.01' }),
    );
    expect([much.alerts, much.errors]).toEqual([[BEYOND], ['A lo más $1,160.00.']]);
    const { userId } = await addActor(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId, amountCents: 116_000, userId });
    const link = await readPage(browser.get(`/new-payment?facturaproveedorId=${facturaproveedorId}`));
    expect([link.status, link.errors]).toEqual([200, ['Esa factura ya está pagada.']]);
    const paid = await readPage(browser.form('/new-payment', { facturaproveedorId, paymentamount: '1' }));
    expect([paid.status, paid.alerts, paid.errors, paid.focusedControlName]).toEqual([
      422,
      [BEYOND],
      ['Esa factura ya está pagada.'],
      'Factura',
    ]);
  });

  it('saves with “Guardar y nuevo” and continues with the same source on the same day', async () => {
    const facturaproveedorId = await addInvoice(fresh.db);
    const origenderecursoId = await addFundingSource(fresh.db);
    const fields = {
      facturaproveedorId,
      origenderecursoId,
      paymentdate: '2026-11-02',
      paymentamount: '10',
      idempotencyKey: 'k-1',
    };
    const answer = await browser.form('/new-payment', { ...fields, another: '1' });
    const next = await readPage(browser.follow(answer));
    expect(next.alerts).toEqual(['success: Se registró el pago.']);
    expect(
      ['facturaproveedorId', 'origenderecursoId', 'paymentdate', 'paymentamount'].map(next.value),
    ).toEqual(['', String(origenderecursoId), '2026-11-02', '']);
    expect(next.focusedControlName).toBe('Factura');
    expect((await browser.form('/new-payment', fields)).status).toBe(303);
    expect(await payments()).toHaveLength(1);
  });
});

describeOneDatabase('the page of a payment', (fresh) => {
  it('opens for every kind of payment', async () => {
    await fresh.fillDemo();
    const client = await createTestApp({ db: fresh.db }).as(1);
    const each = await fresh.db
      .selectFrom('payments')
      .leftJoin('payment_receipt_lines as lines', 'lines.paymentId', 'payments.id')
      .select((eb) => eb.fn.min('payments.id').as('id'))
      .groupBy(['kind', 'lines.receiptId'])
      .execute();
    expect(each.length).toBeGreaterThan(2);
    for (const { id } of each.slice(0, 20))
      expect([id, (await client.get(`/editpaymentpage/${id}`)).status]).toEqual([id, 200]);
  });
});
