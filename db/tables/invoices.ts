import type { ColumnType, Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { Invoice, PlainFields } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { FoldedColumns, Kept } from './kept.ts';

type InvoiceColumn =
  | 'supplierId'
  | 'jobId'
  | 'rubroId'
  | 'numfactura'
  | 'subtotalCents'
  | 'tasa'
  | 'ivaCents'
  | 'totalCents'
  | 'uuid'
  | 'metodopago'
  | 'moneda'
  | 'tipocambio'
  | 'vence';

export interface InvoicesTables {
  invoices: Kept &
    PlainFields &
    FoldedColumns<'invoices'> &
    Pick<Invoice, InvoiceColumn> & {
      /** letters and digits alone: what "the same number" is compared by */
      numfacturaKey: string;
      otrosimpuestosCents: Generated<Cents>;
      retencionesCents: Generated<Cents>;
      /** the sum of the invoice's payments, always; the database keeps it between 0 and the total */
      paidCents: Generated<Cents>;
      /** of the CFDI that it was unlinked from: the same document must not come in again beside it */
      formerUuid: string | null;
      userId: number | null;
      /** the day of `createdAt` in the business's time zone, as it was then */
      fechacaptura: ColumnType<PlainDate, PlainDate, never>;
    };
  /** The rest of a CFDI, which the invoice's own columns do not hold; it is deleted with the link to it. */
  cfdi_documents: {
    invoiceId: number;
    version: string;
    moneda: string;
    tipocambio: string | null;
    /** JSON: amounts in the document's currency, parts of taxes and withholdings, receptor */
    detail: string;
  };
  /** A supplier's CFDI of type E; what of it is not applied is the supplier's saldo a favor. */
  credit_notes: Kept & {
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
    userId: number;
  };
  /** A supplier's CFDI of type P (REP): says which payments it has received. */
  payment_receipts: {
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
  };
  /** One invoice paid by one of a receipt's payments. */
  payment_receipt_lines: {
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
  };
  /** Which document says that it replaces which (relation 04), by UUIDs in capitals; neither need be stored. */
  document_relations: {
    uuid: string;
    replacedUuid: string;
    /** of the document that replaces */
    kind: 'I' | 'E' | 'P';
    /** of the document that replaces: what people know it by */
    numero: string;
    /** of who issued the one that replaces, in capitals: it replaces its own issuer's documents alone */
    rfc: string;
  };
  /** A budget bounds the cost of an obra in one rubro; null stands for invoices without rubro. */
  budgets: Kept & {
    jobId: number;
    rubroId: number | null;
    /** as it stands now: the last change's */
    amountCents: Cents;
  };
  /** Every amount that was set; the first one of a budget is its original. */
  budget_changes: {
    id: Generated<number>;
    budgetId: number;
    amountCents: Cents;
    motivo: string;
    userId: number;
    importId: number | null;
    createdAt: Instant;
  };
}
