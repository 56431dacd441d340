import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { SEARCH_INDEXES, SEARCHED_COLUMNS } from '../../../db/tables/search-indexes.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { AuditedEntity } from './entities.ts';

export interface ReplayedTable {
  table: keyof Schema;
  /** the column or expression with the id of the entity's row; in the first table, the row's own id */
  key: string | RawBuilder<unknown>;
  /** columns not archived, because they need no check or because the check without --deep compares their sources */
  derivedColumns?: readonly string[];
  /** columns of which the trail keeps only the SHA-256 */
  secretColumns?: readonly string[];
  where?: RawBuilder<SqlBool>;
}

export interface ReplayDefinition {
  /** the row that an entry names, then the rows that belong to it */
  tables: readonly [ReplayedTable, ...ReplayedTable[]];
  /** references to owners: a row that is deleted or restored with its owner has no entry of its own */
  ownerReferences?: readonly { table: keyof Schema; column: string }[];
  hasTextIds?: true;
}

/** A supplier's tax regime is copied from its latest CFDI, which has an entry of its own. */
const DERIVED_CATALOG_COLUMNS: Readonly<Record<string, readonly string[]>> = {
  suppliers: ['regimenFiscal', 'regimenFecha'],
};

/** Import records have no audit entry of their own: the entries of the imported rows archive them. */
export const IMPORTS_ENTITY = 'imports';

export type ReplayedEntity = AuditedEntity | typeof IMPORTS_ENTITY;

const defineSingleTable = (
  table: keyof Schema,
  options: Omit<ReplayedTable, 'table' | 'key'> = {},
): ReplayDefinition => ({
  tables: [{ table, key: 'id', ...options }],
});

const listFoldedColumns = (table: keyof Schema): string[] =>
  SEARCHED_COLUMNS.filter((column) => SEARCH_INDEXES[column].table === table);

/**
 * The rows that the trail archives for each entity, so that `saldo db check --deep` can report those that differ from
 * their last entry. For password hashes and second factors the trail keeps only a SHA-256: a password's hash is of no
 * use without its salt, which the trail does not have.
 */
export const REPLAY_DEFINITIONS: Readonly<Record<ReplayedEntity, ReplayDefinition | 'no rows'>> = {
  ...(Object.fromEntries(
    catalogs.map(({ noun, table, fields }) => [
      noun,
      defineSingleTable(table as keyof Schema, {
        derivedColumns: [
          ...fields.flatMap((field) => field.foldedColumn ?? []),
          ...(DERIVED_CATALOG_COLUMNS[noun] ?? []),
        ],
      }),
    ]),
  ) as Record<(typeof catalogs)[number]['noun'], ReplayDefinition>),
  invoices: {
    tables: [
      {
        table: 'invoices',
        key: 'id',
        derivedColumns: [...listFoldedColumns('invoices'), 'numfacturaKey', 'paidCents', 'vence'],
      },
      { table: 'cfdi_documents', key: 'invoiceId' },
    ],
  },
  payments: defineSingleTable('payments', { derivedColumns: listFoldedColumns('payments') }),
  'double-payments': defineSingleTable('double_payments'),
  'payment-batches': {
    tables: [
      { table: 'payment_batches', key: 'id' },
      { table: 'payment_batch_lines', key: 'batchId', derivedColumns: ['verdict', 'movementId'] },
      { table: 'payment_batch_editors', key: 'batchId' },
      { table: 'payment_batch_signatures', key: 'batchId' },
      { table: 'payment_batch_files', key: 'batchId' },
      {
        table: 'payment_batch_downloads',
        key: sql`(select "batchId" from payment_batch_files files where files.id = t."fileId")`,
      },
    ],
  },
  'credit-notes': defineSingleTable('credit_notes', { derivedColumns: ['numeroKey', 'appliedCents'] }),
  'payment-receipts': {
    tables: [
      { table: 'payment_receipts', key: 'id' },
      // The invoice and payment of a line are matched again whenever one of them is added or removed.
      { table: 'payment_receipt_lines', key: 'receiptId', derivedColumns: ['invoiceId', 'paymentId'] },
    ],
  },
  attachments: {
    ...defineSingleTable('attachments'),
    ownerReferences: [
      { table: 'invoices', column: 'invoiceId' },
      { table: 'petty_cash_movements', column: 'movementId' },
    ],
  },
  'petty-cash-funds': defineSingleTable('petty_cash_funds'),
  // The replenishment of an expense is not archived, because the check without --deep compares the sums.
  'petty-cash-movements': defineSingleTable('petty_cash_movements', { derivedColumns: ['replenishmentId'] }),
  'petty-cash-replenishments': defineSingleTable('petty_cash_replenishments'),
  'petty-cash-counts': defineSingleTable('petty_cash_counts'),
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
      { table: 'accounts', key: 'userId', secretColumns: ['password'] },
      // `lastStep`, the half minute of the last one-time code that was used, changes with each sign-in.
      {
        table: 'second_factors',
        key: 'userId',
        derivedColumns: ['lastStep'],
        secretColumns: ['secret'],
        where: sql`confirmed = 1`,
      },
    ],
  },
  settings: {
    tables: [
      { table: 'settings', key: 'key' },
      { table: 'logo', key: sql`'logo'` },
      // Layouts that are older than the column `version` were given their first version without an audit entry.
      { table: 'bank_layouts', key: sql`'plantilla.' || t.code`, derivedColumns: ['version'] },
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
      // These columns change when later statements match open movements and when users resolve movements. The check
      // without --deep compares the movements with what resolved them.
      {
        table: 'bank_movements',
        key: 'statementId',
        derivedColumns: [
          'outcome',
          'batchId',
          'supplierId',
          'resolution',
          'clase',
          'cashMovementId',
          'version',
        ],
      },
      { table: 'bank_statement_movements', key: 'statementId' },
    ],
  },
  'bank-rules': defineSingleTable('bank_rules', { derivedColumns: ['textoFold'] }),
  // Attempts to send a mail that change only these columns have no audit entry.
  mails: defineSingleTable('mails', {
    derivedColumns: ['intentos', 'respuesta', 'proximo', 'claimedUntil', 'handedOver', 'updatedAt'],
  }),
  imports: defineSingleTable('imports'),
  // The rows come from the SAT's files, which can be imported again.
  'sat-documents': 'no rows',
  'sat-69b': 'no rows',
  // Relations imported before this table existed have no entry. They come from the XML and can be read again.
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
