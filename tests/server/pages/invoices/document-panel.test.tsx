import { expect, it } from 'vitest';
import { inTransaction } from '../../../../db/transaction.ts';
import { type AttachmentOwner, attachFile } from '../../../../server/services/attachments.ts';
import { createMovement } from '../../../../server/services/petty-cash/movements.ts';
import { createTestApp } from '../../../support/app.ts';
import { buildCfdi, bytesOf } from '../../../support/cfdi.ts';
import { buildPdf } from '../../../support/files.ts';
import { readPage } from '../../../support/page.ts';
import { addFund, createExpenseValues } from '../../../support/petty-cash.ts';
import { buildPng } from '../../../support/pictures.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment } from '../../../support/rows.ts';

const UUID = 'AAAAAAAA-0021-4000-8000-00000000000A';

describeOneDatabase('a document', (fresh) => {
  const attach = async (owner: AttachmentOwner, filename: string, bytes: Uint8Array) => {
    const actor = await addActor(fresh.db);
    return inTransaction(fresh.db, (trx) => attachFile(trx, actor, owner, { filename, bytes }));
  };
  const read = async (address: string) =>
    readPage((await createTestApp({ db: fresh.db }).as(5)).get(address));
  const textOf = (html: string) =>
    /<article class="document-sheet" id="document">(.*?)<\/article>/s
      .exec(html)![1]!
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');

  it('of an invoice is shown as a sheet: parties, concepts, taxes, relations and UUID, escaped', async () => {
    const id = await addInvoice(fresh.db);
    const xml = buildCfdi({
      uuid: UUID,
      root: { Serie: '&lt;b&gt;', Folio: '7' },
      relacionados: `<{p}CfdiRelacionados TipoRelacion="04"><{p}CfdiRelacionado UUID="${UUID.replace('0021', '0022')}"/></{p}CfdiRelacionados>`,
    });
    const attachment = await attach(id, 'factura.xml', bytesOf(xml));
    const page = await read(`/editinvoicepage/${id}/adjuntos/${attachment}/ver`);
    expect(page.status).toBe(200);
    const text = textOf(page.decodedHtml);
    for (const part of [
      'Factura &lt;b',
      'Escuela Kemper EKU9003173C9',
      UUID,
      'Subtotal $1,000.00',
      'IVA 16 % $160.00',
      'Total $1,160.00',
      `Sustituye a ${UUID.replace('0021', '0022')}`,
    ])
      expect(text).toContain(part);
    expect(page.decodedHtml).not.toContain('<b>');
  });

  it('that cannot be read says so, and a photo and a PDF are named by their file', async () => {
    const id = await addInvoice(fresh.db);
    const broken = await attach(id, 'roto.xml', Buffer.from('<Comprobante>'));
    const photo = await attach(id, 'foto.png', buildPng(2, 2));
    const pdf = await attach(id, 'factura.pdf', buildPdf());
    const address = (attachment: number) => `/editinvoicepage/${id}/adjuntos/${attachment}`;
    expect((await read(`${address(broken)}/ver`)).decodedHtml).toContain('No se puede mostrar: ');
    expect((await read(`${address(photo)}/ver`)).decodedHtml).toContain(`<img src="${address(photo)}"`);
    expect((await read(`${address(pdf)}/ver`)).decodedHtml).toContain(`<p data-pdf="${address(pdf)}">`);
    expect((await read(`${address(99)}/ver`)).status).toBe(404);
    expect((await read(`/editinvoicepage/${await addInvoice(fresh.db)}/adjuntos/${pdf}/ver`)).status).toBe(
      404,
    );
  });

  it('stands beside its invoice, its payments and its expense, an XML before a PDF, and nowhere else', async () => {
    const facturaproveedorId = await addInvoice(fresh.db);
    const { userId } = await addActor(fresh.db);
    const paymentId = await addPayment(fresh.db, { facturaproveedorId, userId, amountCents: 100 });
    expect((await read(`/editinvoicepage/${facturaproveedorId}`)).decodedHtml).not.toContain(
      'data-documents',
    );
    const pdf = await attach(facturaproveedorId, 'factura.pdf', buildPdf());
    const xml = await attach(facturaproveedorId, 'factura.xml', bytesOf(buildCfdi({ uuid: UUID })));
    const shownOn = async (address: string) => {
      const [, panel = ''] =
        /data-documents="">(.*?)<\/aside>/s.exec((await read(address)).decodedHtml) ?? [];
      return [...panel.matchAll(/<a href="([^"]+)"/g)].map(([, href]) => href);
    };
    const addresses = [xml, pdf].map((one) => `/editinvoicepage/${facturaproveedorId}/adjuntos/${one}/ver`);
    expect(await shownOn(`/editinvoicepage/${facturaproveedorId}`)).toEqual(addresses);
    expect(await shownOn(`/editpaymentpage/${paymentId}`)).toEqual(addresses);
    const fund = await addFund(fresh.db, { openedOn: '2026-11-01' });
    const { movement } = await createMovement(
      fresh.db,
      await addActor(fresh.db),
      fund.id,
      createExpenseValues(),
    );
    const ticket = await attach({ movementId: movement.id }, 'ticket.png', buildPng(2, 2));
    const expense = `/caja-chica/movimientos/${movement.id}`;
    expect(await shownOn(expense)).toEqual([`${expense}/adjuntos/${ticket}/ver`]);
  });
});
