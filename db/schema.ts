import type { ColumnType, Generated, Kysely, Transaction } from 'kysely';
import type { Instant, PlainDate } from '../shared/dates.ts';
import type { PlainFields } from '../shared/invoices.ts';
import type { Cents, Rate } from '../shared/money.ts';
import type { BatchState } from '../shared/payment-batches.ts';
import type { PaymentKind } from '../shared/payments.ts';
import type { MovementKind, ReceiptKind } from '../shared/petty-cash.ts';
import type { Folded } from './search-indexes.ts';

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
  files: FilesTable;
  uploads: UploadsTable;
  cfdi_loads: CfdiLoadsTable;
  deleted_files: { id: Generated<number>; sha256: string; deletedAt: Instant };
  attachments: AttachmentsTable;
  /** the firm's, in its one row */
  logo: { id: number; sha256: string };
  credit_notes: CreditNotesTable;
  payment_receipts: PaymentReceiptsTable;
  payment_receipt_lines: PaymentReceiptLinesTable;
  payments: PaymentsTable;
  payment_batches: PaymentBatchesTable;
  payment_batch_lines: PaymentBatchLinesTable;
  payment_batch_signatures: { batchId: number; userId: number; at: Instant };
  payment_batch_files: PaymentBatchFilesTable;
  payment_batch_downloads: { id: Generated<number>; fileId: number; userId: number; at: Instant };
  supplier_accounts: SupplierAccountsTable;
  /** JSON: see server/formats/bank-files */
  bank_layouts: {
    id: Generated<number>;
    code: string;
    definition: string;
    userId: number;
    updatedAt: Instant;
  };
  bank_statements: BankStatementsTable;
  bank_movements: BankMovementsTable;
  petty_cash_funds: PettyCashFundsTable;
  petty_cash_movements: PettyCashMovementsTable;
  petty_cash_replenishments: PettyCashReplenishmentsTable;
  petty_cash_counts: PettyCashCountsTable;
  budgets: BudgetsTable;
  budget_changes: BudgetChangesTable;
  imports: ImportsTable;
  open_imports: OpenImportsTable;
  open_import_rows: OpenImportRowsTable;
  roles: { id: number; rolename: string };
  users: UsersTable;
  user_roles: { userId: number; roleId: number };
  sessions: SessionsTable;
  accounts: AccountsTable;
  verifications: VerificationsTable;
  signin_attempts: SigninAttemptsTable;
  second_factors: SecondFactorsTable;
  backup_codes: { userId: number; hash: string };
  /** JSON */
  user_preferences: { userId: number; name: string; value: string };
  trusted_devices: { hash: string; userId: number; expiresAt: Instant };
  idempotency_keys: IdempotencyKeysTable;
  settings: { key: string; value: string };
  audit: AuditTable;
  audit_rows: AuditRowsTable;
  audit_anchors: AuditAnchorsTable;
  /** `rowsFrom`: the last entry that was written before entries kept the rows they left */
  audit_tail: { id: number; lastId: number; lastHash: string; rowsFrom: Generated<number> };
  schema_migrations: { name: string; appliedAt: Instant };
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
  /** of the firm's own account */
  clabe: string | null;
}

/** Where a supplier is paid; whoever trusts it is another person than who captured it or changed it last. */
interface SupplierAccountsTable extends Kept {
  supplierId: number;
  clabe: string;
  titular: string;
  createdBy: number;
  editedBy: number;
  changedOn: PlainDate;
  trustedBy: number | null;
  trustedAt: Instant | null;
}

/** Kept by `foldedColumns` (search-indexes.ts). */
type FoldedColumns<Table extends 'invoices' | 'payments'> = {
  [Column in keyof Folded<Table>]: Generated<string>;
};

interface InvoicesTable extends Kept, PlainFields, FoldedColumns<'invoices'> {
  supplierId: number;
  jobId: number;
  rubroId: number | null;
  numfactura: string;
  /** letters and digits alone: what "the same number" is compared by */
  numfacturaKey: string;
  subtotalCents: Cents;
  /** null: several rates ("Mixta"), from a CFDI only */
  tasa: Rate | null;
  ivaCents: Cents;
  otrosimpuestosCents: Generated<Cents>;
  retencionesCents: Generated<Cents>;
  totalCents: Cents;
  /** the sum of the invoice's payments, always; the database keeps it between 0 and the total */
  paidCents: Generated<Cents>;
  uuid: string | null;
  /** of an invoice in a foreign currency, which its amounts were converted from; null where they were not */
  moneda: string | null;
  /** the invoice's own rate, an exact decimal as text: what is owed of it stays at that rate */
  tipocambio: string | null;
  /** of the CFDI that it was unlinked from: the same document must not come in again beside it */
  formerUuid: string | null;
  metodopago: string | null;
  userId: number | null;
  /** the one due day, always `dueDay` of the row and its supplier's credit days */
  vence: PlainDate;
  /** the day of `createdAt` in the business's time zone, as it was then */
  fechacaptura: ColumnType<PlainDate, PlainDate, never>;
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

interface PaymentsTable extends Kept, FoldedColumns<'payments'> {
  facturaproveedorId: number;
  origenderecursoId: number | null;
  checknum: string;
  paymentdate: PlainDate;
  /** what it takes off the invoice's debt */
  amountCents: Cents;
  /** what left the bank, or of a credit its note; null where that is the same */
  importebancoCents: Cents | null;
  comments: string;
  userId: number;
  /** 'credito': a part of a credit note, which moves no money */
  kind: Generated<PaymentKind>;
  creditNoteId: number | null;
}

/** The bytes of a file under their own SHA-256, once, whatever refers to them. */
interface FilesTable {
  sha256: string;
  size: number;
  bytes: Uint8Array;
  createdAt: Instant;
}

/** A file that somebody sent and has not decided about yet; goes after two days. */
interface UploadsTable {
  /** random */
  id: string;
  userId: number;
  /** as it was called where it came from: never a path of ours */
  filename: string;
  sha256: string;
  createdAt: Instant;
  /** with which others it was sent, to be stored with them */
  loadId: Generated<string | null>;
}

/** Documents that are looked at and stored together; JSON, see server/services/cfdi/loads.ts. */
interface CfdiLoadsTable {
  /** random */
  id: string;
  userId: number;
  problems: string;
  outcomes: string;
  createdAt: Instant;
}

/** A file that is kept with an invoice, or with a movement of petty cash. */
interface AttachmentsTable {
  id: Generated<number>;
  invoiceId: Generated<number | null>;
  movementId: Generated<number | null>;
  kind: 'cfdi' | 'pdf' | 'imagen';
  filename: string;
  sha256: string;
  importId: number | null;
  userId: number;
  createdAt: Instant;
}

/** A supplier's CFDI of type E; what of it is not applied is the supplier's saldo a favor. */
interface CreditNotesTable {
  id: Generated<number>;
  supplierId: number;
  numero: string;
  numeroKey: string;
  uuid: string | null;
  fecha: PlainDate;
  subtotalCents: Cents;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  /** the sum of the payments of kind `credito` made from it, always; between 0 and the total */
  appliedCents: Generated<Cents>;
  moneda: string;
  tipocambio: string | null;
  /** JSON, as in cfdi_documents */
  detail: string;
  sha256: string | null;
  comments: string;
  importId: number | null;
  userId: number;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** A supplier's CFDI of type P (REP): says which payments it has received. */
interface PaymentReceiptsTable {
  id: Generated<number>;
  supplierId: number;
  numero: string;
  uuid: string;
  fecha: PlainDate;
  /** JSON: parties and the payments as the document states them */
  detail: string;
  sha256: string | null;
  importId: number | null;
  userId: number;
  createdAt: Instant;
}

/** One invoice paid by one of a receipt's payments. */
interface PaymentReceiptLinesTable {
  id: Generated<number>;
  receiptId: number;
  invoiceUuid: string;
  /** null: not on file (yet) */
  invoiceId: number | null;
  /** null: no payment captured that it would belong to */
  paymentId: number | null;
  paidOn: PlainDate;
  /** in the base currency, at the rate of the day it was paid */
  amountCents: Cents;
  /** of the invoice, as the receipt states it */
  moneda: string;
  /** what was paid in that currency, an exact decimal as text; null: it is the base currency, or is not known */
  pagado: string | null;
  parcialidad: number | null;
}

/** Payments to many suppliers that are prepared, signed and made together. */
interface PaymentBatchesTable {
  id: Generated<number>;
  /** the day of its payments */
  fecha: PlainDate;
  origenderecursoId: number;
  estado: Generated<BatchState>;
  comments: string;
  createdBy: number;
  /** who last said what it pays */
  editedBy: number;
  paidBy: Generated<number | null>;
  paidAt: Generated<Instant | null>;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** What a batch pays of one invoice. */
interface PaymentBatchLinesTable {
  id: Generated<number>;
  batchId: number;
  invoiceId: number;
  /** of the invoice when it was chosen */
  supplierId: number;
  amountCents: Cents;
  /** what was made of it; there may be no such payment any more, or again */
  paymentId: Generated<number | null>;
  /** JSON: what the checks found when they were last asked (shared/payment-batches.ts) */
  verdict: string;
  permittedBy: number | null;
  permittedAt: Instant | null;
  /** the codes of what was let through, by commas */
  permittedFor: string | null;
  permitReason: string | null;
  /** the bank sent the money back, or did not pay it */
  refusedAt: Generated<Instant | null>;
}

/** What a bank was sent of a batch. */
interface PaymentBatchFilesTable {
  id: Generated<number>;
  batchId: number;
  layout: string;
  filename: string;
  sha256: string;
  /** how many it asks for: one for each supplier */
  transfers: number;
  totalCents: Cents;
  userId: number;
  createdAt: Instant;
}

interface BankStatementsTable {
  id: Generated<number>;
  origenderecursoId: number;
  layout: string;
  filename: string;
  sha256: string;
  userId: number;
  createdAt: Instant;
}

/** What a bank says of an account, each movement once for its source. */
interface BankMovementsTable {
  id: Generated<number>;
  statementId: number;
  origenderecursoId: number;
  fecha: PlainDate;
  /** below zero: money that left */
  amountCents: Cents;
  referencia: string;
  descripcion: string;
  /** what it is known by when it comes again */
  identity: string;
  outcome: 'pagado' | 'devuelto' | 'ambiguo' | 'sin-partida';
  /** the transfer that it is of */
  batchId: number | null;
  supplierId: number | null;
}

/** A cash box: who holds it, where its money comes from, and what it is filled up to. */
interface PettyCashFundsTable extends Kept {
  nombre: string;
  nombreFold: string;
  /** null: of before funds were users', then `responsable` is the name */
  responsableId: Generated<number | null>;
  responsable: Generated<string>;
  jobId: number | null;
  /** what it holds when nothing is spent */
  montofijoCents: Cents | null;
  /** the most that one expense may be; null: what the firm says */
  topeCents: Cents | null;
  /** what fills it; null: nobody has said */
  origenderecursoId: number | null;
  /** payments to suppliers from this source leave the box, from `openedOn` on */
  pagosOrigenId: number | null;
  openedOn: PlainDate;
  comments: string;
}

interface PettyCashMovementsTable extends Kept {
  fundId: number;
  fecha: PlainDate;
  tipo: MovementKind;
  /** who was paid */
  beneficiario: string;
  concepto: string;
  comprobante: ReceiptKind;
  /** number of the receipt */
  folio: string;
  /** of a CFDI: of no invoice and no other movement (a trigger holds it) */
  uuid: string | null;
  subtotalCents: Cents;
  ivaCents: Cents;
  /** subtotal and IVA, above zero; the kind says which way it goes, but for an ajuste, which says it itself */
  importeCents: Cents;
  /** of a gasto only */
  jobId: number | null;
  rubroId: number | null;
  /** of a gasto without receipt: until when it is to be brought; null: none is awaited */
  comprobarAntes: PlainDate | null;
  /** of a gasto: what asks for its money back; of a reposición: what it pays */
  replenishmentId: number | null;
  /** of an ajuste: the count that found the difference */
  countId: number | null;
  /** where the money of an apertura or reposición came from, or of a devolución went */
  origenderecursoId: number | null;
  comments: string;
  userId: number;
}

/** Expenses whose money is asked for; what was given for them is the reposición that names it. */
interface PettyCashReplenishmentsTable {
  id: Generated<number>;
  fundId: number;
  fecha: PlainDate;
  requestedBy: number;
  authorizedBy: Generated<number | null>;
  comments: string;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** What somebody found in a box, and what should have been in it. */
interface PettyCashCountsTable {
  id: Generated<number>;
  fundId: number;
  fecha: PlainDate;
  /** JSON: how many there were of each denomination, in pesos */
  denominaciones: string;
  contadoCents: Cents;
  esperadoCents: Cents;
  porComprobarCents: Cents;
  porReponerCents: Cents;
  /** the newest movement that it has counted with; null: there was none */
  lastMovementId: number | null;
  /** 1: made unannounced, by somebody else than who holds the box */
  sorpresa: number;
  comments: string;
  userId: number;
  createdAt: ColumnType<Instant, Instant, never>;
}

/** What an obra may cost in one rubro; null: without one. */
interface BudgetsTable extends Kept {
  jobId: number;
  rubroId: number | null;
  /** as it stands now: the last change's */
  amountCents: Cents;
}

/** Every amount that was set; the first one of a budget is its original. */
interface BudgetChangesTable {
  id: Generated<number>;
  budgetId: number;
  amountCents: Cents;
  motivo: string;
  userId: number;
  importId: number | null;
  createdAt: Instant;
}

interface ImportsTable {
  id: Generated<number>;
  kind: string;
  source: string;
  sha256: string;
  at: Instant;
  userId: number;
}

/** An import that is stored in several transactions, while it is under way. */
interface OpenImportsTable {
  /** the import's */
  id: number;
  /** whose it is (see imports/open-imports.ts) */
  owner: string;
  /** when it was last heard of */
  beatAt: Instant;
  /** 1: what it changes it adds to the rolled sums itself (see rolling.ts); only inside of its own transactions */
  rollsItself: Generated<number>;
}

/** Its rows, by their ids, in the order in which they refer to one another. */
export interface OpenImportRowsTable {
  importId: number;
  place: number;
  table: string;
  firstId: number;
  lastId: number;
  /** 1: nobody sees them before it is finished */
  isHidden: number;
  /** 1: nobody may change them, or refer to them; 0 only inside of its own transactions */
  isGuarded: number;
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
  /** when the password was last given, where that was after the sign-in */
  confirmedAt: Generated<Instant | null>;
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

interface SecondFactorsTable {
  userId: number;
  /** the authenticator's, encrypted */
  secret: string;
  /** 1 once a code of it was given; until then nobody is asked for one */
  confirmed: Generated<number>;
  /** the last half minute whose code was taken: no code serves twice */
  lastStep: Generated<number>;
  createdAt: Instant;
}

interface SigninAttemptsTable {
  id: Generated<number>;
  account: string;
  /** as it was typed, up to the @; empty where a session said whose account it is */
  name: Generated<string>;
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
  /** JSON, or null: the rows as it left them (server/services/audit/stored-rows.ts) */
  stored: string | null;
}

/** How the trail ended when that was noted down elsewhere, or was to be: one a day. */
interface AuditAnchorsTable {
  day: PlainDate;
  at: Instant;
  entries: number;
  hash: string;
  /** why it could not be */
  problem: string | null;
  /** 0 or 1 */
  sent: number;
}

/** Rows that one entry left, of one table: those of imports, and of a starting point. */
interface AuditRowsTable {
  id: Generated<number>;
  /** whose rows they are, or belong to, and the first and last of its ids; 0 where those are no numbers */
  entity: string;
  table: string;
  firstId: number;
  lastId: number;
  /** of an import that is stored in several transactions */
  importId: number | null;
  /** over the rows as JSON */
  sha256: string;
  /** JSON, compressed (deflate) */
  rows: Uint8Array;
}
