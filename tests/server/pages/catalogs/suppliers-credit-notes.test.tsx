import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { backUpAndDeleteAllPayments } from '../../../../server/services/delete-all.ts';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addActor,
  addCreditNote,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
} from '../../../support/rows.ts';

describeOneDatabase('the screens of a supplier’s saldo a favor', (fresh) => {
  const signedIn = (): Promise<TestClient> => createTestApp({ db: fresh.db }).as(2);
  const prepare = async () => {
    const actor = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const invoiceId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const noteId = await addCreditNote(fresh.db, { supplierId, userId: actor.userId, numero: 'NC-12' });
    return { actor, supplierId, invoiceId, noteId, browser: await signedIn() };
  };
  const applied = async () =>
    (await fresh.db.selectFrom('credit_notes').select('appliedCents').executeTakeFirst())?.appliedCents;

  it('appear only if there is a saldo, and are linked from the invoice', async () => {
    const { browser, supplierId, invoiceId } = await prepare();
    const own = await readPage(browser.get(`/editsupplierpage/${supplierId}`));
    expect(own.decodedHtml).toContain('Notas de crédito con saldo');
    expect(own.decodedHtml).toContain('NC-12');
    const invoice = await readPage(browser.get(`/editinvoicepage/${invoiceId}`));
    expect(invoice.links('El proveedor tiene saldo a favor de $100.00')).toEqual([
      `/editsupplierpage/${supplierId}#saldo-a-favor`,
    ]);
    const other = await addSupplier(fresh.db);
    expect((await readPage(browser.get(`/editsupplierpage/${other}`))).decodedHtml).not.toContain(
      'Saldo a favor',
    );
    const balances = await readPage(browser.get('/reporte-saldos'));
    expect(balances.decodedHtml).toContain(
      'Saldos a favor sin aplicar: <a href="#saldos-a-favor" class="money">$100.00</a>',
    );
  });

  it('apply an amount once, named in the list of payments next to what was paid in money', async () => {
    const { browser, actor, supplierId, invoiceId, noteId } = await prepare();
    await addPayment(fresh.db, { facturaproveedorId: invoiceId, amountCents: 5_000, userId: actor.userId });
    const form = {
      creditNoteId: noteId,
      facturaproveedorId: invoiceId,
      paymentamount: '40',
      idempotencyKey: 'uno',
    };
    for (let n = 0; n < 2; n++)
      expect((await browser.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, form)).status).toBe(303);
    expect(await applied()).toBe(4_000);
    expect((await getInvoice(fresh.db, invoiceId)).paidCents).toBe(9_000);
    const list = await readPage(browser.get('/pagos-proveedores'));
    expect(list.facts).toEqual({ 'Total pagado': '$50.00', 'Notas de crédito': '$40.00' });
    expect(list.decodedHtml).toContain('Nota de crédito NC-12');
    expect((await readPage(browser.get('/pagos-proveedores?kind=credito'))).rows).toHaveLength(1);
  });

  it('refuse more than is left, and what names nothing, with the message at its field', async () => {
    const { browser, supplierId, invoiceId, noteId } = await prepare();
    const send = (form: object) =>
      readPage(browser.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, { ...form }));
    const beyond = await send({
      creditNoteId: noteId,
      facturaproveedorId: invoiceId,
      paymentamount: '100.01',
    });
    expect(beyond.status).toBe(422);
    expect(beyond.decodedHtml).toContain(
      'La cantidad no puede ser mayor que lo que queda de la nota de crédito.',
    );
    expect([beyond.value('facturaproveedorId'), beyond.value('paymentamount')]).toEqual([
      String(invoiceId),
      '100.01',
    ]);
    const empty = await send({ creditNoteId: noteId });
    expect(empty.decodedHtml).toContain('Selecciona una factura.');
    expect(empty.decodedHtml).toContain('Indica la cantidad.');
    expect(await applied()).toBe(0);
  });

  it('accept an invoice by its number if there are too many to choose from, and say at the field what is wrong', async () => {
    const { browser, supplierId, invoiceId, noteId } = await prepare();
    const jobId = await addJob(fresh.db);
    await inTransaction(fresh.db, async (trx) => {
      for (let count = 0; count < 500; count++) await addInvoice(trx, { supplierId, jobId });
    });
    const send = (form: object) => browser.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, { ...form });
    const fields = { creditNoteId: noteId, paymentamount: '40' };
    for (const [numfactura, said] of [
      ['', 'Selecciona una factura.'],
      ['Z-9', 'No existe la factura Z-9.'],
    ] as const) {
      const page = await readPage(send({ ...fields, numfactura }));
      expect([page.status, page.errors, page.focusedControlName]).toEqual([422, [said], 'numfactura']);
    }
    expect((await send({ ...fields, numfactura: 'A-1' })).status).toBe(303);
    expect((await getInvoice(fresh.db, invoiceId)).paidCents).toBe(4_000);
  });

  it('show an applied credit read-only, undo it, and restore it', async () => {
    const { browser, supplierId, invoiceId, noteId } = await prepare();
    const form = { creditNoteId: noteId, facturaproveedorId: invoiceId, paymentamount: '40' };
    await browser.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, form);
    const { id } = await fresh.db.selectFrom('payments').select('id').executeTakeFirstOrThrow();
    const shown = await readPage(browser.get(`/editpaymentpage/${id}`));
    expect(shown.decodedHtml).toContain('Nota de crédito NC-12');
    expect(shown.decodedHtml).not.toContain('name="paymentamount"');
    const edited = await browser.form(`/editpaymentpage/${id}`, { paymentamount: '5', version: 1 });
    expect(edited.status).toBe(409);
    expect((await browser.form(`/editsupplierpage/nota-de-credito/${noteId}/eliminar`)).status).toBe(409);
    expect(await (await browser.form(`/editinvoicepage/${invoiceId}/eliminar`)).text()).toContain(
      'tiene una nota de crédito aplicada.',
    );
    await browser.form(`/pagos-proveedores/${id}/eliminar`);
    expect(await applied()).toBe(0);
    await browser.form(`/pagos-proveedores/${id}/deshacer`);
    expect(await applied()).toBe(4_000);
    await browser.form(`/pagos-proveedores/${id}/eliminar`);
    expect(await (await browser.form(`/editsupplierpage/${supplierId}/eliminar`)).text()).toContain(
      'una factura lo usa',
    );
    await browser.form(`/editsupplierpage/nota-de-credito/${noteId}/eliminar`);
    expect(await applied()).toBeUndefined();
  });

  it('have the full saldo again after all payments are deleted', async () => {
    const { browser, actor, supplierId, invoiceId, noteId } = await prepare();
    await browser.form(`/editsupplierpage/${supplierId}/saldo-a-favor`, {
      creditNoteId: noteId,
      facturaproveedorId: invoiceId,
      paymentamount: '40',
    });
    const place = temporaryFolder();
    await backUpAndDeleteAllPayments({ db: fresh.db, config: { dataFolder: place.folder } }, actor);
    place.remove();
    expect(await applied()).toBe(0);
    expect((await getInvoice(fresh.db, invoiceId)).paidCents).toBe(0);
  });
});
