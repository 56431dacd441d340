import type { Insertable } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { foldSearchedColumns } from '../../../db/tables/search-indexes.ts';
import {
  type DateAndNoteFields,
  INVOICE_DATES,
  INVOICE_NOTES,
  type Invoice,
} from '../../../shared/invoices.ts';
import { computeDueDay } from '../../../shared/invoices-due.ts';
import { documentNumberKey, fold } from '../../../shared/text.ts';
import type { Actor, CreationStamp } from '../audit/audit.ts';

export const AMOUNT_COLUMNS = [
  'subtotalCents',
  'tasa',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
] as const satisfies ReadonlyArray<keyof Invoice>;

export const CAPTURED_COLUMNS = [
  'supplierId',
  'jobId',
  'rubroId',
  'numfactura',
  ...INVOICE_DATES,
  ...AMOUNT_COLUMNS,
  ...INVOICE_NOTES,
  'uuid',
  'metodopago',
  'moneda',
  'tipocambio',
] as const satisfies ReadonlyArray<keyof Invoice>;

export type Amounts = Pick<Invoice, (typeof AMOUNT_COLUMNS)[number]>;

export interface InvoiceValues extends Partial<DateAndNoteFields>, Amounts {
  supplierId: number;
  jobId: number;
  rubroId: number | null;
  numfactura: string;
}

export interface DocumentValues {
  uuid?: string | null;
  formerUuid?: string | null;
  metodopago?: string | null;
  moneda?: string | null;
  tipocambio?: string | null;
}

/** @param creditDays the supplier's, whose row the caller has locked, since stored due days depend on it */
export function toInvoiceRow(
  invoice: InvoiceValues & DocumentValues,
  creditDays: number,
  { at, today: fechacaptura, userId, importId }: CreationStamp & Pick<Actor, 'today'>,
): Insertable<Schema['invoices']> {
  return {
    ...toInvoiceColumns({ ...invoice, fechacaptura }, creditDays),
    ...toDocumentColumns(invoice),
    fechacaptura,
    userId,
    importId,
    createdAt: at,
    updatedAt: at,
  };
}

export function toDocumentColumns(invoice: DocumentValues): Required<DocumentValues> {
  const { uuid = null, formerUuid = null, metodopago = null, moneda = null, tipocambio = null } = invoice;
  return { uuid, formerUuid, metodopago, moneda, tipocambio };
}

export function toInvoiceColumns(invoice: InvoiceValues & Pick<Invoice, 'fechacaptura'>, creditDays: number) {
  const { supplierId, jobId, rubroId, numfactura, fechacaptura } = invoice;
  const plain = pickDatesAndNotes(invoice);
  return {
    supplierId,
    jobId,
    rubroId,
    ...invoiceNumberColumns(numfactura),
    ...plain,
    vence: computeDueDay({ ...plain, fechacaptura }, creditDays),
    ...foldSearchedColumns('invoices', invoice),
    ...amountsOf(invoice),
  };
}

const invoiceNumberColumns = (numfactura: string) => ({
  numfactura,
  numfacturaFold: fold(numfactura),
  numfacturaKey: documentNumberKey(numfactura),
});

export function amountsOf(invoice: Amounts): Amounts {
  const { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = invoice;
  return { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents };
}

export function pickDatesAndNotes(invoice: Partial<DateAndNoteFields>): DateAndNoteFields {
  const columns = { ...EMPTY_DATES_AND_NOTES };
  for (const name of INVOICE_DATES) columns[name] = invoice[name] ?? null;
  for (const name of INVOICE_NOTES) columns[name] = invoice[name] ?? '';
  return columns;
}

const EMPTY_DATES_AND_NOTES = Object.fromEntries([
  ...INVOICE_DATES.map((name) => [name, null]),
  ...INVOICE_NOTES.map((name) => [name, '']),
]) as Readonly<DateAndNoteFields>;
