import { expect, it } from 'vitest';
import { importCfdi } from '../../../../server/services/documents/import.ts';
import { createPayment } from '../../../../server/services/payments/payments.ts';
import { findBalanceDifferences } from '../../../../server/services/payments/receipt-balances.ts';
import { buildReceipt, bytesOf, type ReceiptParts, uuidOfNumber } from '../../../support/cfdi.ts';
import { describeEachInLongLane } from '../../../support/proofs.ts';
import { addActor, addInvoice, addJob, addSupplier } from '../../../support/rows.ts';
import { readRow } from '../../../support/stored.ts';

describeEachInLongLane('the balance that a supplier’s receipt states', (fresh) => {
  const prepare = async () => {
    const actor = await addActor(fresh.db, { origin: 'cli' });
    const supplierId = await addSupplier(fresh.db, { rfc: 'EKU9003173C9' });
    const jobId = await addJob(fresh.db);
    const invoice = { supplierId, jobId, uuid: uuidOfNumber(1), numfactura: 'A-1', subtotalCents: 100_000 };
    const facturaproveedorId = await addInvoice(fresh.db, invoice);
    const pay = async (amountCents: number, paymentdate: string) =>
      (await createPayment(fresh.db, actor, { facturaproveedorId, amountCents, paymentdate })).payment.id;
    const receive = (n: number, doctos: ReceiptParts['doctos'], parts: Partial<ReceiptParts> = {}) => {
      const bytes = bytesOf(buildReceipt({ uuid: uuidOfNumber(n), doctos, ...parts }));
      return importCfdi(fresh.db, actor, [{ name: 'r.xml', bytes }], { jobId });
    };
    return { pay, receive };
  };
  const differing = async (paymentId: number) =>
    (await findBalanceDifferences(fresh.db, { paymentId })).get(paymentId);

  it('causes no remark if it equals ours, whatever the order of payments on one day', async () => {
    const { pay, receive } = await prepare();
    const ids = [
      await pay(16_000, '2024-04-04'),
      await pay(30_000, '2024-04-05'),
      await pay(20_000, '2024-04-05'),
    ];
    await receive(90, [
      { amount: '160.00', of: uuidOfNumber(1), saldos: ['1160.00', '1000.00'] },
      { amount: '200.00', of: uuidOfNumber(1), saldos: ['1000.00', '800.00'] },
      { amount: '300.00', of: uuidOfNumber(1), saldos: ['800.00', '500.00'] },
    ]);
    for (const id of ids) expect(await differing(id)).toBeUndefined();
  });

  it('is shown next to ours if they differ, for each payment of its receipt', async () => {
    const { pay, receive } = await prepare();
    const [first, second] = [await pay(16_000, '2024-04-04'), await pay(30_000, '2024-04-05')];
    await receive(90, [
      { amount: '160.00', of: uuidOfNumber(1), saldos: ['1160.00', '1000.00'] },
      { amount: '300.00', of: uuidOfNumber(1), saldos: ['900.00', '600.00'] },
    ]);
    expect(await differing(first!)).toBeUndefined();
    const difference = {
      numero: 'P-1',
      receiptBalances: { beforeCents: 90_000, afterCents: 60_000 },
      storedBalances: { beforeCents: 100_000, afterCents: 70_000 },
    };
    expect(await differing(second!)).toEqual(difference);
    const { id: receiptId } = await readRow(fresh.db, 'payment_receipts', {}, ['id']);
    expect([...(await findBalanceDifferences(fresh.db, { receiptId }))]).toEqual([[second, difference]]);
  });

  it('is not compared if it is not stated, or in another currency', async () => {
    const { pay, receive } = await prepare();
    const [first, second] = [await pay(16_000, '2024-04-05'), await pay(17_500, '2024-04-05')];
    await receive(90, [{ amount: '160.00', of: uuidOfNumber(1) }]);
    const saldos: [string, string] = ['90.00', '80.00'];
    await receive(91, [{ amount: '10.00', of: uuidOfNumber(1), moneda: 'USD', saldos }], {
      moneda: 'USD',
      tipoCambio: '17.50',
    });
    expect(await differing(first!)).toBeUndefined();
    expect(await differing(second!)).toBeUndefined();
  });

  it('is missing if the document of a receipt was never read', async () => {
    const { pay, receive } = await prepare();
    const id = await pay(16_000, '2024-04-05');
    await receive(90, [{ amount: '160.00', of: uuidOfNumber(1), saldos: ['1160.00', '1.00'] }]);
    expect(await differing(id)).toBeDefined();
    for (const detail of ['{}', '{"pagos":[{}]}']) {
      await fresh.db.updateTable('payment_receipts').set({ detail }).execute();
      expect(await differing(id), detail).toBeUndefined();
    }
  });
});
