import { expect, it } from 'vitest';
import { checkDatabase } from '../../../../server/services/database/check.ts';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { deletePayment } from '../../../../server/services/payments/payments.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { buildCreditNote, buildReceipt, bytesOf } from '../../../support/cfdi.ts';
import { buildPdf } from '../../../support/files.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  createActor,
} from '../../../support/rows.ts';

const LOAD = '/new-invoice/xml';
const uuid = (n: number) => `AAAAAAAA-1111-4222-8333-${String(n).padStart(12, '0')}`;
const REP = uuid(900);

describeOneDatabase('Cargar XML with payment receipts', (fresh) => {
  const arrange = async () => {
    const client = await createTestApp({ db: fresh.db }).as(4);
    const jobId = await addJob(fresh.db);
    const supplierId = await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const invoice = (n: number, subtotalCents = 10_000) =>
      addInvoice(fresh.db, { jobId, supplierId, uuid: uuid(n), numfactura: `A-${n}`, subtotalCents });
    const source = await addFundingSource(fresh.db, { origenderecursonombre: 'Banco Norte' });
    return { client, jobId, supplierId, invoice, source };
  };
  const receiptOf = (...doctos: [n: number, amount: string][]) =>
    buildReceipt({ uuid: REP, doctos: doctos.map(([n, amount]) => ({ of: uuid(n), amount })) });
  const load = async (client: TestClient, xml: string, pdf?: Buffer) => {
    const files = { xml: ['r.xml', bytesOf(xml)] as const, ...(pdf ? { pdf: ['r.pdf', pdf] as const } : {}) };
    return (await client.files(LOAD, files)).headers.get('location')!;
  };
  const store = (client: TestClient, xml: string, jobId: number) =>
    importCfdi(fresh.db, createActor({ userId: client.user.id }), [{ name: 'r.xml', bytes: bytesOf(xml) }], {
      jobId,
    });
  const payments = () => fresh.db.selectFrom('payments').selectAll().orderBy('id').execute();
  const attachments = () =>
    fresh.db.selectFrom('attachments').select(['invoiceId', 'kind']).orderBy('id').execute();

  it('shows the supplier’s balance next to ours if they differ, at the receipt and at the payment', async () => {
    const { client, jobId, invoice } = await arrange();
    const facturaproveedorId = await invoice(1);
    const amount = { userId: client.user.id, amountCents: 2000, paymentdate: '2024-04-05' };
    const paid = await addPayment(fresh.db, { facturaproveedorId, ...amount });
    const doctos = [{ of: uuid(1), amount: '20.00', saldos: ['100.00', '80.00'] as [string, string] }];
    const xml = buildReceipt({ uuid: REP, doctos });
    await store(client, xml, jobId);
    const warning =
      'Según su REP P-1 se debían $100.00 antes de este pago y $80.00 después; aquí, $116.00 y $96.00.';
    const page = await readPage(client.get(await load(client, xml)));
    expect(page.rows).toEqual([['A-1', 'Fri, 05 Apr 2024', 'Ver pago', '$20.00', warning]]);
    const payment = await readPage(client.get(`/editpaymentpage/${paid}`));
    expect(payment.alerts).toEqual([`warning: ${warning}`]);
  });

  it('offers the payments that a stored receipt still lacks, and creates them from the chosen source', async () => {
    const { client, jobId, invoice, source } = await arrange();
    const [first, second] = [await invoice(1), await invoice(2)];
    const paid = await addPayment(fresh.db, {
      facturaproveedorId: second,
      userId: client.user.id,
      amountCents: 2000,
      paymentdate: '2024-04-05',
    });
    const xml = receiptOf([1, '50.00'], [2, '20.00'], [3, '30.00']);
    await store(client, xml, jobId);
    const address = await load(client, xml);
    const page = await readPage(client.get(address));
    expect(page.alerts).toContain(
      'info: Este recibo de pago ya está registrado. Falta capturar un pago, de $50.00: elige de qué origen salió y se registra.',
    );
    expect(page.rows).toEqual([
      ['A-1', 'Fri, 05 Apr 2024', 'Falta capturarlo', '$50.00'],
      ['A-2', 'Fri, 05 Apr 2024', 'Ver pago', '$20.00'],
      [uuid(3), 'Fri, 05 Apr 2024', 'Su factura no está registrada', '$30.00'],
    ]);
    expect(page.links('Ver pago')).toEqual([`/editpaymentpage/${paid}`]);
    expect(page.decodedHtml).toMatch(/<button[^>]*>Registrar los pagos que faltan</);

    const none = await readPage(client.form(address, { confirmed: 'complete' }));
    expect([none.status, none.errors, none.focusedControlName]).toEqual([
      422,
      ['Elige el origen de recurso de los pagos que faltan.'],
      'origenderecursoId',
    ]);
    expect(await payments()).toHaveLength(1);

    const form = { confirmed: 'complete', origenderecursoId: String(source) };
    expect((await client.form(address, { ...form, origenderecursoId: '999' })).status).toBe(404);
    const saved = await client.form(address, form);
    expect(saved.status).toBe(303);
    expect((await readPage(client.follow(saved))).alerts[0]).toBe(
      'success: Se registraron los pagos que faltaban del recibo.',
    );
    expect(await payments()).toMatchObject([
      { id: paid },
      { facturaproveedorId: first, amountCents: 5000, origenderecursoId: source, paymentdate: '2024-04-05' },
    ]);
    const again = await readPage(client.form(address, form));
    expect([again.status, again.alerts]).toEqual([409, ['error: Este recibo de pago ya está registrado.']]);
    expect(await payments()).toHaveLength(2);
    const { checks } = await checkDatabase(fresh.db);
    expect(checks.find(({ name }) => name === 'paid-sum')?.problems).toEqual([]);
  });

  it('reports a complete receipt as on file, with its payments, even after one was deleted', async () => {
    const { client, invoice, source } = await arrange();
    await invoice(1);
    const xml = receiptOf([1, '50.00']);
    const form = { confirmed: 'save', origenderecursoId: String(source) };
    await readPage(client.follow(await client.form(await load(client, xml), form)));
    const [payment] = await payments();
    const page = await readPage(client.get(await load(client, xml)));
    expect([page.status, page.alerts]).toEqual([200, ['info: Este recibo de pago ya está registrado.']]);
    expect(page.links('Ver pago')).toEqual([`/editpaymentpage/${payment!.id}`]);
    expect(page.decodedHtml).not.toContain('origenderecursoId');
    await deletePayment(fresh.db, createActor({ userId: client.user.id }), payment!.id);
    const after = await readPage(client.get(await load(client, xml)));
    expect(after.rows).toEqual([['A-1', 'Fri, 05 Apr 2024', 'Falta capturarlo', '$50.00']]);
  });

  it('creates no payment beyond what is owed, and names the invoice', async () => {
    const { client, jobId, invoice, source } = await arrange();
    const [first, second] = [await invoice(1), await invoice(2)];
    const xml = receiptOf([1, '100.00'], [2, '60.00']);
    await store(client, xml, jobId);
    await addPayment(fresh.db, { facturaproveedorId: first, userId: client.user.id, amountCents: 7000 });
    const address = await load(client, xml);
    const page = await readPage(client.get(address));
    expect(page.rows).toEqual([
      ['A-2', 'Fri, 05 Apr 2024', 'Falta capturarlo', '$60.00'],
      ['A-1', 'Fri, 05 Apr 2024', 'No cabe: de la factura se deben $46.00', '$100.00'],
    ]);
    const form = { confirmed: 'complete', origenderecursoId: String(source) };
    const saved = await readPage(client.follow(await client.form(address, form)));
    expect(saved.alerts).toEqual([
      expect.stringMatching(/^success: Se registraron los pagos que faltaban del recibo\./),
      'warning: El pago de $100.00 del viernes 5 de abril de 2024 no cabe en lo que se debe de la factura A-1, $46.00.',
    ]);
    expect((await payments()).map((one) => [one.facturaproveedorId, one.amountCents])).toEqual([
      [first, 7000],
      [second, 6000],
    ]);
    const rest = await readPage(client.get(await load(client, xml)));
    expect(rest.alerts).toEqual(['info: Este recibo de pago ya está registrado.']);
    expect(rest.decodedHtml).not.toContain('origenderecursoId');
  });

  it('keeps the PDF of a receipt with each invoice that it names, and announces this', async () => {
    const { client, invoice } = await arrange();
    const [first, second] = [await invoice(1), await invoice(2)];
    await addInvoice(fresh.db, { uuid: uuid(3) }); // of another supplier
    const address = await load(client, receiptOf([1, '50.00'], [2, '20.00'], [3, '1.00']), buildPdf());
    const page = await readPage(client.get(address));
    expect(page.decodedHtml).toContain('Su PDF se guarda con las 2 facturas que nombra.');
    expect(page.facts.Archivos).toMatch(/^r\.xml \(.*\), r\.pdf \(/);
    expect((await client.form(address, { confirmed: 'save' })).status).toBe(303);
    expect(await attachments()).toEqual([
      { invoiceId: first, kind: 'pdf' },
      { invoiceId: second, kind: 'pdf' },
    ]);
  });

  it('announces if there is no invoice with which a PDF can be kept', async () => {
    const { client } = await arrange();
    const address = await load(client, buildCreditNote([uuid(8)], { uuid: REP }), buildPdf());
    const page = await readPage(client.get(address));
    expect(page.decodedHtml).toContain('Su PDF no se guarda: no está registrada la factura con la que iría.');
    const saved = await client.form(address, { confirmed: 'save' });
    expect((await readPage(client.follow(saved))).alerts[0]).toMatch(
      /^success: Se guardó la nota de crédito\./,
    );
    expect(await attachments()).toEqual([]);
  });

  it('stores the document if its invoice accepts no more files, and says so', async () => {
    const { client, invoice } = await arrange();
    const id = await invoice(1);
    for (let n = 0; n < 20; n++)
      await client.files(`/editinvoicepage/${id}/adjuntos`, {
        file: [`${n}.pdf`, Buffer.concat([buildPdf(), Buffer.from(`\n%${n}`)])],
      });
    expect(await attachments()).toHaveLength(20);
    const address = await load(client, receiptOf([1, '50.00']), buildPdf());
    const saved = await client.form(address, { confirmed: 'save' });
    expect((await readPage(client.follow(saved))).alerts).toContain(
      'warning: El PDF no se guardó: La factura ya tiene 20 archivos adjuntos, que es lo más que se guarda.',
    );
    expect(await fresh.db.selectFrom('payment_receipts').select('uuid').execute()).toEqual([{ uuid: REP }]);
    expect(await attachments()).toHaveLength(20);
  });
});
