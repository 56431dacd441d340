import type { Migration } from './migration.ts';

/**
 * Takes away the sums that were kept beside invoices and payments, and what marked the rows of an import stored in
 * several transactions; the indexes that are left answer sums by themselves. Frozen, and imports nothing of the
 * application.
 */
export const plainSums: Migration = {
  name: '0041-plain-sums',
  async up(run, dialect) {
    const lite = dialect === 'sqlite';
    const on = (table: string) => (lite ? '' : ` ON ${table}`);
    for (const [log, table] of LOGS)
      for (const event of ['insert', 'delete', 'update', ...(lite ? [] : ['truncate'])])
        await run(`DROP TRIGGER ${log}_${event}${on(table)}`);
    await run(`DROP TRIGGER payment_changes_moved${on('invoices')}`);
    for (const statement of lite ? SQLITE : POSTGRES) await run(statement);
    await run('DROP INDEX invoice_sums_supplier');
    for (const table of SUMS) await run(`DROP TABLE ${table}`);
    for (const table of ['open_import_rows', 'open_imports']) await run(`DROP TABLE ${table}`);
    await run('DROP INDEX audit_rows_import');
    await run('ALTER TABLE audit_rows DROP COLUMN "importId"');
    for (const name of GONE) await run(`DROP INDEX ${name}`);
    for (const [name, columns] of INDEXES) {
      await run(`DROP INDEX IF EXISTS ${name}`);
      await run(`CREATE INDEX ${name} ON ${columns(lite ? '' : ' NULLS FIRST')}`);
    }
  },
};

const LOGS = [
  ['invoice_changes', 'invoices'],
  ['payment_changes', 'payments'],
] as const;

const SUMS = [
  'invoice_changes',
  'payment_changes',
  'invoice_sums',
  'invoice_day_sums',
  'invoice_month_sums',
  'invoice_due_sums',
  'payment_day_sums',
  'payment_source_sums',
  'payment_month_sums',
];

const GUARDED = [
  'suppliers',
  'clients',
  'jobs',
  'rubros',
  'funding_sources',
  'invoices',
  'credit_notes',
  'payments',
  'budgets',
  'supplier_accounts',
];

const REFERRING = [
  'jobs',
  'invoices',
  'payments',
  'credit_notes',
  'cfdi_documents',
  'payment_receipts',
  'payment_receipt_lines',
  'budgets',
  'payment_batches',
  'payment_batch_lines',
  'attachments',
  'petty_cash_funds',
  'petty_cash_movements',
  'supplier_accounts',
  'bank_statements',
];

const REFUSED = "'the audit trail is append-only'";

const SQLITE = [
  ...GUARDED.flatMap((table) => ['update', 'delete'].map((what) => `${table}_open_import_${what}`)),
  ...REFERRING.flatMap((table) => ['refer', 'move'].map((what) => `${table}_open_import_${what}`)),
  'audit_rows_no_delete',
]
  .map((name) => `DROP TRIGGER ${name}`)
  .concat(
    ['insert', 'update', 'delete'].map((event) => `DROP TRIGGER invoices_contrato_fts_${event}`),
    'DROP TABLE invoices_contrato_fts',
    `CREATE TRIGGER audit_rows_no_delete BEFORE DELETE ON audit_rows BEGIN SELECT RAISE(ABORT, ${REFUSED}); END`,
  );

const POSTGRES = [
  ...['note', 'fold', 'forget'].flatMap((name) => LOGS.map(([log]) => `DROP FUNCTION ${name}_${log}()`)),
  'DROP FUNCTION move_payment_changes()',
  'DROP INDEX invoices_contrato_search',
  `CREATE OR REPLACE FUNCTION refuse_audit_rows_change() RETURNS trigger LANGUAGE plpgsql AS
    $$ BEGIN RAISE EXCEPTION ${REFUSED}; END $$`,
];

const GONE = [
  'invoices_job',
  'invoices_rubro',
  'invoices_user',
  'invoices_vence',
  'invoices_undated',
  'invoices_receipted',
  'invoices_rubro_issued',
  'invoices_owed',
];

const AMOUNTS = '"totalCents", "paidCents", "subtotalCents", "otrosimpuestosCents"';

const INDEXES: [name: string, columns: (nulls: string) => string][] = [
  ['invoices_issued', (nulls) => `invoices (fechaemision${nulls}, id, "jobId", "rubroId", ${AMOUNTS})`],
  ['invoices_job_cost', () => `invoices ("jobId", fechaemision, "rubroId", ${AMOUNTS})`],
  [
    'invoices_supplier',
    (nulls) =>
      `invoices ("supplierId", fechavencimiento${nulls}, id, ${AMOUNTS}, fechaemision, fechacaptura, "jobId")`,
  ],
  [
    'payments_date',
    () => 'payments (paymentdate, id, kind, "facturaproveedorId", "amountCents", "importebancoCents")',
  ],
];
