import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { SEARCH_INDEXES, SEARCHED_COLUMNS } from '../../../db/tables/search-indexes.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { AuditedEntity } from './entities.ts';

export interface ReplayedTable {
  table: keyof Schema;
  /** the column or expression with the id of the row that it belongs to; in the first table its own id */
  key: string | RawBuilder<unknown>;
  /** columns that follow from others or do not matter; the plain check covers those that do */
  derived?: readonly string[];
  /** columns of which the trail keeps only the SHA-256 */
  secret?: readonly string[];
  where?: RawBuilder<SqlBool>;
}

export interface ReplayDefinition {
  /** the row that an entry names, then the rows that belong to it */
  tables: readonly [ReplayedTable, ...ReplayedTable[]];
  /** references to owners: a row that is deleted or restored with its owner has no entry of its own */
  ownedBy?: readonly { table: keyof Schema; column: string }[];
  hasTextIds?: true;
}

/** Documents state the regime; their own entries cover them. */
const DERIVED_OF_CATALOGS: Readonly<Record<string, readonly string[]>> = {
  suppliers: ['regimenFiscal', 'regimenFecha'],
};

/** The rows that imports leave about themselves; the entries of their lists cover them. */
export const IMPORTS = 'imports';

export type ReplayedEntity = AuditedEntity | typeof IMPORTS;

const singleTable = (
  table: keyof Schema,
  options: Omit<ReplayedTable, 'table' | 'key'> = {},
): ReplayDefinition => ({
  tables: [{ table, key: 'id', ...options }],
});

const foldColumnsOf = (table: keyof Schema): string[] =>
  SEARCHED_COLUMNS.filter((column) => SEARCH_INDEXES[column].table === table);

/**
 * `saldo db check --deep` names the rows that are not as their last entry left them. A password's hash opens nothing
 * without its salt, which the trail does not have: of these, and of second factors, it holds a SHA-256.
 */
export const REPLAY_DEFINITIONS: Readonly<Record<ReplayedEntity, ReplayDefinition | 'no rows'>> = {
  ...(Object.fromEntries(
    catalogs.map(({ noun, table, fields }) => [
      noun,
      singleTable(table as keyof Schema, {
        derived: [...fields.flatMap((field) => field.fold ?? []), ...(DERIVED_OF_CATALOGS[noun] ?? [])],
      }),
    ]),
  ) as Record<(typeof catalogs)[number]['noun'], ReplayDefinition>),
  invoices: {
    tables: [
      {
        table: 'invoices',
        key: 'id',
        derived: [...foldColumnsOf('invoices'), 'numfacturaKey', 'paidCents', 'vence'],
      },
      { table: 'cfdi_documents', key: 'invoiceId' },
    ],
  },
  payments: singleTable('payments', { derived: foldColumnsOf('payments') }),
  'double-payments': singleTable('double_payments'),
  'payment-batches': {
    tables: [
      { table: 'payment_batches', key: 'id' },
      { table: 'payment_batch_lines', key: 'batchId', derived: ['verdict', 'movementId'] },
      { table: 'payment_batch_editors', key: 'batchId' },
      { table: 'payment_batch_signatures', key: 'batchId' },
      { table: 'payment_batch_files', key: 'batchId' },
      {
        table: 'payment_batch_downloads',
        key: sql`(select "batchId" from payment_batch_files files where files.id = t."fileId")`,
      },
    ],
  },
  'credit-notes': singleTable('credit_notes', { derived: ['numeroKey', 'appliedCents'] }),
  'payment-receipts': {
    tables: [
      { table: 'payment_receipts', key: 'id' },
      // The invoice and payment of a line are matched anew whenever one of them comes or goes.
      { table: 'payment_receipt_lines', key: 'receiptId', derived: ['invoiceId', 'paymentId'] },
    ],
  },
  attachments: {
    ...singleTable('attachments'),
    ownedBy: [
      { table: 'invoices', column: 'invoiceId' },
      { table: 'petty_cash_movements', column: 'movementId' },
    ],
  },
  'petty-cash-funds': singleTable('petty_cash_funds'),
  // The replenishment decides which expenses it includes: the plain check compares their sums.
  'petty-cash-movements': singleTable('petty_cash_movements', { derived: ['replenishmentId'] }),
  'petty-cash-replenishments': singleTable('petty_cash_replenishments'),
  'petty-cash-counts': singleTable('petty_cash_counts'),
  budgets: {
    tables: [
      { table: 'budgets', key: 'id' },
      { table: 'budget_changes', key: 'budgetId' },
    ],
  },
  users: {
    tables: [
      { table: 'users', key: 'id' },
      { table: 'user_roles', key: 'userId' },
      { table: 'accounts', key: 'userId', secret: ['password'] },
      // The half minute of the last code changes with each sign-in.
      {
        table: 'second_factors',
        key: 'userId',
        derived: ['lastStep'],
        secret: ['secret'],
        where: sql`confirmed = 1`,
      },
    ],
  },
  settings: {
    tables: [
      { table: 'settings', key: 'key' },
      { table: 'logo', key: sql`'logo'` },
      // Layouts from before versions were counted began with the first one.
      { table: 'bank_layouts', key: sql`'plantilla.' || t.code`, derived: ['version'] },
    ],
    hasTextIds: true,
  },
  'supplier-accounts': {
    tables: [
      { table: 'supplier_accounts', key: 'id' },
      { table: 'supplier_account_editors', key: 'accountId' },
    ],
  },
  'bank-statements': {
    tables: [
      { table: 'bank_statements', key: 'id' },
      // Movements without a match are tried again with later statements, and settled one by one: the plain check
      // compares what they were settled with.
      {
        table: 'bank_movements',
        key: 'statementId',
        derived: ['outcome', 'batchId', 'supplierId', 'resolution', 'clase', 'cashMovementId', 'version'],
      },
      { table: 'bank_statement_movements', key: 'statementId' },
    ],
  },
  'bank-rules': singleTable('bank_rules', { derived: ['textoFold'] }),
  // Tries that change nothing but their number have no entry.
  mails: singleTable('mails', {
    derived: ['intentos', 'respuesta', 'proximo', 'claimedUntil', 'handedOver', 'updatedAt'],
  }),
  imports: singleTable('imports'),
  // They are read from the SAT's files, and can be read again.
  'sat-documents': 'no rows',
  'sat-69b': 'no rows',
  // Relations from before they were stored have no entry: they are read from the XML, and can be read again.
  'document-relations': 'no rows',
  database: 'no rows',
};

export const REPLAYED_ENTITIES = Object.entries(REPLAY_DEFINITIONS).flatMap(([entity, definition]) =>
  definition === 'no rows' ? [] : [{ entity: entity as ReplayedEntity, ...definition }],
);

export const findReplayDefinition = (entity: string): ReplayDefinition | undefined => {
  const found = Object.hasOwn(REPLAY_DEFINITIONS, entity)
    ? REPLAY_DEFINITIONS[entity as ReplayedEntity]
    : undefined;
  return found === 'no rows' ? undefined : found;
};
