import type { Kysely, Transaction } from 'kysely';
import type { Instant } from '../shared/dates.ts';
import type { AuditTables } from './tables/audit.ts';
import type { CatalogsTables } from './tables/catalogs.ts';
import type { FilesTables } from './tables/files.ts';
import type { InvoicesTables } from './tables/invoices.ts';
import type { MailsTables } from './tables/mails.ts';
import type { PaymentsTables } from './tables/payments.ts';
import type { PettyCashTables } from './tables/petty-cash.ts';
import type { SatTables } from './tables/sat.ts';
import type { UsersTables } from './tables/users.ts';

/**
 * The schema of both databases. Money columns end in Cents (integer cents), `tasa` is a percentage times 10,000, dates
 * are YYYY-MM-DD text, moments UTC text. Columns ending in Fold contain the folded text for searching and sorting.
 */
export interface Schema
  extends CatalogsTables,
    InvoicesTables,
    PaymentsTables,
    PettyCashTables,
    FilesTables,
    MailsTables,
    SatTables,
    UsersTables,
    AuditTables {
  settings: { key: string; value: string };
  schema_migrations: { name: string; appliedAt: Instant };
}

export type Db = Kysely<Schema>;
/** A handle inside a transaction; functions that take one must be called within inTransaction. */
export type Trx = Transaction<Schema>;
