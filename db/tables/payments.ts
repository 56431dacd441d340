import type { Generated } from 'kysely';
import type { BankMovement } from '../../shared/bank-statements.ts';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { BatchFile, PaymentBatch } from '../../shared/payment-batches.ts';
import type { Payment } from '../../shared/payments.ts';
import type { FoldedColumns, Kept, Stored } from './kept.ts';

type PaymentColumn =
  | 'facturaproveedorId'
  | 'origenderecursoId'
  | 'checknum'
  | 'paymentdate'
  | 'amountCents'
  | 'importebancoCents'
  | 'comments'
  | 'userId'
  | 'creditNoteId';

export interface PaymentsTables {
  payments: Kept &
    FoldedColumns<'payments'> &
    Pick<Payment, PaymentColumn> & { kind: Generated<Payment['kind']> };
  /** Payments to many suppliers that are prepared, signed and made together. */
  payment_batches: Stored &
    Pick<PaymentBatch, 'fecha' | 'origenderecursoId' | 'comments' | 'createdBy' | 'editedBy'> & {
      estado: Generated<PaymentBatch['estado']>;
      sentBy: Generated<number | null>;
      sentOn: Generated<PlainDate | null>;
      paidBy: Generated<number | null>;
      paidAt: Generated<Instant | null>;
    };
  /** A line is one invoice of a batch, with the part of it that is paid. */
  payment_batch_lines: {
    id: Generated<number>;
    batchId: number;
    invoiceId: number;
    /** of the invoice when it was chosen */
    supplierId: number;
    amountCents: Cents;
    /** what was made of it; there may be no such payment any more, or again */
    paymentId: Generated<number | null>;
    /** the bank's movement that paid it, or confirmed its payment, and that nothing has taken back since */
    movementId: Generated<number | null>;
    /** JSON: what the checks found when they were last asked (shared/payment-batches.ts) */
    verdict: string;
    permittedBy: number | null;
    permittedAt: Instant | null;
    /** the codes of what was let through, by commas */
    permittedFor: string | null;
    permitReason: string | null;
    /** the bank sent the money back, or did not pay it */
    refusedAt: Generated<Instant | null>;
  };
  /** everybody who has said what a batch pays */
  payment_batch_editors: { batchId: number; userId: number };
  payment_batch_signatures: { batchId: number; userId: number; at: Instant };
  /** Each file that a bank was sent of a batch is kept. */
  payment_batch_files: Omit<
    BatchFile,
    'id' | 'layoutAuthor' | 'layoutConfirmer' | 'username' | 'downloads'
  > & {
    id: Generated<number>;
    batchId: number;
    userId: number;
    /** who changed the layout, and who confirmed it; null: as the program brings it */
    layoutBy: number | null;
    layoutConfirmedBy: number | null;
  };
  payment_batch_downloads: { id: Generated<number>; fileId: number; userId: number; at: Instant };
  bank_layouts: {
    id: Generated<number>;
    code: string;
    /** JSON: see server/formats/bank-files */
    definition: string;
    /** who changed it last */
    userId: number;
    updatedAt: Instant;
    /** the ids, by commas, of all who have changed it since it was last confirmed */
    authors: string;
    /** null: it waits for that, and does not serve */
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
  };
  /** A movement of an account is stored once for its source, whichever statements show it. */
  bank_movements: Omit<BankMovement, 'id' | 'suppliername'> & {
    id: Generated<number>;
    statementId: number;
    origenderecursoId: number;
    /** what it is known by when it comes again */
    identity: string;
  };
}
