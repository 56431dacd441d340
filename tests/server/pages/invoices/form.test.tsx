import { beforeEach, expect, it } from 'vitest';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addInvoice, addJob, addPayment, addRubro, addSupplier, addUser } from '../../../support/rows.ts';
import { sentBack, typedInvoice } from './typing.ts';

describeOneDatabase('the form of an invoice', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const count = async () => (await fresh.db.selectFrom('invoices').select('id').execute()).length;
  const stored = async () => {
    const newest = fresh.db.selectFrom('invoices').select('id').orderBy('id', 'desc');
    return getInvoice(fresh.db, (await newest.executeTakeFirstOrThrow()).id);
  };
  const typed = (more?: Record<string, string>) => typedInvoice(fresh.db, more);

  it('shows the contract at once only if the firm has used one on an invoice', async () => {
    const isHidden = async () =>
      (await readPage(browser.get('/new-invoice'))).decodedHtml.includes(
        'Contrato u orden de compra</summary>',
      );
    expect(await isHidden()).toBe(true);
    expect((await browser.form('/new-invoice', await typed({ contrato: 'OC-7' }))).status).toBe(303);
    expect((await stored()).contrato).toBe('OC-7');
    expect(await isHidden()).toBe(false);
  });

  it('says next to each amount why it cannot be computed, and shows the total of the others', async () => {
    const page = await readPage(
      browser.form(
        '/new-invoice',
        await typed({ subtotal: '100/0', otrosimpuestos: '5-10', retenciones: '2*(', tasa: '16*10' }),
      ),
    );
    expect(page.status).toBe(422);
    expect(page.errors).toEqual([
      'Subtotal: no se puede dividir entre cero.',
      'Tasa: debe estar entre 0 y 100.',
      'Otros impuestos: el resultado es negativo.',
      'Retenciones: la operación no se entiende.',
    ]);
    expect([page.value('subtotal'), page.focusedControlName]).toEqual(['100/0', 'subtotal']);
    const rate = await readPage(browser.form('/new-invoice', await typed({ subtotal: '10*10', tasa: '' })));
    expect([rate.errors, rate.value('subtotal'), rate.value('total')]).toEqual([
      ['Indica la tasa de IVA.'],
      '10*10',
      '–',
    ]);
    expect(await count()).toBe(0);
  });

  it('computes expressions in the amounts, also without a script, but not for programs', async () => {
    const fields = await typed({ subtotal: '=1,200*3 + $50', tasa: '8+8', retenciones: '(100 - 40) / 3' });
    expect((await browser.form('/new-invoice', fields)).status).toBe(303);
    const computed = { subtotalCents: 365_000, tasa: 160_000, retencionesCents: 2_000, totalCents: 421_400 };
    expect(await stored()).toMatchObject(computed);
    const { supplierId, jobId } = fields;
    const sent = { supplierId: Number(supplierId), jobId: Number(jobId), subtotal: '10*2' };
    const answer = await browser.post('/api/facturaproveedores/newfacturaproveedor', sent);
    expect([answer.status, (await answer.json()).message]).toEqual([400, 'Subtotal: no es una cantidad.']);
  });

  it('takes an emptied tax or retention as none, not as unchanged', async () => {
    const fields = await typed({ otrosimpuestos: '12', retenciones: '5' });
    await browser.form('/new-invoice', fields);
    const { id } = await stored();
    const emptied = { ...fields, otrosimpuestos: '', retenciones: ' ', version: '1' };
    expect((await browser.form(`/editinvoicepage/${id}`, emptied)).status).toBe(303);
    expect(await stored()).toMatchObject({
      otrosimpuestosCents: 0,
      retencionesCents: 0,
      totalCents: 116_000,
    });
  });

  it('reports all problems at once: what is missing first, then the message of each field', async () => {
    const page = await readPage(
      browser.form(
        '/new-invoice',
        await typed({ supplierId: '', subtotal: 'abc', fechaemision: '2026-02-30', retenciones: '-5' }),
      ),
    );
    expect([page.status, page.alerts]).toEqual([422, ['error: Ingrese proveedor, obra y subtotal.']]);
    expect(page.errors).toEqual([
      'Escribe el proveedor.',
      'Fecha de emisión: no es una fecha (AAAA-MM-DD).',
      'Subtotal: no es una cantidad.',
      'Las retenciones no pueden ser negativas.',
    ]);
    expect(page.value('fechaemision')).toBe('2026-02-30');
    expect(page.decodedHtml).not.toMatch(/<input[^>]*name="fechaemision"[^>]*type="date"/);
    const date = await readPage(browser.form('/new-invoice', await typed({ fecharecepcion: 'ayer' })));
    expect([date.status, date.alerts, date.focusedControlName]).toEqual([
      400,
      ['error: Fecha de recepción: no es una fecha (AAAA-MM-DD).'],
      'fecharecepcion',
    ]);
    const negative = await readPage(browser.form('/new-invoice', await typed({ subtotal: '-5' })));
    expect(negative.alerts).toEqual(['error: El subtotal debe ser mayor que cero.']);
    const nothing = await readPage(browser.form('/new-invoice', await typed({ subtotal: '0' })));
    expect([nothing.alerts, nothing.errors]).toEqual([
      ['error: Ingrese proveedor, obra y subtotal.'],
      ['Debe ser mayor que cero.'],
    ]);
  });

  it('starts with the supplier, or with the number if supplier and job are given', async () => {
    expect((await readPage(browser.get('/new-invoice'))).focusedControlName).toBe('Proveedor');
    const { supplierId, jobId } = await typed();
    const given = await readPage(browser.get(`/new-invoice?supplierId=${supplierId}&jobId=${jobId}`));
    expect(given.focusedControlName).toBe('numfactura');
    const id = await addInvoice(fresh.db);
    expect((await readPage(browser.get(`/editinvoicepage/${id}`))).focusedControlName).toBeUndefined();
  });

  it('proposes the usual obra of a given supplier, also without a script, and guesses none', async () => {
    const { supplierId, jobId } = await typed();
    const address = `/new-invoice?supplierId=${supplierId}`;
    const proposals = (html: string) =>
      html.match(/class="hint proposal">Propuesta, por sus tres/g)?.length ?? 0;
    const unknown = await readPage(browser.get(address));
    expect([unknown.value('jobId'), proposals(unknown.decodedHtml)]).toEqual(['', 0]);
    const parts = { supplierId: Number(supplierId), jobId: Number(jobId) };
    for (const numfactura of ['U-1', 'U-2', 'U-3']) await addInvoice(fresh.db, { ...parts, numfactura });
    const page = await readPage(browser.get(address));
    expect([page.value('jobId'), page.value('rubroId'), proposals(page.decodedHtml)]).toEqual([jobId, '', 1]);
    expect(page.decodedHtml).toMatch(/<option value="\d+" selected="">Torre Reforma/);
    const other = String(await addJob(fresh.db));
    const given = await readPage(browser.get(`${address}&jobId=${other}`));
    expect([given.value('jobId'), proposals(given.decodedHtml)]).toEqual([other, 0]);
  });

  it('shows an edited invoice like a document: what is owed, its CFDI, and its parties only in its fields', async () => {
    const { supplierId, jobId } = await typed();
    const id = await addInvoice(fresh.db, {
      supplierId: Number(supplierId),
      jobId: Number(jobId),
      uuid: '6D7434A6-E3F2-47AD-9E4C-08849946AFA0',
    });
    await fresh.db.updateTable('invoices').set({ metodopago: 'PPD' }).where('id', '=', id).execute();
    const { id: userId } = await addUser(fresh.db);
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 16_000, userId });
    const page = await readPage(browser.get(`/editinvoicepage/${id}`));
    expect(page.facts).toMatchObject({
      Pendiente: '$1,000.00',
      Total: '$1,160.00',
      Pagado: '$160.00',
      'UUID del CFDI': '6D7434A6-E3F2-47AD-9E4C-08849946AFA0',
      'Método de pago': 'PPD, en parcialidades o diferido',
      REP: '1 sin REP',
    });
    expect(page.decodedHtml).toContain('<progress max="116000" value="16000"');
    expect(page.links('Pagar')).toEqual([`/new-payment?facturaproveedorId=${id}`]);
    expect(page.links('Ver proveedor')).toEqual([`/editsupplierpage/${supplierId}`]);
    expect(page.links('Facturas de la obra')).toEqual([`/invoices?jobId=${jobId}`]);
    expect(page.links('Concretos del Norte')).toEqual([]);
  });

  it('saves with “Guardar y nueva” and continues with the same supplier, job, rubro and day of reception', async () => {
    const rubroId = String(await addRubro(fresh.db, { nombrerubro: 'Acero' }));
    const fields = { ...(await typed({ rubroId })), idempotencyKey: 'k-1' };
    const answer = await browser.form('/new-invoice', { ...fields, another: '1' });
    expect(answer.status).toBe(303);
    const next = await readPage(browser.follow(answer));
    expect(next.alerts).toEqual(['success: Se guardó la factura A-1.']);
    expect(['supplierId', 'jobId', 'rubroId', 'fecharecepcion', 'numfactura'].map(next.value)).toEqual([
      fields.supplierId,
      fields.jobId,
      rubroId,
      '2026-11-20',
      '',
    ]);
    expect(next.value('fechavencimiento')).toBe('');
    expect(next.decodedHtml).toContain('Vence el dom 20 dic 2026: 30 días de crédito.');
    expect([next.focusedControlName, next.value('idempotencyKey') === 'k-1']).toEqual(['numfactura', false]);
    // the same form posted by its other button, as a double click may do
    expect((await browser.form('/new-invoice', fields)).status).toBe(303);
    expect(await count()).toBe(1);
  });

  it('fills in with “Repetir …” what the user’s own last invoice was for, and neither keeps nor stores anything else', async () => {
    const repeat = /Repetir proveedor, obra y rubro de la última/;
    expect((await readPage(browser.get('/new-invoice'))).decodedHtml).not.toMatch(repeat);
    const userId = browser.user.id;
    const [supplierId, jobId] = [await addSupplier(fresh.db), await addJob(fresh.db)];
    const rubroId = await addRubro(fresh.db);
    await addInvoice(fresh.db, { supplierId, jobId, rubroId, userId });
    const others = await addInvoice(fresh.db);
    const page = await readPage(browser.get('/new-invoice'));
    expect(page.decodedHtml).toMatch(repeat);
    const filled = await readPage(
      browser.form('/new-invoice', {
        repeat: '1',
        idempotencyKey: page.value('idempotencyKey'),
        numfactura: 'F-9',
        subtotal: '5*',
        tasa: '8',
      }),
    );
    expect([filled.status, filled.alerts, filled.errors]).toEqual([200, [], []]);
    expect(['supplierId', 'jobId', 'rubroId', 'numfactura', 'subtotal', 'tasa'].map(filled.value)).toEqual([
      String(supplierId),
      String(jobId),
      String(rubroId),
      'F-9',
      '5*',
      '8',
    ]);
    expect(filled.value('idempotencyKey')).toBe(page.value('idempotencyKey'));
    expect([filled.focusedControlName, await count()]).toEqual(['numfactura', 2]);
    // not after thousands of other invoices
    await fresh.db.updateTable('invoices').set({ id: 9_000 }).where('id', '=', others).execute();
    expect((await readPage(browser.get('/new-invoice'))).decodedHtml).not.toMatch(repeat);
  });

  it('saves on Enter: no other button comes first in the form', async () => {
    await browser.form('/new-invoice', await typed());
    const { decodedHtml } = await readPage(browser.get('/new-invoice'));
    const [form = ''] = /<form id="invoice-form".*?<\/form>/s.exec(decodedHtml) ?? [];
    const [first = ''] = form.match(/<button(?![^>]*type="button")[^>]*>/) ?? [];
    expect(form).toContain('name="repeat"');
    expect(first).not.toContain('name=');
  });

  it('leads back to the list with its filter, after saving and after deleting', async () => {
    const returnTo = '/invoices?status=vencida&sortfield=total';
    const created = await browser.form('/new-invoice', { ...(await typed()), returnTo });
    expect(created.headers.get('location')).toBe(returnTo);
    const { id } = await stored();
    const page = await readPage(browser.get(`/editinvoicepage/${id}`));
    expect(page.decodedHtml).toMatch(/<a[^>]*data-back=""[^>]*>Regresar/);
    const saved = await browser.form(`/editinvoicepage/${id}`, { ...sentBack(page), returnTo });
    expect(saved.headers.get('location')).toBe(returnTo);
    const foreign = await browser.form(`/editinvoicepage/${id}`, {
      ...sentBack(page),
      returnTo: '//otro.mx/invoices?a=1',
    });
    expect(foreign.headers.get('location')).toBe('/invoices');
    const deleted = await browser.form(`/editinvoicepage/${id}/eliminar`, { version: 1, returnTo });
    expect(deleted.headers.get('location')).toBe(returnTo);
  });

  it('leaves an empty due date empty, on an edit too, and shows next to it when the invoice is due', async () => {
    await browser.form('/new-invoice', await typed({ fechavencimiento: '2026-11-30' }));
    const { id } = await stored();
    const edit = () => readPage(browser.get(`/editinvoicepage/${id}`));
    const page = await edit();
    expect(page.decodedHtml).not.toContain('Vence el ');
    const save = (more: object) =>
      browser.form(`/editinvoicepage/${id}`, { ...sentBack(page), fechavencimiento: '', ...more });
    await save({ fechaemision: '2026-11-18', fecharecepcion: '' });
    expect(await stored()).toMatchObject({ fechavencimiento: null, vence: '2026-12-18' });
    expect((await edit()).decodedHtml).toContain('Vence el vie 18 dic 2026: 30 días de crédito.');
    await save({ version: 2, fechaemision: '', fecharecepcion: '' });
    expect(await stored()).toMatchObject({ fechavencimiento: null, vence: '2026-11-20' });
    expect((await edit()).decodedHtml).toContain('Vence el vie 20 nov 2026: el día de su captura.');
  });

  it('shows, after somebody else’s save, both values of every field that differs, and both ways to continue', async () => {
    await browser.form('/new-invoice', await typed());
    const { id } = await stored();
    const page = await readPage(browser.get(`/editinvoicepage/${id}`));
    const other = String(await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' }));
    const dates = {
      fechaemision: '2026-11-18',
      fecharecepcion: '2026-11-20',
      fechavencimiento: '2026-12-20',
    };
    await browser.form(`/editinvoicepage/${id}`, {
      ...sentBack(page),
      ...dates,
      supplierId: other,
      tasa: '8',
    });
    const mine = { ...sentBack(page), ...dates, subtotal: '1,000*2', fechaemision: '', retenciones: '0.00' };
    const stale = await readPage(browser.form(`/editinvoicepage/${id}`, mine));
    expect(stale.status).toBe(409);
    expect(stale.rows).toEqual([
      ['Proveedor', 'Aceros Tepeyac', 'Concretos del Norte'],
      ['Fecha de emisión', 'Wed, 18 Nov 2026', '(vacío)'],
      ['Subtotal', '$1,000.00', '$2,000.00'],
      ['Tasa de IVA', '8 %', '16 %'],
      ['Total', '$1,080.00', '$2,320.00'],
    ]);
    expect(stale.decodedHtml).toMatch(/<button[^>]*form="invoice-form"[^>]*>Quedarme con lo mío/);
    expect(stale.links('Cargar lo guardado')).toEqual([`/editinvoicepage/${id}`]);
    const saved = await browser.form(`/editinvoicepage/${id}`, { ...mine, version: stale.value('version') });
    expect([saved.status, (await stored()).totalCents]).toEqual([303, 232_000]);
  });

  it('keeps what was typed, and its own key, after an unexpected failure', async () => {
    const app = createTestApp({ db: fresh.db });
    const browser = await app.as(2);
    const fields = { ...(await typed({ comments: 'Entrega parcial' })), idempotencyKey: 'k-9' };
    await fresh.db.schema.alterTable('idempotency_keys').renameTo('keys_away').execute();
    const page = await readPage(browser.form('/new-invoice', { ...fields, subtotal: '10*3' }));
    await fresh.db.schema.alterTable('keys_away').renameTo('idempotency_keys').execute();
    expect([
      page.status,
      page.value('subtotal'),
      page.value('comments'),
      page.value('idempotencyKey'),
    ]).toEqual([500, '10*3', 'Entrega parcial', 'k-9']);
    expect(page.alerts[0]).toMatch(/Ocurrió un error. Intenta de nuevo. \(id [0-9a-f]{8}\)/);
    expect(await count()).toBe(0);
  });
});
