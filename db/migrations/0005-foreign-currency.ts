import type { Migration } from './migration.ts';

/**
 * A debt in a foreign currency: the invoice's own rate, by which it is owed, what left the bank beside what it
 * settled, and what a receipt says was paid in the invoice's currency. Frozen, and imports nothing of the application.
 */
export const foreignCurrency: Migration = {
  name: '0005-foreign-currency',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const text = lite ? 'TEXT' : 'text';
    const int = lite ? 'INTEGER' : 'bigint';
    await run(`ALTER TABLE invoices ADD COLUMN moneda ${text} CHECK (length(moneda) = 3)`);
    await run(`ALTER TABLE invoices ADD COLUMN tipocambio ${text} CHECK (tipocambio <> '')
      CHECK ((tipocambio IS NULL) = (moneda IS NULL))`);
    // Where nothing else was said, both were the same amount.
    await run(`ALTER TABLE payments ADD COLUMN "importebancoCents" ${int}
      CHECK ("importebancoCents" BETWEEN 1 AND 999999999999) CHECK ("importebancoCents" <> "amountCents")`);
    await run(`ALTER TABLE payment_receipt_lines ADD COLUMN pagado ${text} CHECK (pagado <> '')`);
    // Documents whose amounts were converted kept their withholdings in the base currency too.
    await run(`UPDATE invoices SET moneda = d.moneda, tipocambio = d.tipocambio FROM cfdi_documents d
      WHERE d."invoiceId" = invoices.id AND d.tipocambio IS NOT NULL AND length(d.moneda) = 3
        AND d.detail LIKE '%,"retencionesBase":{%'`);
    // Files of the list ask whether there is any.
    await run(`CREATE INDEX payments_bank ON payments (id) WHERE "importebancoCents" IS NOT NULL`);
    // What is in a petty cash is summed from the index alone: it is what left it.
    await run('DROP INDEX payments_source_date');
    await run(`CREATE INDEX payments_source_date
      ON payments ("origenderecursoId", paymentdate, id, "amountCents", "importebancoCents")`);
  },
};
