import { expect, it } from 'vitest';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import {
  buildCfdi,
  buildCreditNote,
  buildReceipt,
  buildReplacements,
  bytesOf,
  type CfdiParts,
  SAMPLE_UUID,
} from '../../../support/cfdi.ts';
import { buildPdf, buildPng } from '../../../support/files.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addInvoice,
  addJob,
  addRubro,
  addSupplier,
  addUser,
  createActor,
  TODAY,
} from '../../../support/rows.ts';

const LOAD = '/new-invoice/xml';
const OTHER = 'CCCCCCCC-1111-4222-8333-DDDDDDDDDDDD';

describeOneDatabase('Cargar XML', (fresh) => {
  const arrange = async () => {
    const app = createTestApp({ db: fresh.db });
    return { app, client: await app.as(4), jobId: await addJob(fresh.db) };
  };
  const load = (client: TestClient, parts: CfdiParts = {}, pdf?: Buffer) =>
    client.files(LOAD, {
      xml: ['Factura A-12.xml', bytesOf(buildCfdi(parts))],
      ...(pdf ? { pdf: ['Factura A-12.pdf', pdf] } : {}),
    });
  const invoices = () => fresh.db.selectFrom('invoices').selectAll().orderBy('id').execute();
  const attachments = () => fresh.db.selectFrom('attachments').selectAll().orderBy('id').execute();

  it('leads an administrator, in a closed period, to the form filled from the document, which asks for the reason', async () => {
    const { app, client, jobId } = await arrange();
    await changeSetting(fresh.db, createActor(), 'cierre', '2024-12-31');
    const supplierId = await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const at = async (one: TestClient) => readPage(one.follow(await load(one)));
    expect((await at(client)).decodedHtml).not.toContain('Capturar con motivo');
    const admin = await app.as(3);
    const [form] = (await at(admin)).links('Capturar con motivo');
    const page = await readPage(admin.get(form!));
    expect(page.alerts.join()).toContain('indica el motivo');
    expect(page.decodedHtml).toContain('name="motivo"');
    const values = { numfactura: 'A-0012', fechaemision: '2024-03-05', subtotal: '1000.00', tasa: '16' };
    for (const [name, value] of Object.entries({ ...values, subtotal: '1,000.00' }))
      expect(page.decodedHtml, name).toMatch(
        new RegExp(`name="${name}"[^>]*value="${value}"|value="${value}"[^>]*name="${name}"`),
      );
    const saved = await admin.form('/new-invoice', { ...values, supplierId, jobId, motivo: 'Llegó tarde' });
    expect(saved.status).toBe(303);
    expect(await invoices()).toMatchObject([{ numfactura: 'A-0012', totalCents: 116_000 }]);
  });

  it('is offered by the list, the creation screen and the empty list', async () => {
    const { client } = await arrange();
    expect((await readPage(client.get('/invoices'))).links('Cargar XML')).toEqual([LOAD]);
    expect((await readPage(client.get('/new-invoice'))).links('Cargar XML')).toEqual([LOAD]);
    const page = await readPage(client.get(LOAD));
    expect(page.decodedHtml).toMatch(/<form[^>]*encType="multipart\/form-data"/i);
    expect(page.focusedControlName).toBe('xml');
  });

  it('fills the form from the document: supplier, number, dates and amounts to the cent', async () => {
    const { client, jobId } = await arrange();
    const supplierId = await addSupplier(fresh.db, {
      suppliername: 'Escuela',
      rfc: 'EKU9003173C9',
      diascredito: 30,
    });
    // A job is proposed only if the last three invoices agree.
    for (let n = 0; n < 3; n++) await addInvoice(fresh.db, { jobId, supplierId, subtotalCents: 7 });
    const sent = await load(client);
    expect(sent.status).toBe(303);
    expect(sent.headers.get('location')).toMatch(/^\/new-invoice\?cfdi=[\w-]{32}$/);
    const page = await readPage(client.follow(sent));
    expect(page.status).toBe(200);
    expect(page.alerts).toEqual([]);
    const shown = (...names: string[]) => names.map((name) => page.value(name));
    expect(shown('suppliername', 'numfactura', 'fechaemision')).toEqual(['Escuela', 'A-0012', '2024-03-05']);
    expect(shown('fecharecepcion', 'fechavencimiento')).toEqual([TODAY, '']);
    expect(page.decodedHtml).toContain('Vence el dom 20 dic 2026: 30 días de crédito.');
    expect(shown('subtotal', 'tasa', 'iva', 'total')).toEqual(['1,000.00', '16', '$160.00', '$1,160.00']);
    expect(shown('jobId', 'comments')).toEqual([String(jobId), 'Cemento gris']);
    expect(page.decodedHtml).toContain('Propuesta, por sus tres últimas facturas.');
    expect(page.value('createSupplier')).toBeUndefined();
    expect(page.facts.UUID).toBe('AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB');
    for (const name of ['suppliername', 'numfactura', 'fechaemision', 'subtotal', 'tasa', 'retenciones'])
      expect(page.decodedHtml).toMatch(new RegExp(`<input(?=[^>]* name="${name}")[^>]* readOnly`, 'i'));
  });

  it('saves it with the job, rubro, dates and comments of the form, and keeps both files', async () => {
    const { client, jobId } = await arrange();
    const rubroId = await addRubro(fresh.db);
    const sent = await load(client, {}, buildPdf());
    const address = sent.headers.get('location')!;
    expect((await readPage(client.get(address))).decodedHtml).toContain(
      'se dará de alta Escuela Kemper (EKU9003173C9)',
    );
    const form = {
      jobId,
      rubroId,
      fecharecepcion: '2024-03-08',
      fechavencimiento: '2024-04-01',
      comments: 'Segunda remisión',
      createSupplier: 'on',
      numfactura: 'A-0012',
      // Posted amounts are ignored: those of the document count.
      subtotal: '1',
      total: '1',
    };
    const saved = await client.form(address, form);
    expect([saved.status, saved.headers.get('location')]).toEqual([303, '/invoices']);
    expect((await readPage(client.follow(saved))).alerts).toContain('success: Se guardó la factura A-0012.');
    const [invoice, ...more] = await invoices();
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({
      jobId,
      rubroId,
      numfactura: 'A-0012',
      fecharecepcion: '2024-03-08',
      fechavencimiento: '2024-04-01',
      comments: 'Segunda remisión',
      subtotalCents: 100_000,
      totalCents: 116_000,
      uuid: 'AAAAAAAA-1111-4222-8333-BBBBBBBBBBBB',
      userId: client.user.id,
    });
    expect((await attachments()).map(({ kind, filename }) => [kind, filename])).toEqual([
      ['cfdi', 'Factura A-12.xml'],
      ['pdf', 'Factura A-12.pdf'],
    ]);
    const edit = await readPage(client.get(`/editinvoicepage/${invoice!.id}`));
    const file = (n: number) => `/editinvoicepage/${invoice!.id}/adjuntos/${n}`;
    expect(edit.links(/^Factura A-12\./).sort()).toEqual([file(1), file(2), `${file(2)}/ver`]);
    const again = await readPage(client.form(address, form));
    expect([again.status, again.alerts]).toEqual([
      409,
      ['error: Este CFDI ya está registrado. Ver esa factura'],
    ]);
    expect(await invoices()).toHaveLength(1);
    expect(await attachments()).toHaveLength(2);
  });

  it('leaves an empty due date to the credit days, and leads on to the next document', async () => {
    const { client, jobId } = await arrange();
    await addSupplier(fresh.db, { rfc: 'EKU9003173C9', diascredito: 15 });
    const address = (await load(client)).headers.get('location')!;
    const form = { jobId, fecharecepcion: '2026-11-01', fechavencimiento: '', comments: '', another: '1' };
    expect((await client.form(address, form)).headers.get('location')).toBe(LOAD);
    expect((await invoices())[0]).toMatchObject({
      fechavencimiento: null,
      vence: '2026-11-16',
      comments: '',
    });
  });

  it('needs a job, and permission to create the supplier; what was typed stays', async () => {
    const { client, jobId } = await arrange();
    const address = (await load(client)).headers.get('location')!;
    const none = await readPage(
      client.form(address, { jobId: '', comments: 'algo', fecharecepcion: 'ayer' }),
    );
    expect([none.status, none.value('comments'), none.value('fecharecepcion')]).toEqual([
      422,
      'algo',
      'ayer',
    ]);
    expect(none.alerts).toEqual(['error: Elige la obra de la factura.']);
    expect(none.focusedControlName).toBe('Obra');
    const refused = await readPage(client.form(address, { jobId }));
    expect([refused.status, refused.alerts]).toEqual([
      409,
      ['error: No hay un proveedor con el RFC EKU9003173C9 («Escuela Kemper»), y no se pidió darlo de alta.'],
    ]);
    expect(await invoices()).toEqual([]);
  });

  it('says where the document is on file, before anything is typed', async () => {
    const { client, jobId } = await arrange();
    const { id: userId } = await addUser(fresh.db);
    const file = { name: 'a.xml', bytes: bytesOf(buildCfdi()) };
    const done = await importCfdi(fresh.db, createActor({ userId }), [file], {
      jobId,
      createSuppliers: true,
    });
    const page = await readPage(client.follow(await load(client)));
    expect([page.status, page.alerts]).toEqual([
      200,
      ['error: Este CFDI ya está registrado. Ver esa factura'],
    ]);
    expect(page.links('Ver esa factura')).toEqual([`/editinvoicepage/${done.files[0]!.invoiceId}`]);
    expect(page.links('Cargar otro XML')).toEqual([LOAD]);
    expect(page.value('jobId')).toBeUndefined();
  });

  it('shows the warnings, and accepts a total that differs from the sum of its parts only if somebody confirms', async () => {
    const { client, jobId } = await arrange();
    await changeSetting(fresh.db, createActor({ userId: client.user.id }), 'rfc', 'URE180429TM6');
    const address = (await load(client, { root: { Total: '2160.00' } })).headers.get('location')!;
    const page = await readPage(client.get(address));
    const mismatch = 'El total del CFDI, $2,160.00, no cuadra con sus partes, que suman $1,160.00.';
    expect(page.alerts).toContain(`warning: ${mismatch}`);
    expect(page.alerts).toContain('warning: El receptor, IVD920810GU2, no es la empresa (URE180429TM6).');
    expect(page.value('total')).toBe('$2,160.00');
    const form = { jobId, createSupplier: 'on' };
    const refused = await readPage(client.form(address, form));
    expect([refused.status, refused.alerts]).toEqual([
      409,
      expect.arrayContaining([`error: ${mismatch}`, `warning: ${mismatch}`]),
    ]);
    expect(await invoices()).toEqual([]);
    expect((await client.form(address, { ...form, allowMismatch: 'on' })).status).toBe(303);
    expect((await invoices())[0]?.totalCents).toBe(216_000);
  });

  it('shows a foreign document in its own currency too', async () => {
    const { client } = await arrange();
    const root = { Moneda: 'USD', TipoCambio: '20.0000' };
    const page = await readPage(client.follow(await load(client, { root })));
    expect(page.facts['Total del documento']).toBe('$1,160.00 USD × 20.0000 = $23,200.00');
    expect(page.value('total')).toBe('$23,200.00');
  });

  it.each([
    ['nothing', undefined, 422, 'Elige el archivo XML de la factura.'],
    ['a PDF instead', buildPdf(), 422, 'Es un PDF, no un XML: la factura se lee de su archivo XML.'],
    ['an empty file', Buffer.from(''), 422, 'El archivo está vacío.'],
    ['something else', Buffer.from('<a/>'), 422, /\S/],
    ['payroll', bytesOf(buildCfdi({ root: { TipoDeComprobante: 'N' } })), 422, /nómina/],
    ['a transfer', bytesOf(buildCfdi({ root: { TipoDeComprobante: 'T' } })), 422, /traslado/],
    ['3 MB', Buffer.alloc(3 * 1024 * 1024, ' '), 413, 'El XML pasa de 2 MB, más de lo que mide un CFDI.'],
  ])('refuses %s in plain words, at the control', async (_what, bytes, status, message) => {
    const { client } = await arrange();
    const page = await readPage(client.files(LOAD, bytes ? { xml: ['a.xml', bytes] } : {}));
    expect(page.status).toBe(status);
    expect(page.errors).toEqual([expect.stringMatching(message)]);
    expect(page.alerts).toEqual([expect.stringContaining(page.errors[0]!)]);
    expect(await fresh.db.selectFrom('uploads').selectAll().execute()).toEqual([]);
  });

  it('refuses what is no PDF next to the XML', async () => {
    const { client } = await arrange();
    const page = await readPage(load(client, {}, buildPng()));
    expect([page.status, page.errors, page.focusedControlName]).toEqual([
      422,
      ['El segundo archivo no es un PDF.'],
      'pdf',
    ]);
  });

  it("shows a user's upload to nobody else, and asks again for what is gone or arrived incomplete", async () => {
    const { app, client } = await arrange();
    const address = (await load(client)).headers.get('location')!;
    const other = await app.as(4);
    const strange = ['x', 'a%00b', '%F0%9F%98%80', "'", '..'].map((id) => `/new-invoice?cfdi=${id}`);
    for (const asked of [
      () => other.get(address),
      () => other.form(address, {}),
      ...strange.map((one) => () => client.get(one)),
    ]) {
      const page = await readPage(asked());
      expect([page.status, page.alerts]).toEqual([404, ['error: El archivo ya no está: vuelve a elegirlo.']]);
      expect(page.decodedHtml).toContain('name="xml"');
    }
    const body = new ReadableStream({ pull: (sent) => sent.error('aborted') });
    const headers = { 'content-type': 'multipart/form-data; boundary=x' };
    const cut = { method: 'POST', body, headers, duplex: 'half' } as RequestInit;
    const page = await readPage(client.send(LOAD, cut));
    expect([page.status, page.alerts]).toEqual([400, ['error: El archivo no llegó completo.']]);
  });

  const importFor = async (jobId: number, parts: CfdiParts = {}) => {
    const { id: userId } = await addUser(fresh.db);
    const file = { name: 'a.xml', bytes: bytesOf(buildCfdi(parts)) };
    return (await importCfdi(fresh.db, createActor({ userId }), [file], { jobId, createSuppliers: true }))
      .files[0]!;
  };
  const loadText = async (client: TestClient, xml: string, pdf?: Buffer) => {
    const files = { xml: ['a.xml', bytesOf(xml)] as const, ...(pdf ? { pdf: ['a.pdf', pdf] as const } : {}) };
    return (await client.files(LOAD, files)).headers.get('location')!;
  };

  it('accepts a credit note: what it is in plain words, and one button', async () => {
    const { client, jobId } = await arrange();
    const { invoiceId } = await importFor(jobId);
    const note = buildCreditNote([SAMPLE_UUID], { uuid: OTHER });
    const address = await loadText(client, note, buildPdf());
    const page = await readPage(client.get(address));
    expect(page.facts).toMatchObject({
      Documento: 'CFDI 4.0 de egreso (nota de crédito)',
      Emisor: 'Escuela Kemper · EKU9003173C9',
      Número: 'NC-0012',
      Fecha: 'Wed, 20 Mar 2024',
      Total: '$116.00',
      'Se descuenta de': 'A-0012',
    });
    expect(page.decodedHtml).toContain('Su PDF se guarda con la factura A-0012.');
    const saved = await client.form(address, { confirmed: 'save' });
    expect((await readPage(client.follow(saved))).alerts[0]).toMatch(
      /^success: Se guardó la nota de crédito\./,
    );
    expect((await attachments()).map((one) => [one.invoiceId, one.kind, one.filename])).toEqual([
      [invoiceId, 'cfdi', 'a.xml'],
      [invoiceId, 'pdf', 'a.pdf'],
    ]);
    expect(await invoices()).toMatchObject([{ id: invoiceId, paidCents: 11_600 }]);
    const again = await readPage(client.form(address, { confirmed: 'save' }));
    expect([again.status, again.alerts]).toEqual([409, ['error: Esta nota de crédito ya está registrada.']]);
  });

  it('accepts a receipt of payments, and asks before it creates its supplier', async () => {
    const { client } = await arrange();
    const address = await loadText(
      client,
      buildReceipt({ uuid: OTHER, doctos: [{ amount: '50.00', of: SAMPLE_UUID }] }),
    );
    const page = await readPage(client.get(address));
    expect(page.facts).toMatchObject({
      Documento: 'CFDI de pago (recibo electrónico de pago)',
      Número: 'P-1',
      'Facturas que paga': `${SAMPLE_UUID}: $50.00`,
    });
    expect(page.decodedHtml).toContain('se dará de alta Escuela Kemper');
    expect((await client.form(address, { confirmed: 'save' })).status).toBe(409);
    const saved = await client.form(address, { confirmed: 'save', createSupplier: 'on' });
    expect((await readPage(client.follow(saved))).alerts).toContain('success: Se guardó el recibo de pago.');
    const receipts = await fresh.db.selectFrom('payment_receipts').select('uuid').execute();
    expect(receipts).toEqual([{ uuid: OTHER }]);
  });

  it('links an invoice captured by hand instead of doubling it, and keeps both files with it', async () => {
    const { client, jobId } = await arrange();
    const supplierId = await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const id = await addInvoice(fresh.db, {
      jobId,
      supplierId,
      numfactura: 'A-0012',
      subtotalCents: 100_000,
    });
    const address = await loadText(client, buildCfdi(), buildPdf());
    const page = await readPage(client.get(address));
    expect(page.decodedHtml).toContain('Ligar a esa factura');
    expect(page.links('Ver esa factura')).toEqual([`/editinvoicepage/${id}`]);
    const saved = await client.form(address, { confirmed: 'link' });
    expect(saved.headers.get('location')).toBe(`/editinvoicepage/${id}`);
    expect(await invoices()).toMatchObject([{ id, uuid: SAMPLE_UUID }]);
    expect((await attachments()).map(({ kind, invoiceId }) => [kind, invoiceId])).toEqual([
      ['cfdi', id],
      ['pdf', id],
    ]);
  });

  it('lets a document take the place of the one it replaces, if asked to', async () => {
    const { client, jobId } = await arrange();
    const { invoiceId } = await importFor(jobId);
    const address = await loadText(
      client,
      buildCfdi({ uuid: OTHER, relacionados: buildReplacements(SAMPLE_UUID) }),
    );
    const page = await readPage(client.get(address));
    expect(page.decodedHtml).toMatch(/Este CFDI sustituye al de una factura.*<button[^>]*>Sustituir</s);
    const saved = await client.form(address, { confirmed: 'replace' });
    expect(saved.headers.get('location')).toBe(`/editinvoicepage/${invoiceId}`);
    expect(await invoices()).toMatchObject([{ id: invoiceId, uuid: OTHER }]);
    // The replaced document stays attached, and can be removed.
    expect(await attachments()).toHaveLength(2);
  });
});
