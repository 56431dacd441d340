import { beforeEach, expect, it } from 'vitest';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { createTestApp, type TestClient } from '../../../support/app.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  createActor,
} from '../../../support/rows.ts';

describeOneDatabase('the aviso de pago', (fresh) => {
  let client: TestClient;
  beforeEach(async () => {
    client = await createTestApp({ db: fresh.db }).as(4);
  });

  it('tells a supplier what was paid on a day, for which invoices, and what remains', async () => {
    const { supplierId, one } = await addPaid();
    const ofDay = await textsOf(client.get(`/estado-cuenta/${supplierId}/aviso.pdf?fecha=2026-11-05`));
    expect(ofDay).toEqual(expect.arrayContaining(['Aviso de pago: Aceros', 'A-1', 'A-2']));
    // 300.00 + 160.00; the payment of a later day is not included.
    expect(ofDay.join(' ')).toContain('$460.00');
    expect(ofDay).toEqual(expect.arrayContaining(['$860.00', '$1,000.00']));
    const ofOne = await textsOf(client.get(`/editpaymentpage/${one}/aviso.pdf`));
    expect(ofOne).toContain('A-1');
    expect(ofOne).not.toContain('A-2');
  });

  it("adds up for its reader, and has the supplier's full name", async () => {
    const suppliername = 'Impermeabilizantes y Recubrimientos Termoseal del Noreste, S. de R.L. de C.V.';
    const supplierId = await addSupplier(fresh.db, { suppliername });
    const facturaproveedorId = await addInvoice(fresh.db, { supplierId, subtotalCents: 100_000 });
    const { id: userId } = await addUser(fresh.db);
    const pay = (paymentdate: string, amountCents: number) =>
      addPayment(fresh.db, { facturaproveedorId, paymentdate, amountCents, userId });
    await pay('2026-11-01', 50_000);
    const first = await pay('2026-11-05', 20_000);
    const second = await pay('2026-11-05', 30_000);
    const texts = await textsOf(client.get(`/editpaymentpage/${first}/aviso.pdf`));
    expect(texts).toEqual(expect.arrayContaining(['$1,160.00', '$500.00', '$200.00', '$460.00']));
    const later = await textsOf(client.get(`/editpaymentpage/${second}/aviso.pdf`));
    expect(later).toEqual(expect.arrayContaining(['$1,160.00', '$700.00', '$300.00', '$160.00']));
    expect(texts.join(' ')).toContain(`Aviso de pago: ${suppliername}`);
  });

  it('asks for the receipt for what is paid in parts', async () => {
    const { one } = await addPaid('PPD');
    expect((await textsOf(client.get(`/editpaymentpage/${one}/aviso.pdf`))).join(' ')).toContain('(REP)');
  });

  it('is sent by the reader’s own mail program, with the document attached', async () => {
    const { one, supplierId } = await addPaid('PPD');
    await changeSetting(fresh.db, createActor(), 'empresa', 'Obras & Cía.');
    const letterOn = async (page: string, says = 'Enviar por correo') => {
      const link = `<a(?=[^>]*aria-label="${says}")[^>]*href="(mailto:[^"]*)"[^>]*data-also="([^"]*)"`;
      const [, letter = '', pdf] = new RegExp(link).exec(await (await client.get(page)).text())!;
      const { pathname, searchParams } = new URL(letter.replaceAll('&amp;', '&'));
      return { to: pathname, subject: searchParams.get('subject'), body: searchParams.get('body'), pdf };
    };
    expect(await letterOn(`/editpaymentpage/${one}`)).toEqual({
      to: 'a@b.mx',
      subject: 'Aviso de pago del jueves 5 de noviembre de 2026',
      body: [
        'Aceros:',
        '',
        'El jueves 5 de noviembre de 2026 les pagamos $300.00; adjunto el aviso.',
        '- A-1: $300.00, resta $860.00',
        'Falta su recibo electrónico de pago (REP).',
        '',
        'Obras & Cía.',
      ].join('\r\n'),
      pdf: `/editpaymentpage/${one}/aviso.pdf`,
    });
    const ofDay = await letterOn(`/editpaymentpage/${one}`, 'Enviar el del día por correo');
    expect(ofDay.body).toContain('El jueves 5 de noviembre de 2026 les pagamos $460.00; adjunto el aviso.');
    expect(ofDay.body).toContain('- A-2: $160.00, resta');
    expect(ofDay.pdf).toBe(`/estado-cuenta/${supplierId}/aviso.pdf?fecha=2026-11-05`);
    const statement = await letterOn(`/estado-cuenta/${supplierId}`);
    expect(statement.subject).toBe('Estado de cuenta al viernes 20 de noviembre de 2026');
    expect(statement.body).toContain('El saldo es $1,760.00, de los que están vencidos $1,760.00.');
    expect(statement.body).toContain('- A-1: $760.00, vence el domingo 1 de noviembre de 2026');
    expect(statement.body!.endsWith('Obras & Cía.')).toBe(true);
    expect(statement.pdf).toBe(`/estado-cuenta/${supplierId}/export.pdf`);
  });

  it('says so if there is nothing to report', async () => {
    const { supplierId } = await addPaid();
    const none = await client.get(`/estado-cuenta/${supplierId}/aviso.pdf?fecha=2026-11-06`);
    expect(none.status).toBe(404);
    expect(await none.text()).toContain('No hay pagos a este proveedor el viernes 6 de noviembre de 2026.');
    expect((await client.get('/editpaymentpage/999/aviso.pdf')).status).toBe(404);
  });

  async function addPaid(metodopago: string | null = null) {
    const { db } = fresh;
    const supplierId = await addSupplier(db, { suppliername: 'Aceros' });
    const invoice = { supplierId, jobId: await addJob(db), fechaemision: '2026-11-01', metodopago };
    const { id: userId } = await addUser(db);
    const origenderecursoId = await addFundingSource(db);
    const pay = (facturaproveedorId: number, paymentdate: string, amountCents: number) =>
      addPayment(db, { facturaproveedorId, paymentdate, amountCents, userId, origenderecursoId });
    const first = await addInvoice(db, { ...invoice, numfactura: 'A-1' });
    const one = await pay(first, '2026-11-05', 300_00);
    await pay(await addInvoice(db, { ...invoice, numfactura: 'A-2' }), '2026-11-05', 160_00);
    await pay(first, '2026-11-09', 100_00);
    return { supplierId, one };
  }
});

async function textsOf(answer: Response | Promise<Response>): Promise<string[]> {
  const response = await answer;
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/pdf');
  return (await readPdf(response)).pages.flatMap(({ texts }) => texts);
}
