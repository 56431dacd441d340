import type { Migration } from './migration.ts';

/**
 * Adds an index of receipts (REP) by day, and a table of the payments of PPD invoices that no line of a receipt states
 * in full. Triggers keep this table up to date (db/payments-without-receipt.ts).
 */
export const paymentsWithoutReceipt: Migration = {
  name: '0014-payments-without-receipt',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    await run('CREATE INDEX payment_receipts_day ON payment_receipts (fecha)');
    await run(`CREATE TABLE payments_without_receipt (
      "paymentId" ${lite ? 'INTEGER' : 'bigint'} PRIMARY KEY REFERENCES payments (id) ON DELETE CASCADE)${lite ? ' STRICT' : ''}`);
    await run(insertMissingSql('true'));
    const trigger = async (name: string, event: string, payments: string) => {
      const refresh = `DELETE FROM payments_without_receipt WHERE "paymentId" IN (SELECT p.id FROM payments p WHERE ${payments});
        ${insertMissingSql(payments)};`;
      if (lite)
        return run(`CREATE TRIGGER ${name} AFTER ${event} BEGIN
        ${refresh} END`);
      // If two transactions change facts of one payment, the second waits here, and then sees the first's changes.
      await run(`CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
        PERFORM 1 FROM invoices WHERE id IN (SELECT p."facturaproveedorId" FROM payments p WHERE ${payments})
          ORDER BY id FOR NO KEY UPDATE;
        ${refresh} RETURN NULL; END $$`);
      const each = event.includes(' REFERENCING ') ? 'STATEMENT' : 'ROW';
      await run(`CREATE TRIGGER ${name} AFTER ${event} FOR EACH ${each} EXECUTE FUNCTION ${name}()`);
    };
    const lines = 'payment_receipt_lines';
    const [before, after] = ['old', 'new'].map((row) => `${row}."paymentId"`);
    const amounts = '"amountCents", "importebancoCents", kind, "facturaproveedorId"';
    if (lite) {
      // A new payment is in no receipt yet.
      await run(`CREATE TRIGGER payments_receipt_insert AFTER INSERT ON payments
      WHEN new.kind = 'pago' AND EXISTS (SELECT 1 FROM invoices WHERE id = new."facturaproveedorId" AND metodopago = 'PPD')
      BEGIN INSERT INTO payments_without_receipt VALUES (new.id); END`);
      await trigger(`${lines}_receipt_insert`, `INSERT ON ${lines}`, `p.id = ${after}`);
    } else {
      const added = 'REFERENCING NEW TABLE AS added';
      await trigger(
        'payments_receipt_insert',
        `INSERT ON payments ${added}`,
        'p.id IN (SELECT id FROM added)',
      );
      await trigger(
        `${lines}_receipt_insert`,
        `INSERT ON ${lines} ${added}`,
        'p.id IN (SELECT "paymentId" FROM added)',
      );
    }
    await trigger('payments_receipt_update', `UPDATE OF ${amounts} ON payments`, 'p.id = new.id');
    await trigger(
      'invoices_receipt_update',
      `UPDATE OF metodopago ON invoices${lite ? ' WHEN new.metodopago IS NOT old.metodopago' : ''}`,
      'p."facturaproveedorId" = new.id',
    );
    await trigger(
      `${lines}_receipt_update`,
      `UPDATE OF "paymentId", "amountCents" ON ${lines}`,
      `p.id IN (${before}, ${after})`,
    );
    await trigger(`${lines}_receipt_delete`, `DELETE ON ${lines}`, `p.id = ${before}`);
  },
};

const insertMissingSql = (payments: string) => `INSERT INTO payments_without_receipt SELECT p.id
  FROM payments p JOIN invoices i ON i.id = p."facturaproveedorId"
  WHERE ${payments} AND p.kind = 'pago' AND i.metodopago = 'PPD' AND NOT EXISTS (SELECT 1 FROM payment_receipt_lines l
    WHERE l."paymentId" = p.id AND l."amountCents" >= coalesce(p."importebancoCents", p."amountCents"))`;
