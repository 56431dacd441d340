import { sql } from 'kysely';
import { beforeEach, expect, it } from 'vitest';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { dismissDoublePayment } from '../../../../server/services/payments/double-payments.ts';
import { readPaymentsDeletedByUser } from '../../../../server/services/payments/reading.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { paymentTexts } from '../../../../shared/payments.ts';
import { exportPath, pages } from '../../../../shared/urls.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { addBatch } from '../../../support/batches.ts';
import { readCsv } from '../../../support/csv.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';

import {
  addActor,
  addCreditNote,
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addRubro,
  addSupplier,
} from '../../../support/rows.ts';

/** More than a day after NOW. */
const LATER = '2026-11-22T00:00:00.000Z';

describeOneDatabase('the screens of payments', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const payments = () => fresh.db.selectFrom('payments').selectAll().orderBy('id').execute();
  const paidOf = async (id: number) => (await getInvoice(fresh.db, id)).paidCents;
  const addPaid = async (amountCents = 16_000, more: { checknum?: string } = {}) => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const invoiceId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const id = await addPayment(fresh.db, { facturaproveedorId: invoiceId, amountCents, userId, ...more });
    return { id, invoiceId, supplierId };
  };

  it('say what an empty list is for, and offer to remove the filter of an empty search', async () => {
    const nothing = await readPage(browser.get('/pagos-proveedores'));
    expect(nothing.decodedHtml).toContain('<h1>Pagos realizados</h1>');
    expect(nothing.decodedHtml).toContain('Todavía no hay pagos');
    expect(nothing.links('Nuevo pago')).toContain('/new-payment');
    const none = await readPage(browser.get('/pagos-proveedores?checknum=zzz'));
    expect(none.decodedHtml).toContain('Ningún pago con este filtro');
    expect(none.links('Quitar filtros')).toEqual(['/pagos-proveedores']);
  });

  it('mark each payment that may be double in its row and on its page, and say that a credit moves no money', async () => {
    const { db } = fresh;
    await changeSetting(db, await addActor(db, { roles: [3] }), 'idioma', 'es');
    const first = await addPaid(11_600);
    const { userId } = await addActor(db);
    const pay = async (part: object, more: object = {}) =>
      addPayment(db, {
        facturaproveedorId: await addInvoice(db, part),
        amountCents: 11_600,
        userId,
        ...more,
      });
    const second = await pay({ supplierId: first.supplierId, numfactura: 'A-7' });
    const other = await pay({ numfactura: 'B-1' }, { paymentdate: '2026-11-19' });
    const creditNoteId = await addCreditNote(db, { supplierId: first.supplierId, userId });
    await pay({ supplierId: first.supplierId }, { kind: 'credito', creditNoteId, amountCents: 100 });
    const pair = `${first.id}-${second}`;
    const list = async (query = '') =>
      (await readPage(browser.get(`/pagos-proveedores${query}`))).decodedHtml;
    const html = await list();
    expect(html.match(/<a class="chip danger" href="[^"]*">/g)).toEqual(
      Array(2).fill(`<a class="chip danger" href="/pagos-dobles/${pair}">`),
    );
    // On a card the note's number says it, without a label.
    expect(html).toMatch(/data-label=""><span class="roomy">Nota de crédito</);
    expect(html).not.toContain('Pagado con');
    const warned = async (id: number) =>
      (await readPage(browser.get(pages.editPayment(id)))).links('Comparar los dos');
    expect([await warned(first.id), await warned(second)]).toEqual(
      Array(2).fill([pages.doublePayment(pair)]),
    );
    expect(await warned(other)).toEqual([]);
    await dismissDoublePayment(db, { ...(await addActor(db)), motivo: 'Son dos entregas' }, pair);
    expect(await list()).not.toContain('chip danger');
    expect(await warned(second)).toEqual([]);
  });

  it('filter by the supplier and obra of the paid invoice, chosen or typed by name', async () => {
    const { userId } = await addActor(fresh.db);
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Torre Reforma' });
    for (const [part, amountCents] of [
      [{ supplierId, jobId }, 100],
      [{ supplierId }, 200],
      [{ jobId }, 400],
    ] as const)
      await addPayment(fresh.db, {
        facturaproveedorId: await addInvoice(fresh.db, part),
        amountCents,
        userId,
      });
    const list = (query: string) => readPage(browser.get(`/pagos-proveedores?${query}`));
    expect((await list(`supplierId=${supplierId}`)).facts).toEqual({ 'Total pagado': '$3.00' });
    expect((await list(`jobId=${jobId}`)).facts).toEqual({ 'Total pagado': '$5.00' });
    const both = await list(`suppliername=aceros+tepeyac&jobId=${jobId}`);
    expect(both.facts).toEqual({ 'Total pagado': '$1.00' });
    expect(both.decodedHtml).toContain('Torre Reforma');
    const unknown = await browser.get('/pagos-proveedores?suppliername=Nadie');
    expect(unknown.status).toBe(422);
    const file = browser.get(`${exportPath(pages.payments, 'csv')}?supplierId=${supplierId}`);
    expect((await readCsv(file)).rows).toHaveLength(2);
  });

  it('filter by a source of funds, or by none, in rows, total, files and API alike', async () => {
    const { db } = fresh;
    const { userId } = await addActor(db);
    const facturaproveedorId = await addInvoice(db, { subtotalCents: 1_000_000 });
    const bank = await addFundingSource(db, { origenderecursonombre: 'Banco 1234' });
    for (const [origenderecursoId, amountCents, paymentdate] of [
      [bank, 100, '2026-11-02'],
      [bank, 200, '2026-10-02'],
      [await addFundingSource(db), 400, '2026-11-02'],
      [null, 800, '2026-11-02'],
    ] as const)
      await addPayment(db, { facturaproveedorId, amountCents, userId, origenderecursoId, paymentdate });
    const list = async (query: string) => {
      const { rows, facts } = await readPage(browser.get(`/pagos-proveedores?${query}`));
      return [rows.length, facts['Total pagado']];
    };
    expect(await list(`origenderecursoId=${bank}`)).toEqual([2, '$3.00']);
    expect(await list(`origenderecursoId=${bank}&paymentdateDesde=2026-11-01`)).toEqual([1, '$1.00']);
    expect(await list(`origenderecursoId=${bank}&kind=pago`)).toEqual([2, '$3.00']);
    expect(await list('origenderecursonombre=banco+1234')).toEqual([2, '$3.00']);
    expect(await list('origenderecursoId=0')).toEqual([1, '$8.00']);
    const file = browser.get(`${exportPath(pages.payments, 'csv')}?origenderecursoId=${bank}`);
    expect((await readCsv(file)).rows).toHaveLength(2);
    const found = await browser.get(`/api/payments/search/?origenderecursoId=${bank}`);
    expect(await found.json()).toHaveLength(2);
  });

  it('show in a row the payment and its invoice, with links to both', async () => {
    const { id, invoiceId } = await addPaid(16_000, { checknum: 'CH-7' });
    const { jobtitle } = await fresh.db.selectFrom('jobs').select('jobtitle').executeTakeFirstOrThrow();
    await fresh.db
      .updateTable('payments')
      .set({ origenderecursoId: await addFundingSource(fresh.db, { origenderecursonombre: 'Banco 1234' }) })
      .execute();
    const page = await readPage(browser.get('/pagos-proveedores'));
    expect(page.rows).toEqual([
      [
        String(id),
        'CH-7',
        String(invoiceId),
        'A-1',
        'Aceros Tepeyac',
        jobtitle,
        '$160.00',
        '',
        'Fri, 20 Nov 2026',
        'Banco 1234',
        '',
        '',
      ],
    ]);
    expect(page.links(`Editar el pago ${id}`)).toEqual([`/editpaymentpage/${id}`]);
    expect(page.links('A-1')).toEqual([`/editinvoicepage/${invoiceId}`]);
    expect(page.links('Fecha de pago')).toEqual(['/pagos-proveedores?sortfield=paymentdate']);
  });

  it('free the amount of a deleted payment, which can be restored, once, without a script', async () => {
    const { id, invoiceId } = await addPaid();
    const [list, undo] = ['/pagos-proveedores?sortfield=paymentdate', `/pagos-proveedores/${id}/deshacer`];
    // The list links to the confirmation, which leads back to the list.
    const listed = await readPage(browser.get(list));
    expect(listed.decodedHtml).not.toContain(`action="/pagos-proveedores/${id}/eliminar"`);
    const [asking] = listed.links(`Eliminar el pago ${id}`);
    const question = await readPage(browser.get(asking!));
    expect(question.decodedHtml).toMatch(
      /<details[^>]* open[^>]*>.*¿Eliminar el pago de \$160.00 a la factura A-1/s,
    );
    expect(question.value('next')).toBe(list);
    const plain = await readPage(browser.get(`/editpaymentpage/${id}`));
    expect([
      plain.decodedHtml.includes('¿Eliminar el pago'),
      /<details[^>]* open/.test(plain.decodedHtml),
    ]).toEqual([true, false]);
    expect((await readPage(browser.get('/notificaciones'))).decodedHtml).not.toContain(
      'Pagos que eliminaste',
    );
    const deleted = await browser.form(`/pagos-proveedores/${id}/eliminar`, { next: list });
    expect([deleted.headers.get('location'), await paidOf(invoiceId)]).toEqual([list, 0]);
    const page = await readPage(browser.follow(deleted));
    expect(page.decodedHtml).toMatch(
      new RegExp(`<form[^>]*action="${undo}"[^>]*method="post".*Deshacer`, 's'),
    );
    // For a day, the user who deleted it can restore it from Notificaciones.
    const remembered = await readPage(browser.get('/notificaciones'));
    expect(remembered.decodedHtml).toMatch(
      new RegExp(`Pagos que eliminaste.*<form[^>]*action="${undo}"`, 's'),
    );
    expect(await readPaymentsDeletedByUser(fresh.db, browser.user.id, LATER)).toEqual([]);
    const another = await createTestApp({ db: fresh.db }).as([1, 3]);
    expect((await readPage(another.get('/notificaciones'))).decodedHtml).not.toContain(
      'Pagos que eliminaste',
    );
    const undone = await browser.form(undo, { returnTo: page.value('returnTo')! });
    expect([undone.headers.get('location'), await paidOf(invoiceId)]).toEqual([list, 16_000]);
    expect((await readPage(browser.follow(undone))).alerts).toEqual(['success: Se recuperó el pago.']);
    const twice = await readPage(browser.form(undo));
    expect([twice.status, twice.alerts]).toEqual([409, [`error: El pago ${id} no está eliminado.`]]);
    const away = await browser.form(`/pagos-proveedores/${id}/eliminar`, { next: 'https://otro.mx/' });
    expect(away.headers.get('location')).toBe('/pagos-proveedores');
  });

  it('fill in, from the pay link, the invoice with its figures, and today as the date', async () => {
    const supplierId = await addSupplier(fresh.db, {
      suppliername: 'Aceros Tepeyac',
      rfc: 'ATE010203AB1',
    });
    const jobId = await addJob(fresh.db, { jobtitle: 'Nave Lerma' });
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    const id = await addInvoice(fresh.db, { supplierId, jobId, rubroId, numfactura: 'A-1' });
    const page = await readPage(browser.get(`/new-payment?facturaproveedorId=${id}`));
    expect(page.decodedHtml).toContain('<h1>Nuevo pago</h1>');
    expect(page.value('facturaproveedorId')).toBe(String(id));
    expect(page.facts).toEqual({
      Proveedor: 'Aceros Tepeyac',
      RFC: 'ATE010203AB1',
      Obra: 'Nave Lerma',
      Rubro: 'Acero',
      'Se paga a': 'Sin cuenta',
      Vencimiento: 'Vence hoy (estimado)',
    });
    expect(['total', 'totalamountpaid', 'pending', 'rest'].map(page.value)).toEqual([
      '$1,160.00',
      '$0.00',
      '$1,160.00',
      '$0.00',
    ]);
    expect(page.value('paymentdate')).toBe('2026-11-20');
    expect(page.decodedHtml).toContain('Pagar todo');
    expect(page.value('paymentamount')).toBe('1,160.00');
    expect(page.decodedHtml).toContain('Propuesta: todo lo que se debe.');
    const posted = { facturaproveedorId: id, paymentamount: page.value('paymentamount') };
    expect((await browser.form('/new-payment', posted)).status, 'without script').toBe(303);
    const paid = await readPage(browser.get(`/new-payment?facturaproveedorId=${id}`));
    expect(paid.value('paymentamount')).toBe('');
    const unknown = await readPage(browser.get('/new-payment?facturaproveedorId=99'));
    expect([unknown.status, unknown.alerts]).toEqual([404, ['error: No existe la factura 99.']]);
  });

  it('let an invoice be chosen without a script from the open ones, or by number, and a button loads its figures', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const invoiceId = await addInvoice(fresh.db, { supplierId, numfactura: 'A-1' });
    const page = await readPage(browser.get('/new-payment'));
    expect(page.decodedHtml).toMatch(
      /<noscript><select[^>]*name="facturaproveedorId".*A-1 · Aceros Tepeyac · \$1,160\.00/s,
    );
    expect(page.decodedHtml).toMatch(/<noscript><button[^>]*name="load"[^>]*>Cargar datos de la factura/);
    const loaded = await readPage(
      browser.form('/new-payment', { load: '1', numfactura: 'a1', paymentamount: '12', comments: 'nota' }),
    );
    expect([loaded.status, loaded.value('facturaproveedorId'), loaded.value('pending')]).toEqual([
      200,
      String(invoiceId),
      '$1,160.00',
    ]);
    expect([loaded.value('paymentamount'), loaded.value('comments')]).toEqual(['12', 'nota']);
    expect(await payments()).toEqual([]);
    const saved = await browser.form('/new-payment', { numfactura: 'A 1', paymentamount: '12' });
    expect((await readPage(browser.follow(saved))).alerts).toEqual(['success: Se registró el pago.']);
    await addInvoice(fresh.db, { numfactura: 'A-1' });
    const several = await readPage(browser.form('/new-payment', { numfactura: 'A-1', paymentamount: '12' }));
    expect(several.status).toBe(422);
    expect(several.alerts[0]).toContain(`Hay varias facturas A-1: #${invoiceId} (Aceros Tepeyac)`);
    const byId = { numfactura: `#${invoiceId}`, paymentamount: '12' };
    const twice = await readPage(browser.follow(await browser.form('/new-payment', byId)));
    const [first] = await payments();
    expect(twice.alerts[1]).toContain(`warning: Es igual al pago ${first?.id}: `);
    expect(twice.links('Ver ese pago')).toEqual([`/editpaymentpage/${first?.id}`]);
    const unknown = await readPage(browser.form('/new-payment', { numfactura: 'Z', paymentamount: '1' }));
    expect([unknown.status, unknown.errors]).toEqual([422, ['No existe la factura Z.']]);
  });

  it('take no figure of one currency for another’s where the invoice changes without a script', async () => {
    const amounts = { tasa: 0, ivaCents: 0, subtotalCents: 2_000_000, totalCents: 2_000_000 };
    const [dollars, euros, pesos] = await Promise.all(
      [{ moneda: 'USD', tipocambio: '20' }, { moneda: 'EUR', tipocambio: '25' }, {}].map((currency) =>
        addInvoice(fresh.db, { ...amounts, ...currency }),
      ),
    );
    const proposed = await readPage(browser.get(`/new-payment?facturaproveedorId=${dollars}`));
    const name = (page: typeof proposed, part: object) => ({
      ...Object.fromEntries(
        ['idempotencyKey', 'version', 'moneda', 'importemoneda'].map((field) => [field, page.value(field)!]),
      ),
      ...part,
    });
    expect(proposed.value('importemoneda')).toBe('1,000.00');
    const asked = async (address: string, form: object) => {
      const page = await readPage(browser.form(address, form as Record<string, string>));
      return [page.status, page.value('importemoneda'), page.value('moneda'), page.errors] as const;
    };
    const isIn = paymentTexts.otherCurrency('EUR', 'USD');
    const toEuros = name(proposed, { facturaproveedorId: euros });
    expect(await asked('/new-payment', toEuros)).toEqual([422, '', 'EUR', [isIn]]);
    expect(await asked('/new-payment', { ...toEuros, load: '1' })).toEqual([200, '', 'EUR', []]);
    const toPesos = name(proposed, { facturaproveedorId: pesos });
    expect(await asked('/new-payment', toPesos)).toEqual([422, '', '', [paymentTexts.notForeign]]);
    expect(await payments()).toEqual([]);
    const saved = await browser.form('/new-payment', name(proposed, { facturaproveedorId: dollars }));
    expect(saved.status).toBe(303);
    const [payment] = await payments();
    const edited = `/editpaymentpage/${payment?.id}`;
    const form = name(await readPage(browser.get(edited)), { facturaproveedorId: euros });
    expect(await asked(edited, form)).toEqual([422, '', 'EUR', [isIn]]);
    // The amount counts as euros if the form asked for euros.
    const moved = await browser.form(edited, { ...form, moneda: 'EUR', importemoneda: '800' });
    expect(moved.status).toBe(303);
    expect(await payments()).toMatchObject([
      { facturaproveedorId: euros, importemonedaCents: 80_000, amountCents: 2_000_000 },
    ]);
  });

  it('show when an edited payment was captured, let it use its own previous amount, and save it', async () => {
    const { id, invoiceId } = await addPaid(100_000);
    // In UTC it is already Saturday.
    await sql`UPDATE payments SET ${sql.ref('createdAt')} = '2026-11-21T04:00:00.000Z'`.execute(fresh.db);
    const page = await readPage(browser.get(`/editpaymentpage/${id}`));
    expect(page.decodedHtml).toContain('Creado: Fri, 20 Nov 2026');
    expect(page.decodedHtml).toContain('El total pendiente ya incluye este pago.');
    expect(['paymentamount', 'pending', 'rest'].map(page.value)).toEqual(['1,000.00', '$160.00', '$160.00']);
    const posted = { facturaproveedorId: invoiceId, version: page.value('version') };
    const much = await readPage(
      browser.form(`/editpaymentpage/${id}`, { ...posted, paymentamount: '1160.01' }),
    );
    expect([much.status, much.alerts, much.value('rest')]).toEqual([
      422,
      ['error: El total pagado no puede ser mayor que el total de la factura.'],
      '–',
    ]);
    const none = await readPage(browser.form(`/editpaymentpage/${id}`, { ...posted, paymentamount: '' }));
    expect([none.status, none.focusedControlName]).toEqual([422, 'paymentamount']);
    const unnamed = { numfactura: '', paymentamount: '10', version: posted.version };
    const emptied = await readPage(browser.form(`/editpaymentpage/${id}`, unnamed));
    expect([emptied.status, emptied.errors], 'a number emptied without script').toEqual([
      422,
      ['Escribe la factura.'],
    ]);
    const answer = await browser.form(`/editpaymentpage/${id}`, { ...posted, paymentamount: '1160' });
    expect((await readPage(browser.follow(answer))).alerts).toEqual(['success: Se actualizó el pago.']);
    expect(await paidOf(invoiceId)).toBe(116_000);
    const whole = await readPage(browser.get(`/editpaymentpage/${id}`));
    expect([page.decodedHtml, whole.decodedHtml].map((html) => html.includes('Pagar todo'))).toEqual([
      true,
      false,
    ]);
    expect(whole.links(/^Ver la factura/)).toEqual([`/editinvoicepage/${invoiceId}`]);
    expect((await browser.get('/editpaymentpage/99')).status).toBe(404);
  });

  it('pay, separately, what was sent to the bank only after a box is ticked and a reason written', async () => {
    const { id, invoiceId } = await addPaid();
    const { id: batchId } = await addBatch(fresh.db, { estado: 'enviada', invoiceIds: [invoiceId] });
    const says = `error: La factura A-1 está en la programación ${batchId}, enviada al banco el viernes 20 de noviembre de 2026. Ver la programación`;
    const fields = { facturaproveedorId: invoiceId, paymentamount: '10' };
    const allowed = { allowProgrammed: 'on', motivo: 'Urgía' };
    const check = /<input[^>]*name="allowProgrammed"[^>]*>/;
    expect((await readPage(browser.get('/new-payment'))).decodedHtml).not.toMatch(check);
    for (const [address, form] of [
      ['/new-payment', fields],
      [`/editpaymentpage/${id}`, { paymentamount: '170' }],
      [`/pagos-proveedores/${id}/deshacer`, {}],
    ] as const) {
      if (address.endsWith('deshacer')) await browser.form(`/pagos-proveedores/${id}/eliminar`);
      const page = await readPage(browser.form(address, form));
      expect([page.status, page.alerts.at(-1)]).toEqual([409, says]);
      expect(page.links('Ver la programación')).toEqual([`/programaciones/${batchId}`]);
      expect(page.decodedHtml).toMatch(check);
      expect(page.value('motivo')).toBe('');
      for (const half of [{ allowProgrammed: 'on', motivo: '' }, { motivo: 'Urgía' }])
        expect((await browser.form(address, { ...form, ...half })).status).toBe(409);
      expect((await browser.form(address, { ...form, ...allowed })).status).toBe(303);
    }
    expect(await paidOf(invoiceId)).toBe(18_000);
  });
});
