import type { Generated } from 'kysely';
import type {
  BankMovement,
  BankRule,
  BankStatement,
  MatchOutcome,
  Resolution,
} from '../../shared/bank-statements.ts';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { BatchFile, PaymentBatch } from '../../shared/payment-batches.ts';
import type { Payment } from '../../shared/payments.ts';
import type { FoldedColumns, ImportableRow, VersionedRow } from './rows.ts';

type PaymentColumn =
  | 'facturaproveedorId'
  | 'origenderecursoId'
  | 'checknum'
  | 'paymentdate'
  | 'amountCents'
  | 'importebancoCents'
  | 'importemonedaCents'
  | 'comments'
  | 'userId'
  | 'creditNoteId';

export interface PaymentsTables {
  payments: ImportableRow &
    FoldedColumns<'payments'> &
    Pick<Payment, PaymentColumn> & { kind: Generated<Payment['kind']> };
  payment_batches: VersionedRow &
    Pick<PaymentBatch, 'fecha' | 'origenderecursoId' | 'comments' | 'createdBy' | 'editedBy'> & {
      estado: Generated<PaymentBatch['estado']>;
      sentBy: Generated<number | null>;
      sentOn: Generated<PlainDate | null>;
      paidBy: Generated<number | null>;
      paidAt: Generated<Instant | null>;
    };
  payment_batch_lines: {
    id: Generated<number>;
    batchId: number;
    invoiceId: number;
    /** the invoice's supplier at the time when the invoice was chosen */
    supplierId: number;
    amountCents: Cents;
    /** the payment made from this line; it may have been deleted or restored since */
    paymentId: Generated<number | null>;
    /** the bank movement that paid this line or confirmed its payment, unless the bank has returned it since */
    movementId: Generated<number | null>;
    /** JSON: the findings of the last checks (shared/payment-batches.ts) */
    verdict: string;
    permittedBy: number | null;
    permittedAt: Instant | null;
    /** the codes of the permitted findings, separated by commas */
    permittedFor: string | null;
    permitReason: string | null;
    refusedAt: Generated<Instant | null>;
    /** when the bank got the line, in a file that was downloaded or by hand; null: it has not */
    sentAt: Generated<Instant | null>;
  };
  payment_batch_editors: { batchId: number; userId: number };
  payment_batch_signatures: { batchId: number; userId: number; at: Instant };
  payment_batch_files: Omit<
    BatchFile,
    'id' | 'layoutAuthor' | 'layoutConfirmer' | 'username' | 'downloads'
  > & {
    id: Generated<number>;
    batchId: number;
    userId: number;
    /** who changed the layout, and who confirmed it; null: the layout is a built-in one */
    layoutBy: number | null;
    layoutConfirmedBy: number | null;
  };
  payment_batch_downloads: { id: Generated<number>; fileId: number; userId: number; at: Instant };
  /** Why two payments are not a double payment. The reason stays if one of them is deleted and restored. */
  double_payments: {
    id: Generated<number>;
    paymentId: number;
    otherPaymentId: number;
    motivo: string;
    userId: number;
    createdAt: Instant;
  };
  bank_layouts: {
    id: Generated<number>;
    code: string;
    /** JSON, described in server/formats/bank-files */
    definition: string;
    userId: number;
    updatedAt: Instant;
    /** ids of all users who changed the layout since its last confirmation, separated by commas */
    authors: string;
    /** null: the layout is unconfirmed, and not used */
    confirmedBy: number | null;
    confirmedAt: Instant | null;
    version: Generated<number>;
  };
  bank_statements: {
    id: Generated<number>;
    origenderecursoId: number;
    layout: string;
    filename: string;
    sha256: string;
    userId: number;
    createdAt: Instant;
  } & Pick<BankStatement, 'saldoinicialCents' | 'saldofinalCents' | 'saldofecha' | 'saldorenglon'>;
  /** A bank movement is stored once per funding source, in whichever statements it appears. */
  bank_movements: Pick<
    BankMovement,
    'fecha' | 'amountCents' | 'referencia' | 'descripcion' | 'batchId' | 'supplierId'
  > & {
    id: Generated<number>;
    /** This is the first statement that contained the movement. */
    statementId: number;
    origenderecursoId: number;
    /** identifies the movement when it is loaded again */
    identity: string;
    outcome: MatchOutcome;
    /** how a person or a rule has resolved it; null where nobody has */
    resolution: Generated<Resolution | null>;
    clase: Generated<BankMovement['clase']>;
    /** the petty cash movement of the same money: paid from the bank into a fund, or returned to the bank */
    cashMovementId: Generated<number | null>;
    version: Generated<number>;
  };
  bank_movement_payments: { paymentId: number; movementId: number };
  bank_statement_movements: { statementId: number; movementId: number };
  bank_rules: Pick<BankRule, 'origenderecursoId' | 'texto' | 'clase' | 'createdAt'> & {
    id: Generated<number>;
    textoFold: string;
    /** 1: the rule is for movements that bring money in */
    entra: number;
    userId: number;
  };
}
