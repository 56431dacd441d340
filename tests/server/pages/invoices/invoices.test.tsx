import { beforeEach, expect, it } from 'vitest';
import { getInvoice } from '../../../../server/services/invoices/reading.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addPayment, addRubro, addSupplier } from '../../../support/rows.ts';
import { readLastRow } from '../../../support/stored.ts';
import { sentBack, typedInvoice } from './typing.ts';

describeOneDatabase('the screens of invoices', (fresh) => {
  let browser: TestClient;
  beforeEach(async () => {
    browser = await createTestApp({ db: fresh.db }).as(2);
  });
  const count = async () => (await fresh.db.selectFrom('invoices').select('id').execute()).length;
  const stored = async () => {
    const { id } = await readLastRow(fresh.db, 'invoices', {}, ['id']);
    return getInvoice(fresh.db, id);
  };
  const typed = (more?: Record<string, string>) => typedInvoice(fresh.db, more);

  it('say what an empty list is for, and offer to remove the filter of an empty search', async () => {
    const nothing = await readPage(browser.get('/invoices'));
    expect(nothing.decodedHtml).toContain('<h1>Facturas</h1>');
    expect(nothing.decodedHtml).toContain('Todavía no hay facturas');
    expect(nothing.links('Nueva factura')).toContain('/new-invoice');
    expect(nothing.decodedHtml).toMatch(/<a[^>]*data-new/);
    expect(nothing.links('Cargar XML')).toEqual(['/new-invoice/xml']);
    expect(nothing.links(/^Exportar (PDF|Excel)$/)).toEqual(['/invoices/export.pdf']);
    const none = await readPage(browser.get('/invoices?numfactura=zzz'));
    expect(none.decodedHtml).toContain('Ninguna factura con este filtro');
    expect(none.links('Quitar filtros')).toEqual(['/invoices']);
  });

  it('show the totals of the whole filter, not of the fifty rows shown', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(fresh.db);
    const { userId } = await addActor(fresh.db);
    for (let n = 1; n <= 53; n++) await addInvoice(fresh.db, { supplierId, jobId, numfactura: `T-${n}` });
    const other = await addInvoice(fresh.db, { numfactura: 'X-1' });
    await addPayment(fresh.db, { facturaproveedorId: other - 1, amountCents: 16_000, userId });
    const page = await readPage(browser.get(`/invoices?supplierId=${supplierId}`));
    expect(page.rows).toHaveLength(50);
    expect(page.facts).toMatchObject({
      'Total facturas': '$61,480.00',
      'Total pagado': '$160.00',
      'Total pendiente': '$61,320.00',
    });
    expect(page.decodedHtml).toContain('50 de 53 facturas');
    expect(page.decodedHtml).toContain('value="Aceros Tepeyac"');
    const [more] = page.links('Cargar más');
    const rest = await readPage(browser.get(more!, { headers: { 'x-fragment': 'results' } }));
    expect(rest.rows).toHaveLength(3);
    expect(rest.decodedHtml).toContain('>53 facturas<');
    expect(rest.decodedHtml).toMatch(/^<div id="results">/);
    expect(rest.facts['Total facturas']).toBe('$61,480.00');
    expect(rest.links('Cargar más')).toEqual([]);
  });

  it('show in a row what is owed and when, with links to editing and payment', async () => {
    const supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac' });
    const jobId = await addJob(fresh.db, { jobtitle: 'Nave Lerma' });
    const { userId } = await addActor(fresh.db);
    const id = await addInvoice(fresh.db, {
      supplierId,
      jobId,
      numfactura: 'A-1',
      fechavencimiento: '2026-11-25',
    });
    await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 16_000, userId });
    const paid = await addInvoice(fresh.db, { supplierId, jobId, numfactura: 'A-2' });
    await addPayment(fresh.db, { facturaproveedorId: paid, amountCents: 116_000, userId });
    const page = await readPage(browser.get('/invoices'));
    expect(page.rows).toEqual([
      [
        String(id),
        'A-1',
        'Aceros Tepeyac',
        'Nave Lerma',
        '$1,160.00',
        '$160.00',
        '$1,000.00',
        'Wed, 25 Nov 2026',
        'Vence en 5 días (SEM 48)',
        'Pagar',
      ],
      [
        String(paid),
        'A-2',
        'Aceros Tepeyac',
        'Nave Lerma',
        '$1,160.00',
        '$1,160.00',
        '$0.00',
        // Without a stated due day, the day of capture counts, marked as estimated.
        'Fri, 20 Nov 2026*',
        'Pagada',
        '',
      ],
    ]);
    expect(page.links('Editar A-1')).toEqual([`/editinvoicepage/${id}`]);
    expect(page.links(/^Pagar/)).toEqual([`/new-payment?facturaproveedorId=${id}`]);
  });

  it('sort by headings, keep the filter in the address, and show a bad one in a dialog that closes', async () => {
    await addInvoice(fresh.db, { numfactura: 'A-1', subtotalCents: 500, fechavencimiento: '2026-12-01' });
    await addInvoice(fresh.db, { numfactura: 'A-2', subtotalCents: 200, fechavencimiento: '2026-11-01' });
    const page = await readPage(browser.get('/invoices?numfactura=a&sortfield=total'));
    expect(page.rows.map(([, number]) => number)).toEqual(['A-2', 'A-1']);
    expect(page.links('Total')).toEqual(['/invoices?numfactura=a&sortfield=total&sorttype=DESC']);
    expect(page.links('Vencimiento')).toEqual(['/invoices?numfactura=a&sortfield=fechavencimiento']);
    const late = await readPage(browser.get('/invoices?status=vencida'));
    expect(late.rows.map(([, number]) => number)).toEqual(['A-2']);
    const bad = await readPage(browser.get('/invoices?fechaemisionDesde=ayer'));
    expect(bad.status).toBe(400);
    expect(bad.decodedHtml).toMatch(/<dialog open.*Error!.*Cerrar/s);
    const fragment = await browser.get('/invoices?fechaemisionDesde=ayer', {
      headers: { 'x-fragment': 'results' },
    });
    expect((await fragment.json()).message).toContain('no es una fecha');
    expect((await browser.get('/invoices?utm_source=correo')).status).toBe(200);
  });

  it('store a new invoice with its IVA, its due date by the supplier’s credit days, and its message', async () => {
    const form = await readPage(browser.get('/new-invoice'));
    expect(form.decodedHtml).toContain('<h1>Nueva factura</h1>');
    expect(form.value('tasa')).toBe('16');
    const answer = await browser.form('/new-invoice', {
      ...(await typed()),
      idempotencyKey: form.value('idempotencyKey'),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toBe('/invoices');
    expect((await readPage(browser.follow(answer))).alerts).toEqual(['success: Se guardó la factura A-1.']);
    expect(await stored()).toMatchObject({
      subtotalCents: 100_000,
      ivaCents: 16_000,
      totalCents: 116_000,
      fechavencimiento: null,
      vence: '2026-12-20',
    });
    expect((await readPage(browser.get('/invoices'))).alerts).toEqual([]);
  });

  it('store one invoice for a form that is posted twice; with other data they say so and start again', async () => {
    const fields = { ...(await typed()), idempotencyKey: 'doble-clic' };
    const [one, two] = [
      await browser.form('/new-invoice', fields),
      await browser.form('/new-invoice', fields),
    ];
    expect([one.status, two.status, await count()]).toEqual([303, 303, 1]);
    await browser.follow(two);
    const other = await readPage(browser.form('/new-invoice', { ...fields, numfactura: 'A-2' }));
    expect(other.status).toBe(409);
    expect(other.alerts).toEqual([
      'error: Este formulario ya se guardó con otros datos. Si es otra factura, guarda de nuevo.',
    ]);
    expect(other.value('idempotencyKey')).not.toBe('doble-clic');
  });

  it('ask about a number that the supplier has used, link its invoice, and can save the new one all the same', async () => {
    const fields = await typed();
    const existing = await addInvoice(fresh.db, { supplierId: Number(fields.supplierId), numfactura: 'a 1' });
    const refused = await readPage(browser.form('/new-invoice', fields));
    expect(refused.status).toBe(409);
    expect(refused.alerts).toEqual([
      'error: Ya existe la factura A-1 de Concretos del Norte. Ver esa factura',
    ]);
    expect(refused.links('Ver esa factura')).toEqual([`/editinvoicepage/${existing}`]);
    // in a new tab, since browsers do not lead back to a posted form without asking
    expect(refused.decodedHtml).toMatch(/<a href="[^"]*" target="_blank" rel="noopener">Ver esa factura/);
    expect(refused.decodedHtml).toMatch(/name="allowDuplicate"\/?>Guardar de todos modos/);
    expect([refused.focusedControlName, refused.errors]).toEqual([
      'allowDuplicate',
      ['Este número ya existe.'],
    ]);
    expect((await browser.form('/new-invoice', { ...fields, allowDuplicate: 'on' })).status).toBe(303);
    expect(await count()).toBe(2);
  });

  it('store an invoice that looks like another with a warning that leads to it', async () => {
    const fields = await typed();
    await browser.form('/new-invoice', fields);
    const { id } = await stored();
    const answer = await browser.form('/new-invoice', { ...fields, numfactura: 'B-9' });
    const page = await readPage(browser.follow(answer));
    expect(page.alerts).toEqual([
      'success: Se guardó la factura B-9.',
      'warning: Se parece a la factura A-1 del miércoles 18 de noviembre de 2026: mismo proveedor y total. Ver esa factura',
    ]);
    expect(page.links('Ver esa factura')).toEqual([`/editinvoicepage/${id}`]);
  });

  it('show a picker without a script as a select with a link to create a missing row, and match its name on the server', async () => {
    const { supplierId: _supplier, ...fields } = await typed();
    const { decodedHtml } = await readPage(browser.get('/new-invoice'));
    expect(decodedHtml).toMatch(/<noscript><select[^>]*name="supplierId"[^>]*>.*Concretos del Norte/s);
    expect(decodedHtml).toMatch(
      /<a(?=[^>]*href="\/new-supplier")(?=[^>]*target="_blank")[^>]*>Nuevo proveedor/,
    );
    const empty = (await readPage(browser.form('/new-invoice', {}))).decodedHtml;
    expect(/<select[^>]*name="supplierId"[^>]*>/.exec(empty)?.[0]).toMatch(
      /aria-required="true" aria-invalid="true" aria-describedby="(\S+)note"/,
    );
    const saved = await browser.form('/new-invoice', { ...fields, suppliername: ' concretos del norte ' });
    expect(saved.status).toBe(303);
    const unknown = await readPage(browser.form('/new-invoice', { ...fields, suppliername: 'Nadie' }));
    expect([unknown.status, unknown.errors]).toEqual([422, ['No existe el proveedor «Nadie».']]);
  });

  it('show what is paid of an edited invoice and its payments, and save it', async () => {
    const { userId } = await addActor(fresh.db);
    const rubroId = await addRubro(fresh.db, { nombrerubro: 'Acero' });
    const id = await addInvoice(fresh.db, { numfactura: 'A-1', retencionesCents: 4_000, rubroId });
    const payment = await addPayment(fresh.db, { facturaproveedorId: id, amountCents: 12_000, userId });
    const page = await readPage(browser.get(`/editinvoicepage/${id}`));
    expect(page.decodedHtml).toMatch(/<h1>Editar factura<\/h1>.*<p class="which">/s);
    expect(page.decodedHtml).toContain('Total ya pagado: $120.00');
    expect(page.decodedHtml).toContain('¿Eliminar la factura A-1?');
    expect([page.value('iva'), page.value('total')]).toEqual(['$160.00', '$1,120.00']);
    expect(page.decodedHtml).toMatch(/<details class="disclosure" open/);
    expect(page.links('Fri, 20 Nov 2026')).toEqual([`/editpaymentpage/${payment}`]);
    const posted = sentBack(page);
    const answer = await browser.form(`/editinvoicepage/${id}`, {
      ...posted,
      numfactura: 'A-1b',
      rubroId: '',
      subtotal: '2000',
    });
    expect((await readPage(browser.follow(answer))).alerts).toEqual(['success: Se guardó la factura A-1b.']);
    expect(await stored()).toMatchObject({ totalCents: 228_000, rubroId: null, version: 2 });
    const low = await readPage(
      browser.form(`/editinvoicepage/${id}`, { ...posted, version: '2', subtotal: '100' }),
    );
    expect([low.status, low.alerts]).toEqual([
      422,
      ['error: El total no puede ser menor o igual a la suma de los pagos realizados.'],
    ]);
    expect(low.errors).toEqual(['Lo pagado ya suma $120.00.']);
    const none = await readPage(
      browser.form(`/editinvoicepage/${id}`, { ...posted, version: '2', subtotal: '' }),
    );
    expect([none.status, none.alerts]).toEqual([422, ['error: Ingrese proveedor, obra y subtotal.']]);
  });

  it('make the amounts of a CFDI read-only until it is unlinked, which asks for confirmation', async () => {
    const uuid = '5F1C5A1E-1111-4C1A-9B57-8B8E8C1E0A2B';
    const id = await addInvoice(fresh.db, { uuid, tasa: null, ivaCents: 123_45, numfactura: 'A-1' });
    const page = await readPage(browser.get(`/editinvoicepage/${id}`));
    expect(page.value('tasa')).toBe('Mixta');
    expect(page.decodedHtml).toMatch(
      /<input[^>]* name="subtotal"[^>]*readonly|<input[^>]*readonly[^>]* name="subtotal"/i,
    );
    expect(page.decodedHtml).toContain('Desligar del CFDI');
    const posted = sentBack(page);
    const kept = await browser.form(`/editinvoicepage/${id}`, { ...posted, numfactura: 'A-2' });
    expect(kept.status).toBe(303);
    expect(await stored()).toMatchObject({ numfactura: 'A-2', tasa: null, ivaCents: 123_45 });
    const forged = await readPage(
      browser.form(`/editinvoicepage/${id}`, { ...posted, version: 2, subtotal: '5', tasa: '16' }),
    );
    expect([forged.status, forged.value('subtotal')]).toEqual([409, '1,000.00']);
    const answer = await browser.form(`/editinvoicepage/${id}/desligar`, { version: 2 });
    const free = await readPage(browser.follow(answer));
    expect(free.alerts).toEqual([
      'success: La factura ya no está ligada a su CFDI. Sus importes se pueden cambiar.',
    ]);
    expect(free.decodedHtml).not.toContain('Desligar del CFDI');
    expect(await stored()).toMatchObject({ uuid: null, ivaCents: 123_45 });
  });
});
