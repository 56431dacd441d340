import { beforeEach, describe, expect, it } from 'vitest';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { createMetadataUuid } from '../../../support/metadata.ts';
import { readPage } from '../../../support/page.ts';
import { readPdf } from '../../../support/pdf.ts';
import { addInvoice, addPayment, addSupplier, addUser } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

const PAGE = '/fiscal/rep';
const uuid = createMetadataUuid(1);

describe('the page of receipts that suppliers owe', () => {
  const fresh = useFreshDatabase('sqlite');
  let client: TestClient;
  let supplierId: number;

  beforeEach(async () => {
    const user = await addUser(fresh.db, { roles: [2] });
    client = await createTestApp({ db: fresh.db }).as(user);
    const suppliercontactemail = 'cobranza@aceros.mx';
    supplierId = await addSupplier(fresh.db, { suppliername: 'Aceros Tepeyac', suppliercontactemail });
    const ppd = await addInvoice(fresh.db, { supplierId, uuid, numfactura: 'A-1', metodopago: 'PPD' });
    const paid = { amountCents: 58_000, paymentdate: '2026-10-30', userId: user.id };
    await addPayment(fresh.db, { facturaproveedorId: ppd, ...paid });
    await addInvoice(fresh.db, {
      ...{ supplierId, numfactura: 'B-2', metodopago: 'PUE', fechaemision: '2026-09-10' },
    });
  });

  const textOf = async (address: string) => {
    const { decodedHtml } = await readPage(await client.get(address));
    return decodedHtml.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
  };

  it('sums them by supplier, with the days that they are late', async () => {
    const text = await textOf(PAGE);
    expect(text).toMatch(/Sin REP \(1\) \$580\.00 Vencido \$580\.00 IVA por respaldar \$80\.00/);
    expect(text).toMatch(/Aceros Tepeyac 1 pago \$580\.00 \$80\.00 Thu, 05 Nov 2026 hace 15 días Pedir PDF/);
    expect(await textOf(`${PAGE}?supplierId=${supplierId}`)).toMatch(
      /Aceros Tepeyac A-1 Fri, 30 Oct 2026 \$580\.00/,
    );
    expect(await textOf(`${PAGE}?corte=2026-10-29`)).toContain(
      'Todos los pagos a facturas PPD tienen su REP.',
    );
  });

  it('lists invoices that were to be paid at once, and receipts that state another balance', async () => {
    expect(await textOf(`${PAGE}?que=pue`)).toMatch(
      /Aceros Tepeyac B-2 Thu, 10 Sep 2026 \$1,160\.00 \$1,160\.00/,
    );
    expect(await textOf(`${PAGE}?que=saldos`)).toContain('Los REP dicen el mismo saldo que hay aquí.');
    const csv = await (await client.get(`${PAGE}/export.csv?que=pue`)).text();
    expect(csv).toContain('B-2');
    expect(csv).not.toContain('A-1');
  });

  it('asks a supplier for them by a PDF, and by mail', async () => {
    const { decodedHtml } = await readPage(await client.get(PAGE));
    const [link] = /<a [^>]*aria-label="PDF de los REP de Aceros Tepeyac"[^>]*>/.exec(decodedHtml)!;
    expect(decodedHtml).toMatch(
      /"Pedir los REP de Aceros Tepeyac"[^>]*href="\/fiscal\/rep\/1\/enviar\?corte=2026-11-20"/,
    );
    const pdf = await client.get(/href="([^"]*)"/.exec(link)![1]!);
    const texts = (await readPdf(Buffer.from(await pdf.arrayBuffer()))).pages.flatMap(
      ({ texts: all }) => all,
    );
    for (const text of ['Pagos sin REP', '580.00', 'RMF 2.7.1.32']) expect(texts.join(' ')).toContain(text);
    expect(texts.join('')).toContain(uuid);
    const sending = `/fiscal/rep/${supplierId}/enviar`;
    expect(await textOf(sending)).toContain(`- viernes 30 de octubre de 2026, ${uuid}: $580.00`);
    const sent = await client.post(sending, { para: 'cobranza@aceros.mx' });
    expect(sent.headers.get('location')).toBe(`${PAGE}?supplierId=${supplierId}`);
    expect(await readRow(fresh.db, 'mails', {}, ['para', 'asunto'])).toEqual({
      ...{ para: 'cobranza@aceros.mx', asunto: 'REP pendientes al viernes 20 de noviembre de 2026' },
    });
    expect(await textOf(PAGE)).toContain('Aceros Tepeyac Pedido el Fri, 20 Nov 2026 1 pago');
    expect(await textOf(`${PAGE}?supplierId=${supplierId}`)).toContain('Pedido el Fri, 20 Nov 2026. El REP');
    await fresh.db.updateTable('mails').set({ estado: 'fallo', proximo: null }).execute();
    expect(await textOf(PAGE)).not.toContain('Pedido el');
    const other = await addSupplier(fresh.db, { suppliername: 'Otro' });
    const refused = await client.post(`/api/suppliers/${other}/rep/enviar`, {});
    expect([refused.status, (await refused.json()).message]).toEqual([404, 'De Otro no falta ningún REP.']);
  });

  it('asks all suppliers at once, naming those without an address', async () => {
    const { id: userId } = await addUser(fresh.db, { username: 'otra', roles: [2] });
    const other = await addSupplier(fresh.db, { suppliername: 'Sin Correo', suppliercontactemail: '' });
    const ppd = await addInvoice(fresh.db, { supplierId: other, numfactura: 'C-3', metodopago: 'PPD' });
    await addPayment(fresh.db, { facturaproveedorId: ppd, amountCents: 100, userId });
    const page = await readPage(await client.get(PAGE));
    expect(page.links('Pedir todos')).toEqual([`${PAGE}/enviar?corte=2026-11-20`]);
    const withoutMail = await createTestApp({ db: fresh.db, config: { mail: undefined } }).as(2);
    const help = (await readPage(await withoutMail.get(PAGE))).links('configura el correo del servidor');
    expect([help, page.links('configura el correo del servidor')]).toEqual([['/help/correos'], []]);
    const asking = await readPage(await client.get(`${PAGE}/enviar`));
    expect(asking.rows.map((row) => row.slice(0, 3))).toEqual([
      ['Aceros Tepeyac', 'cobranza@aceros.mx', '$580.00'],
      ['Sin Correo', 'Sin una dirección de correo', '$1.00'],
    ]);
    expect(asking.decodedHtml).toContain('Enviar 1 correo');
    expect((await client.form(`${PAGE}/enviar`, {})).status).toBe(422);
    const sent = await client.form(`${PAGE}/enviar`, { omitir: 'true', corte: '2026-11-20' });
    expect(sent.headers.get('location')).toBe(`${PAGE}?corte=2026-11-20`);
    expect(await fresh.db.selectFrom('mails').select(['para', 'supplierId']).execute()).toEqual([
      { para: 'cobranza@aceros.mx', supplierId },
    ]);
  });

  it('is answered by the API too', async () => {
    const answer = await (await client.get('/api/fiscal/rep/?corte=2026-11-20')).json();
    expect(answer).toMatchObject({
      ...{ corte: '2026-11-20', cuenta: 1, falta: 580, vencido: 580, iva: 80, saldos: [] },
      proveedores: [{ supplierId, suppliername: 'Aceros Tepeyac', falta: 580, atraso: 15 }],
      filas: [{ uuid, fecha: '2026-10-30', falta: 580, vence: '2026-11-05', atraso: 15 }],
      pue: [{ numfactura: 'B-2', falta: 1160, vence: '2026-09-30', atraso: 51 }],
    });
  });
});
