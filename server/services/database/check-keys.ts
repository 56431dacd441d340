import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { catalogOf, catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';

/** Values that no two rows of a table may share. */
export const UNIQUE: ReadonlyArray<{
  name: string;
  description: string;
  table: keyof Schema;
  value: RawBuilder<unknown>;
  among: RawBuilder<SqlBool>;
}> = [
  {
    name: 'uuids',
    description: 'Ningún UUID de CFDI está en dos facturas',
    table: 'invoices',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'credit-note-uuids',
    description: 'Ningún UUID está en dos notas de crédito',
    table: 'credit_notes',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'rfcs',
    description: 'Ningún RFC es de dos proveedores',
    table: 'suppliers',
    value: sql`rfc`,
    among: sql`rfc is not null and rfc not in ('XAXX010101000', 'XEXX010101000')`,
  },
  {
    name: 'funds-of-sources',
    description: 'Los pagos de ningún origen salen de dos cajas chicas',
    table: 'petty_cash_funds',
    value: sql`"pagosOrigenId"`,
    among: sql`"pagosOrigenId" is not null`,
  },
  {
    name: 'expense-uuids',
    description: 'Ningún UUID es de dos gastos de caja chica',
    table: 'petty_cash_movements',
    value: sql`lower(uuid)`,
    among: sql`uuid is not null`,
  },
  {
    name: 'budgets-of-places',
    description: 'Ninguna obra tiene dos presupuestos del mismo rubro',
    table: 'budgets',
    value: sql`"jobId" || '/' || coalesce("rubroId", 0)`,
    among: sql`true`,
  },
  {
    name: 'accounts-of-suppliers',
    description: 'Ningún proveedor tiene dos veces la misma CLABE',
    table: 'supplier_accounts',
    value: sql`"supplierId" || '/' || clabe`,
    among: sql`true`,
  },
];

/** Every column that refers to a row of another table. */
export const REFERENCES: Readonly<Partial<Record<keyof Schema, Readonly<Record<string, keyof Schema>>>>> = {
  payments: {
    facturaproveedorId: 'invoices',
    origenderecursoId: 'funding_sources',
    creditNoteId: 'credit_notes',
    userId: 'users',
    importId: 'imports',
  },
  attachments: {
    invoiceId: 'invoices',
    movementId: 'petty_cash_movements',
    sha256: 'files',
    userId: 'users',
    importId: 'imports',
  },
  uploads: { userId: 'users', sha256: 'files', loadId: 'cfdi_loads' },
  cfdi_loads: { userId: 'users' },
  deleted_files: { sha256: 'files' },
  logo: { sha256: 'files' },
  credit_notes: { supplierId: 'suppliers', sha256: 'files', userId: 'users', importId: 'imports' },
  payment_receipts: { supplierId: 'suppliers', sha256: 'files', userId: 'users', importId: 'imports' },
  payment_receipt_lines: {
    receiptId: 'payment_receipts',
    invoiceId: 'invoices',
    paymentId: 'payments',
  },
  invoices: {
    supplierId: 'suppliers',
    jobId: 'jobs',
    rubroId: 'rubros',
    userId: 'users',
    importId: 'imports',
  },
  cfdi_documents: { invoiceId: 'invoices' },
  payment_batches: {
    origenderecursoId: 'funding_sources',
    createdBy: 'users',
    editedBy: 'users',
    sentBy: 'users',
    paidBy: 'users',
  },
  payment_batch_lines: {
    batchId: 'payment_batches',
    invoiceId: 'invoices',
    supplierId: 'suppliers',
    permittedBy: 'users',
  },
  payment_batch_editors: { batchId: 'payment_batches', userId: 'users' },
  payment_batch_signatures: { batchId: 'payment_batches', userId: 'users' },
  petty_cash_funds: {
    responsableId: 'users',
    jobId: 'jobs',
    origenderecursoId: 'funding_sources',
    pagosOrigenId: 'funding_sources',
    importId: 'imports',
  },
  petty_cash_replenishments: {
    fundId: 'petty_cash_funds',
    requestedBy: 'users',
    holderId: 'users',
    authorizedBy: 'users',
  },
  petty_cash_counts: { fundId: 'petty_cash_funds', userId: 'users' },
  payment_batch_files: {
    batchId: 'payment_batches',
    sha256: 'files',
    userId: 'users',
    layoutBy: 'users',
    layoutConfirmedBy: 'users',
  },
  payment_batch_downloads: { fileId: 'payment_batch_files', userId: 'users' },
  supplier_accounts: {
    supplierId: 'suppliers',
    createdBy: 'users',
    editedBy: 'users',
    trustedBy: 'users',
    importId: 'imports',
  },
  supplier_account_editors: { accountId: 'supplier_accounts', userId: 'users' },
  bank_layouts: { userId: 'users', confirmedBy: 'users' },
  bank_statements: { origenderecursoId: 'funding_sources', userId: 'users' },
  bank_movements: {
    statementId: 'bank_statements',
    origenderecursoId: 'funding_sources',
    batchId: 'payment_batches',
    supplierId: 'suppliers',
  },
  petty_cash_movements: {
    fundId: 'petty_cash_funds',
    jobId: 'jobs',
    rubroId: 'rubros',
    replenishmentId: 'petty_cash_replenishments',
    countId: 'petty_cash_counts',
    origenderecursoId: 'funding_sources',
    userId: 'users',
    importId: 'imports',
  },
  budgets: { jobId: 'jobs', rubroId: 'rubros', importId: 'imports' },
  budget_changes: { budgetId: 'budgets', userId: 'users', importId: 'imports' },
  ...Object.fromEntries(catalogs.map((catalog) => [catalog.table, referencesOf(catalog)])),
  imports: { userId: 'users' },
  user_roles: { userId: 'users', roleId: 'roles' },
  accounts: { userId: 'users' },
  sessions: { userId: 'users' },
  second_factors: { userId: 'users' },
  backup_codes: { userId: 'users' },
  trusted_devices: { userId: 'users' },
  user_preferences: { userId: 'users' },
};

function referencesOf({ fields }: Catalog): Record<string, string> {
  const others = fields.flatMap(({ name, ref }) => (ref ? [[name, catalogOf(ref).table]] : []));
  return { ...Object.fromEntries(others), importId: 'imports' };
}
