import type { ColumnType, Generated, Kysely, Transaction, Updateable } from 'kysely';
import type { Instant, PlainDate } from '../shared/dates.ts';
import type { Cents, Rate } from '../shared/money.ts';

/**
 * The one schema of both databases. Money columns end in Cents (integer cents), `tasa` is a percentage
 * times 10,000, dates are YYYY-MM-DD text, moments UTC text. Columns ending in Fold hold the same text
 * folded for searching and sorting.
 */
export interface Schema {
  suppliers: SuppliersTable;
  clients: ClientsTable;
  jobs: JobsTable;
  rubros: RubrosTable;
  funding_sources: FundingSourcesTable;
  invoices: InvoicesTable;
  cfdi_documents: CfdiDocumentsTable;
  payments: PaymentsTable;
  petty_cash_funds: PettyCashFundsTable;
  petty_cash_movements: PettyCashMovementsTable;
  imports: ImportsTable;
  roles: { id: number; rolename: string };
  users: UsersTable;
  user_roles: { userId: number; roleId: number };
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  signin_attempts: SigninAttemptsTable;
  idempotency_keys: IdempotencyKeysTable;
  settings: { key: string; value: string };
  audit: AuditTable;
  audit_tail: { id: number; lastId: number; lastHash: string };
  schema_migrations: { name: string; appliedAt: Instant };
  /** SQLite only: FTS5 trigram indexes, kept by triggers */
  invoices_fts: { rowid: number; invoices_fts: string };
  payments_fts: { rowid: number; payments_fts: string };
}

export type Db = Kysely<Schema>;
/** A handle inside a transaction; what takes one must be called within inTransaction. */
export type Trx = Transaction<Schema>;

/** What every row that people edit carries. */
interface Kept {
  id: Generated<number>;
  importId: number | null;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

interface SuppliersTable extends Kept {
  suppliername: string;
  suppliernameFold: string;
  suppliercontactperson: string;
  suppliercontactpersonFold: Generated<string>;
  suppliercontactphone: string;
  suppliercontactemail: string;
  rfc: string | null;
  diascredito: number;
}

interface ClientsTable extends Kept {
  clientname: string;
  clientnameFold: string;
  clientcontactperson: string;
  clientcontactphone: string;
  clientcontactemail: string;
}

interface JobsTable extends Kept {
  jobtitle: string;
  jobtitleFold: string;
  jobdescription: string;
  jobstartdate: PlainDate | null;
  jobduedate: PlainDate | null;
  clientId: number;
}

interface RubrosTable extends Kept {
  nombrerubro: string;
  nombrerubroFold: string;
  descripcionrubro: string;
}

interface FundingSourcesTable extends Kept {
  origenderecursonombre: string;
  origenderecursonombreFold: string;
  origenderecursodescripcion: string;
}

interface InvoicesTable extends Kept {
  supplierId: number;
  jobId: number;
  rubroId: number | null;
  numfactura: string;
  numfacturaFold: string;
  /** letters and digits alone: what "the same number" is compared by */
  numfacturaKey: string;
  fechaemision: PlainDate | null;
  fecharecepcion: PlainDate | null;
  fechavencimiento: PlainDate | null;
  subtotalCents: Cents;
  /** null: several rates ("Mixta"), from a CFDI only */
  tasa: Rate | null;
  ivaCents: Cents;
  otrosimpuestosCents: Generated<Cents>;
  retencionesCents: Generated<Cents>;
  totalCents: Cents;
  /** the sum of the invoice's payments, always; the database keeps it between 0 and the total */
  paidCents: Generated<Cents>;
  comments: string;
  uuid: string | null;
  /** of the CFDI that it was unlinked from: the same document must not come in again beside it */
  formerUuid: string | null;
  metodopago: string | null;
  userId: number | null;
}

/** What a CFDI said that the invoice's own columns do not hold; goes with the link to it. */
interface CfdiDocumentsTable {
  invoiceId: number;
  version: string;
  moneda: string;
  tipocambio: string | null;
  /** JSON: amounts in the document's currency, parts of taxes and withholdings, receptor */
  detail: string;
}

interface PaymentsTable extends Kept {
  facturaproveedorId: number;
  origenderecursoId: number | null;
  checknum: string;
  checknumFold: string;
  paymentdate: PlainDate;
  amountCents: Cents;
  comments: string;
  userId: number;
}

/** A cash box kept for a funding source; supplier payments from that source go out of it from `openedOn` on. */
interface PettyCashFundsTable extends Kept {
  fundingSourceId: number;
  responsable: string;
  openedOn: PlainDate;
  openingCents: Cents;
  comments: string;
}

interface PettyCashMovementsTable extends Kept {
  fundId: number;
  movementdate: PlainDate;
  kind: 'ingreso' | 'gasto';
  concept: string;
  /** number of the receipt */
  comprobante: string;
  /** above zero; the kind says which way it goes */
  amountCents: Cents;
  /** of a gasto only */
  jobId: number | null;
  rubroId: number | null;
  comments: string;
  userId: number;
}

interface ImportsTable {
  id: Generated<number>;
  kind: string;
  source: string;
  sha256: string;
  at: Instant;
  userId: number;
}

interface UsersTable {
  id: Generated<number>;
  username: string;
  email: string;
  /** better-auth's own fields; ours are the ones below */
  name: string;
  emailVerified: number | boolean;
  image: string | null;
  createdAt: AuthInstant;
  updatedAt: AuthInstant;
  employeenumber: string | null;
  userfirstname: string;
  userlastname: string;
  /** 0 or 1 on both databases */
  active: Generated<number>;
  mustChangePassword: Generated<number>;
  /** until when a password set by somebody else serves */
  passwordExpiresAt: Instant | null;
}

/** Columns better-auth writes: text on SQLite, timestamptz (a Date) on PostgreSQL. */
export type AuthInstant = ColumnType<string | Date, string | Date, string | Date>;

interface SessionsTable {
  id: Generated<number>;
  token: string;
  userId: number;
  expiresAt: AuthInstant;
  createdAt: AuthInstant;
  updatedAt: AuthInstant;
  ipAddress: string | null;
  userAgent: string | null;
}

interface AccountsTable {
  id: Generated<number>;
  accountId: string;
  providerId: string;
  userId: number;
  accessToken: string | null;
  refreshToken: string | null;
  idToken: string | null;
  accessTokenExpiresAt: AuthInstant | null;
  refreshTokenExpiresAt: AuthInstant | null;
  scope: string | null;
  password: string | null;
  createdAt: AuthInstant;
  updatedAt: AuthInstant;
}

interface VerificationsTable {
  id: Generated<number>;
  identifier: string;
  value: string;
  expiresAt: AuthInstant;
  createdAt: AuthInstant;
  updatedAt: AuthInstant;
}

interface SigninAttemptsTable {
  id: Generated<number>;
  account: string;
  address: string;
  at: Instant;
  succeeded: number;
}

interface IdempotencyKeysTable {
  userId: number;
  method: string;
  path: string;
  key: string;
  bodyHash: string;
  status: number;
  answer: string;
  createdAt: Instant;
}

export interface AuditTable {
  id: number;
  at: Instant;
  userId: number | null;
  username: string;
  origin: string;
  action: string;
  entity: string;
  entityId: string | null;
  /** JSON, or null */
  before: string | null;
  after: string | null;
  prevHash: string;
  hash: string;
}

export type InvoiceChange = Updateable<InvoicesTable>;
