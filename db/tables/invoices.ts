import type { ColumnType, Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { PlainFields } from '../../shared/invoices.ts';
import type { Cents, Rate } from '../../shared/money.ts';
import type { FoldedColumns, Kept } from './kept.ts';

export interface InvoicesTables {
  invoices: InvoicesTable;
  cfdi_documents: CfdiDocumentsTable;
  credit_notes: CreditNotesTable;
  payment_receipts: PaymentReceiptsTable;
  payment_receipt_lines: PaymentReceiptLinesTable;
}

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

/** The rest of a CFDI, which the invoice's own columns do not hold; it is deleted with the link to it. */
interface CfdiDocumentsTable {
  invoiceId: number;
  version: string;
  moneda: string;
  tipocambio: string | null;
  /** JSON: amounts in the document's currency, parts of taxes and withholdings, receptor */
  detail: string;
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
