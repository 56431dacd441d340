import type { Migration } from './migration.ts';

/** The contract or purchase order that an invoice was made out on. Frozen, and imports nothing of the application. */
export const invoicesContract: Migration = {
  name: '0004-invoices-contract',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const text = lite ? 'TEXT' : 'text';
    const folded = lite ? 'TEXT' : 'text COLLATE "C"';
    await run(`ALTER TABLE invoices ADD COLUMN contrato ${text} NOT NULL DEFAULT ''`);
    await run(`ALTER TABLE invoices ADD COLUMN "contratoFold" ${folded} NOT NULL DEFAULT ''`);
    for (const statement of lite ? TRIGRAMS : [GIN]) await run(statement);
  },
};

const GIN = 'CREATE INDEX invoices_contrato_search ON invoices USING gin ("contratoFold" gin_trgm_ops)';

const TRIGRAMS = [
  `CREATE VIRTUAL TABLE invoices_contrato_fts USING fts5("contratoFold", content='', contentless_delete=1, tokenize='trigram')`,
  `CREATE TRIGGER invoices_contrato_fts_insert AFTER INSERT ON invoices WHEN new."contratoFold" <> '' BEGIN
    INSERT INTO invoices_contrato_fts (rowid, "contratoFold") VALUES (new.id, new."contratoFold"); END`,
  `CREATE TRIGGER invoices_contrato_fts_update AFTER UPDATE OF "contratoFold" ON invoices
    WHEN new."contratoFold" <> old."contratoFold" BEGIN
    DELETE FROM invoices_contrato_fts WHERE rowid = old.id;
    INSERT INTO invoices_contrato_fts (rowid, "contratoFold")
      SELECT new.id, new."contratoFold" WHERE new."contratoFold" <> ''; END`,
  `CREATE TRIGGER invoices_contrato_fts_delete AFTER DELETE ON invoices WHEN old."contratoFold" <> '' BEGIN
    DELETE FROM invoices_contrato_fts WHERE rowid = old.id; END`,
];
