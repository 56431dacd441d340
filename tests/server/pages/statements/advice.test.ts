import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { readPdf } from '../../../support/pdf.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
} from '../../../support/rows.ts';

describeOneDatabase('aviso de pago', (fresh) => {
  it('tells a supplier what was paid on a day, on which invoices, and what remains', async () => {
    const { supplierId, one } = await addPaid();
    const client = await createTestApp({ db: fresh.db }).as(4);
    const ofDay = await textsOf(client.get(`/estado-cuenta/${supplierId}/aviso.pdf?fecha=2026-11-05`));
    expect(ofDay).toEqual(expect.arrayContaining(['Aviso de pago: Aceros', 'A-1', 'A-2']));
    // 300.00 and 160.00; what was paid of A-1 on a later day is none of this letter's.
    expect(ofDay.join(' ')).toContain('$460.00');
    expect(ofDay).toEqual(expect.arrayContaining(['$860.00', '$1,000.00']));
    const ofOne = await textsOf(client.get(`/editpaymentpage/${one}/aviso.pdf`));
    expect(ofOne).toContain('A-1');
    expect(ofOne).not.toContain('A-2');
  });

  it('asks for the receipt of what is paid in parts', async () => {
    const { one } = await addPaid('PPD');
    const client = await createTestApp({ db: fresh.db }).as(4);
    expect((await textsOf(client.get(`/editpaymentpage/${one}/aviso.pdf`))).join(' ')).toContain('(REP)');
  });

  it('says where there is nothing to tell', async () => {
    const { supplierId } = await addPaid();
    const client = await createTestApp({ db: fresh.db }).as(4);
    const none = await client.get(`/estado-cuenta/${supplierId}/aviso.pdf?fecha=2026-11-06`);
    expect(none.status).toBe(404);
    expect(await none.text()).toContain('No hay pagos a este proveedor el Fri, 06 Nov 2026.');
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
