import type { ColumnType, Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { BatchState } from '../../shared/payment-batches.ts';
import type { PaymentKind } from '../../shared/payments.ts';
import type { FoldedColumns, Kept } from './kept.ts';

export interface PaymentsTables {
  payments: PaymentsTable;
  payment_batches: PaymentBatchesTable;
  payment_batch_lines: PaymentBatchLinesTable;
  /** everybody who has said what a batch pays */
  payment_batch_editors: { batchId: number; userId: number };
  payment_batch_signatures: { batchId: number; userId: number; at: Instant };
  payment_batch_files: PaymentBatchFilesTable;
  payment_batch_downloads: { id: Generated<number>; fileId: number; userId: number; at: Instant };
  /** JSON: see server/formats/bank-files */
  bank_layouts: {
    id: Generated<number>;
    code: string;
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
  bank_statements: BankStatementsTable;
  bank_movements: BankMovementsTable;
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
  /** who sent it to the bank, and when; null also of what was sent before this was kept */
  sentBy: Generated<number | null>;
  sentOn: Generated<PlainDate | null>;
  paidBy: Generated<number | null>;
  paidAt: Generated<Instant | null>;
  createdAt: ColumnType<Instant, Instant, never>;
  updatedAt: Instant;
  version: Generated<number>;
}

/** A line is one invoice of a batch, with the part of it that is paid. */
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

/** Each file that a bank was sent of a batch is kept. */
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
  /** of the layout's text; null: written before that was kept */
  layoutSha256: string | null;
  /** who changed the layout, and who confirmed it; null: as the program brings it */
  layoutBy: number | null;
  layoutConfirmedBy: number | null;
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

/** A movement of an account is stored once for its source, whichever statements show it. */
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
