import { expect, it } from 'vitest';
import { createTestApp } from '../../../support/app.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';

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
