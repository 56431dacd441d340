import type { Migration } from './migration.ts';

/**
 * An import that is stored in several transactions: that it is under way, and which rows are its own. Until it is
 * finished nobody else changes, deletes or refers to one of them; SQLite's alone, where others wait for whoever
 * writes. Frozen, and imports nothing of the application.
 */
export const openImports: Migration = {
  name: '0010-open-imports',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const int = lite ? 'INTEGER' : 'bigint';
    const text = lite ? 'TEXT' : 'text';
    const moment = lite ? 'TEXT' : 'timestamp(3)';
    const end = lite ? ') STRICT' : ')';
    const flag = (name: string) => `"${name}" ${int} NOT NULL CHECK ("${name}" IN (0, 1))`;
    await run(`CREATE TABLE open_imports (id ${int} PRIMARY KEY,
      owner ${text} NOT NULL CHECK (owner <> ''), "beatAt" ${moment} NOT NULL${end}`);
    await run(`CREATE TABLE open_import_rows (
      "importId" ${int} NOT NULL REFERENCES open_imports (id) ON DELETE CASCADE,
      place ${int} NOT NULL, "table" ${text} NOT NULL, "firstId" ${int} NOT NULL, "lastId" ${int} NOT NULL,
      ${flag('isHidden')}, ${flag('isGuarded')}, CHECK ("lastId" >= "firstId"),
      PRIMARY KEY ("importId", place)${end}`);
    if (lite)
      for (const trigger of [...OWN.flatMap(guardOf), ...REFERRING.flatMap(refuse)]) await run(trigger);
  },
};

const RAISE = `BEGIN SELECT RAISE(ABORT, 'rows of an import that is under way'); END`;

const isOpen = (rows: readonly [table: string, id: string][]) =>
  `EXISTS (SELECT 1 FROM open_import_rows WHERE "isGuarded" = 1 AND (${rows
    .map(([table, id]) => `("table" = '${table}' AND ${id} BETWEEN "firstId" AND "lastId")`)
    .join(' OR ')}))`;

/** The lists that imports fill. */
const OWN = [
  'suppliers',
  'clients',
  'jobs',
  'rubros',
  'funding_sources',
  'invoices',
  'credit_notes',
  'payments',
];

const guardOf = (table: string): string[] =>
  ['UPDATE', 'DELETE'].map(
    (event) => `CREATE TRIGGER ${table}_open_import_${event.toLowerCase()} BEFORE ${event} ON ${table}
      WHEN ${isOpen([[table, 'old.id']])} ${RAISE}`,
  );

/** What refers to a row of theirs. */
const REFERRING: [table: string, columns: Record<string, string>][] = [
  ['jobs', { clientId: 'clients' }],
  ['invoices', { supplierId: 'suppliers', jobId: 'jobs', rubroId: 'rubros' }],
  [
    'payments',
    { facturaproveedorId: 'invoices', origenderecursoId: 'funding_sources', creditNoteId: 'credit_notes' },
  ],
  ['credit_notes', { supplierId: 'suppliers' }],
  ['cfdi_documents', { invoiceId: 'invoices' }],
  ['attachments', { invoiceId: 'invoices' }],
  ['payment_receipts', { supplierId: 'suppliers' }],
  ['payment_receipt_lines', { invoiceId: 'invoices', paymentId: 'payments' }],
  ['petty_cash_funds', { fundingSourceId: 'funding_sources' }],
  ['petty_cash_movements', { jobId: 'jobs', rubroId: 'rubros' }],
];

function refuse([table, columns]: (typeof REFERRING)[number]): string[] {
  const names = Object.keys(columns).map((name) => `"${name}"`);
  const when = isOpen(names.map((name, index) => [Object.values(columns)[index]!, `new.${name}`]));
  return [
    `CREATE TRIGGER ${table}_open_import_refer BEFORE INSERT ON ${table} WHEN ${when} ${RAISE}`,
    `CREATE TRIGGER ${table}_open_import_move BEFORE UPDATE OF ${names.join(', ')} ON ${table} WHEN ${when} ${RAISE}`,
  ];
}
