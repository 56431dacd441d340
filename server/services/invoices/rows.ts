import type { Insertable } from 'kysely';
import type { Schema } from '../../../db/schema.ts';
import { foldedColumns } from '../../../db/tables/search-indexes.ts';
import { INVOICE_DATES, INVOICE_NOTES, type Invoice, type PlainFields } from '../../../shared/invoices.ts';
import { dueDay } from '../../../shared/invoices-due.ts';
import { fold, numberKey } from '../../../shared/text.ts';
import type { Actor, Stamp } from '../audit/audit.ts';

export const AMOUNT_COLUMNS = [
  'subtotalCents',
  'tasa',
  'ivaCents',
  'otrosimpuestosCents',
  'retencionesCents',
  'totalCents',
] as const satisfies ReadonlyArray<keyof Invoice>;

export const STATED_COLUMNS = [
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

export interface InvoiceValues extends Partial<PlainFields>, Amounts {
  supplierId: number;
  jobId: number;
  rubroId: number | null;
  numfactura: string;
}

export interface DocumentValues {
  uuid?: string | null;
  /** The UUID of the document that this one replaced. */
  formerUuid?: string | null;
  metodopago?: string | null;
  moneda?: string | null;
  tipocambio?: string | null;
}

/** Whatever stores an invoice uses this. @param creditDays those of its supplier, locked (see lockSuppliers) */
export function invoiceRow(
  invoice: InvoiceValues & DocumentValues,
  creditDays: number,
  { at, today: fechacaptura, userId, importId }: Stamp & Pick<Actor, 'today'>,
): Insertable<Schema['invoices']> {
  return {
    ...invoiceColumns({ ...invoice, fechacaptura }, creditDays),
    ...documentColumns(invoice),
    fechacaptura,
    userId,
    importId,
    createdAt: at,
    updatedAt: at,
  };
}

export function documentColumns(invoice: DocumentValues): Required<DocumentValues> {
  const { uuid = null, formerUuid = null, metodopago = null, moneda = null, tipocambio = null } = invoice;
  return { uuid, formerUuid, metodopago, moneda, tipocambio };
}

export function invoiceColumns(invoice: InvoiceValues & Pick<Invoice, 'fechacaptura'>, creditDays: number) {
  const { supplierId, jobId, rubroId, numfactura, fechacaptura } = invoice;
  const plain = plainColumns(invoice);
  return {
    supplierId,
    jobId,
    rubroId,
    ...invoiceNumberColumns(numfactura),
    ...plain,
    vence: dueDay({ ...plain, fechacaptura }, creditDays),
    ...foldedColumns('invoices', invoice),
    ...amountsOf(invoice),
  };
}

const invoiceNumberColumns = (numfactura: string) => ({
  numfactura,
  numfacturaFold: fold(numfactura),
  numfacturaKey: numberKey(numfactura),
});

export function amountsOf(invoice: Amounts): Amounts {
  const { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents } = invoice;
  return { subtotalCents, tasa, ivaCents, otrosimpuestosCents, retencionesCents, totalCents };
}

export function plainColumns(invoice: Partial<PlainFields>): PlainFields {
  const columns = { ...EMPTY_PLAIN_FIELDS };
  for (const name of INVOICE_DATES) columns[name] = invoice[name] ?? null;
  for (const name of INVOICE_NOTES) columns[name] = invoice[name] ?? '';
  return columns;
}

const EMPTY_PLAIN_FIELDS = Object.fromEntries([
  ...INVOICE_DATES.map((name) => [name, null]),
  ...INVOICE_NOTES.map((name) => [name, '']),
]) as Readonly<PlainFields>;
