import type { ColumnType, Generated } from 'kysely';
import type { Instant, PlainDate } from '../../shared/dates.ts';
import type { DateAndNoteFields, Invoice } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { FoldedColumns, ImportableRow } from './rows.ts';

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
  invoices: ImportableRow &
    DateAndNoteFields &
    FoldedColumns<'invoices'> &
    Pick<Invoice, InvoiceColumn> & {
      /** letters and digits only: numbers with equal keys count as the same */
      numfacturaKey: string;
      otrosimpuestosCents: Generated<Cents>;
      retencionesCents: Generated<Cents>;
      /** invariant: the sum of the invoice's payments; the database keeps it between 0 and the total */
      paidCents: Generated<Cents>;
      /** UUID of the CFDI that the invoice was unlinked from: that CFDI must not be imported as another invoice */
      formerUuid: string | null;
      userId: number | null;
      fechacaptura: ColumnType<PlainDate, PlainDate, never>;
    };
  /** The data of a CFDI for which the invoice has no columns; deleted with the link to it. */
  cfdi_documents: {
    invoiceId: number;
    version: string;
    moneda: string;
    tipocambio: string | null;
    /** null: the CFDI has no seal to compare with its stamp, or was stored before seals were compared */
    sello: Generated<'coincide' | 'difiere' | null>;
    /** JSON: amounts in the document's currency, parts of taxes and withholdings, receptor */
    detail: string;
  };
  /** A supplier's CFDI of type E. The part that is not applied is the supplier's saldo a favor. */
  credit_notes: ImportableRow & {
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
    /** invariant: the sum of the `credito` payments made from it, between 0 and the total */
    appliedCents: Generated<Cents>;
    moneda: string;
    tipocambio: string | null;
    /** JSON, as in cfdi_documents */
    detail: string;
    sha256: string | null;
    comments: string;
    userId: number;
  };
  /** A supplier's CFDI of type P (REP), which states the payments that the supplier has received. */
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
  payment_receipt_lines: {
    id: Generated<number>;
    receiptId: number;
    invoiceUuid: string;
    /** null: the invoice is not stored (yet) */
    invoiceId: number | null;
    /** null: no matching payment is captured */
    paymentId: number | null;
    paidOn: PlainDate;
    /** in the base currency, at the rate of the day it was paid */
    amountCents: Cents;
    /** the invoice's currency, as the receipt states it */
    moneda: string;
    /** the amount paid in that currency, an exact decimal as text; null: it is the base currency, or unknown */
    pagado: string | null;
    parcialidad: number | null;
  };
  /** Which document replaces which (relation 04), by UUIDs in capitals, whether or not they are stored. */
  document_relations: {
    uuid: string;
    replacedUuid: string;
    kind: 'I' | 'E' | 'P';
    numero: string;
    /** RFC of the replacing document's issuer, in capitals: only documents of the same issuer are replaced */
    rfc: string;
  };
  /** A budget limits the cost of an obra in one rubro; rubro null stands for invoices without a rubro. */
  budgets: ImportableRow & {
    jobId: number;
    rubroId: number | null;
    amountCents: Cents;
  };
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
