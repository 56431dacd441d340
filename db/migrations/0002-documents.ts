import type { Migration } from './migration.ts';

/**
 * Adds a table of which document replaces which (SAT, c_TipoRelacion 04), whether or not either of them is stored: a
 * replaced document is recognized even if it arrives later. The table is filled from the details of stored documents.
 * The details of payment receipts lack the replaced documents until their XML is loaded again. Also adds the bank
 * movement that paid a line of a batch.
 */
export const documents: Migration = {
  name: '0002-documents',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const text = lite ? 'TEXT' : 'text COLLATE "C"';
    await run(`CREATE TABLE document_relations (uuid ${text} NOT NULL CHECK (uuid = upper(uuid)),
      "replacedUuid" ${text} NOT NULL CHECK ("replacedUuid" = upper("replacedUuid")),
      kind ${text} NOT NULL CHECK (kind IN ('I', 'E', 'P')), numero text NOT NULL, rfc ${text} NOT NULL,
      PRIMARY KEY (uuid, "replacedUuid", rfc))${lite ? ' STRICT, WITHOUT ROWID' : ''}`);
    // which documents replace this one
    await run('CREATE INDEX document_relations_replaced ON document_relations ("replacedUuid", uuid)');
    const replaced = lite
      ? `json_each(d.detail, '$.replaces')`
      : `jsonb_array_elements_text(coalesce(d.detail::jsonb -> 'replaces', '[]')) AS r (value)`;
    const rfc = lite ? `json_extract(d.detail, '$.emisor.rfc')` : `(d.detail::jsonb #>> '{emisor,rfc}')`;
    for (const [kind, number, from] of [
      ['I', 'numfactura', 'invoices i JOIN cfdi_documents d ON d."invoiceId" = i.id'],
      ['E', 'numero', 'credit_notes d'],
    ] as const)
      await run(`INSERT INTO document_relations (uuid, "replacedUuid", kind, numero, rfc)
        SELECT DISTINCT upper(uuid), upper(value), '${kind}', ${number}, upper(${rfc})
        FROM ${from}, ${replaced} WHERE uuid IS NOT NULL AND upper(value) <> upper(uuid) AND ${rfc} IS NOT NULL
        ON CONFLICT DO NOTHING`);
    // For earlier payments, the bank movement is found by the sum that it paid, unless the bank returned the money.
    await run(`ALTER TABLE payment_batch_lines ADD COLUMN "movementId" ${lite ? 'INTEGER' : 'bigint'}
      REFERENCES bank_movements (id)`);
    const ofTransfer = (
      outcome: string,
    ) => `FROM bank_movements m WHERE m."batchId" = payment_batch_lines."batchId"
      AND m."supplierId" = payment_batch_lines."supplierId" AND m.outcome = '${outcome}'`;
    await run(`UPDATE payment_batch_lines SET "movementId" = (SELECT max(m.id) ${ofTransfer('pagado')}
        AND -m."amountCents" = (SELECT sum(l."amountCents") FROM payment_batch_lines l
          WHERE l."batchId" = m."batchId" AND l."supplierId" = m."supplierId" AND l."paymentId" IS NOT NULL))
      WHERE "paymentId" IS NOT NULL AND "refusedAt" IS NULL
        AND (SELECT count(*) ${ofTransfer('pagado')}) > (SELECT count(*) ${ofTransfer('devuelto')})`);
  },
};
