import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { readPage } from '../../../support/page.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import { addActor, addInvoice, addPayment } from '../../../support/rows.ts';

describeOneDatabase('the amount that left the bank', (fresh) => {
  it.each(['Texto', '-5', '1e999', '0', '[{"a":1}]', '10000000000'])(
    'typed as «%s» is refused where it stands, whatever the invoice is in',
    async (importebanco) => {
      const client = await createTestApp({ db: fresh.db }).as(1);
      for (const foreign of [{}, { moneda: 'USD', tipocambio: '17.1234' }]) {
        const facturaproveedorId = await addInvoice(fresh.db, foreign);
        const { userId } = await addActor(fresh.db);
        const id = await addPayment(fresh.db, { facturaproveedorId, amountCents: 1000, userId });
        const sent = { facturaproveedorId, paymentamount: '10', importebanco };
        for (const path of ['/new-payment', `/editpaymentpage/${id}`]) {
          const page = await readPage(await client.form(path, sent));
          expect([400, 422], path).toContain(page.status);
          expect(page.errors, path).toHaveLength(1);
        }
      }
    },
  );
});

describeOneDatabase('the page of a payment', (fresh) => {
  it('opens for every kind that a company has', async () => {
    await fresh.fillDemo();
    const client = await createTestApp({ db: fresh.db }).as(1);
    const each = await fresh.db
      .selectFrom('payments')
      .leftJoin('payment_receipt_lines as lines', 'lines.paymentId', 'payments.id')
      .select((eb) => eb.fn.min('payments.id').as('id'))
      .groupBy(['kind', 'lines.receiptId'])
      .execute();
    expect(each.length).toBeGreaterThan(2);
    for (const { id } of each.slice(0, 20))
      expect([id, (await client.get(`/editpaymentpage/${id}`)).status]).toEqual([id, 200]);
  });
});
