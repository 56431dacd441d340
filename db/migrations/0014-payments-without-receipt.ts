import type { Migration } from './migration.ts';

/**
 * Adds the receipts (REP) by their day. On SQLite also the payments of PPD invoices that no line of a receipt states in
 * full, which triggers keep (db/payments-without-receipt.ts).
 */
export const paymentsWithoutReceipt: Migration = {
  name: '0014-payments-without-receipt',
  async up(run, dialect) {
    await run('CREATE INDEX payment_receipts_day ON payment_receipts (fecha)');
    if (dialect === 'postgres') return;
    await run(`CREATE TABLE payments_without_receipt (
      "paymentId" INTEGER PRIMARY KEY REFERENCES payments (id) ON DELETE CASCADE) STRICT`);
    await run(insert('true'));
    const trigger = (name: string, event: string, payments: string) =>
      run(`CREATE TRIGGER ${name} AFTER ${event} BEGIN
        DELETE FROM payments_without_receipt WHERE "paymentId" IN (SELECT p.id FROM payments p WHERE ${payments});
        ${insert(payments)}; END`);
    const amounts = '"amountCents", "importebancoCents", kind, "facturaproveedorId"';
    // A new payment is in no receipt yet.
    await run(`CREATE TRIGGER payments_receipt_insert AFTER INSERT ON payments
      WHEN new.kind = 'pago' AND EXISTS (SELECT 1 FROM invoices WHERE id = new."facturaproveedorId" AND metodopago = 'PPD')
      BEGIN INSERT INTO payments_without_receipt VALUES (new.id); END`);
    await trigger('payments_receipt_update', `UPDATE OF ${amounts} ON payments`, 'p.id = new.id');
    await trigger(
      'invoices_receipt_update',
      'UPDATE OF metodopago ON invoices WHEN new.metodopago IS NOT old.metodopago',
      'p."facturaproveedorId" = new.id',
    );
    const lines = 'payment_receipt_lines';
    const [before, after] = ['old', 'new'].map((row) => `${row}."paymentId"`);
    await trigger(`${lines}_receipt_insert`, `INSERT ON ${lines}`, `p.id = ${after}`);
    await trigger(
      `${lines}_receipt_update`,
      `UPDATE OF "paymentId", "amountCents" ON ${lines}`,
      `p.id IN (${before}, ${after})`,
    );
    await trigger(`${lines}_receipt_delete`, `DELETE ON ${lines}`, `p.id = ${before}`);
  },
};

const insert = (payments: string) => `INSERT INTO payments_without_receipt SELECT p.id
  FROM payments p JOIN invoices i ON i.id = p."facturaproveedorId"
  WHERE ${payments} AND p.kind = 'pago' AND i.metodopago = 'PPD' AND NOT EXISTS (SELECT 1 FROM payment_receipt_lines l
    WHERE l."paymentId" = p.id AND l."amountCents" >= coalesce(p."importebancoCents", p."amountCents"))`;
