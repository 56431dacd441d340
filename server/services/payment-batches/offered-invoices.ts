import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { MAX_BATCH_LINES } from '../../../shared/payment-batches.ts';
import {
  buildInvoiceQuery,
  type InvoiceFilter,
  selectInvoiceColumns,
  type TodayAndTimeZone,
} from '../invoices/reading.ts';
import { committedExpression } from '../payments/committed-amounts.ts';

export interface OfferedInvoice extends Invoice {
  committedCents: Cents;
}

export const computeAvailableCents = ({ totalCents, paidCents, committedCents }: OfferedInvoice): Cents =>
  totalCents - paidCents - committedCents;

export const sumAvailable = (invoices: readonly OfferedInvoice[]): Cents =>
  invoices.reduce((cents, invoice) => cents + computeAvailableCents(invoice), 0);

export const MAX_OFFERED_INVOICES = 500;

export async function readOfferedInvoices(
  db: Db,
  filter: InvoiceFilter,
  day: TodayAndTimeZone,
): Promise<OfferedInvoice[]> {
  const { status = 'por-pagar' } = filter;
  return readInvoicesToOffer(buildInvoiceQuery(db, { ...filter, status }, day), MAX_OFFERED_INVOICES);
}

const readInvoicesToOffer = (
  invoices: ReturnType<typeof buildInvoiceQuery>,
  limit: number,
): Promise<OfferedInvoice[]> =>
  selectInvoiceColumns(invoices)
    .select(committedExpression().as('committedCents'))
    .where(sql<boolean>`invoices."totalCents" - invoices."paidCents" > ${committedExpression()}`)
    .orderBy('vence')
    .orderBy('invoices.id')
    .limit(limit)
    .$castTo<OfferedInvoice>()
    .execute();

export interface InvoiceSelection {
  invoiceIds: readonly number[];
  /** suppliers whose open invoices are all selected, in one obra or in all */
  suppliers: readonly { supplierId: number; jobId?: number }[];
}

export async function readSelectedInvoices(
  db: Db,
  selection: InvoiceSelection,
  day: TodayAndTimeZone,
): Promise<OfferedInvoice[]> {
  const { invoiceIds, suppliers } = selection;
  const found = new Map<number, OfferedInvoice>();
  const isSelected = isOneOf(db, 'invoices.id', invoiceIds);
  for (const one of await readInvoicesToOffer(
    buildInvoiceQuery(db, { status: 'por-pagar' }, day).where(isSelected),
    MAX_BATCH_LINES,
  ))
    found.set(one.id, one);
  for (const supplierFilter of suppliers)
    for (const one of await readOfferedInvoices(db, supplierFilter, day)) found.set(one.id, one);
  return [...found.values()].sort((a, b) => compareDays(a.vence, b.vence) || a.id - b.id);
}

const compareDays = (a: PlainDate, b: PlainDate): number => (a < b ? -1 : a > b ? 1 : 0);

/** @returns the funding source of the last batch, or the only one that there is */
export async function proposeFundingSource(db: Db): Promise<number | undefined> {
  const last = await db
    .selectFrom('payment_batches')
    .select('origenderecursoId as id')
    .orderBy('payment_batches.id', 'desc')
    .limit(1)
    .executeTakeFirst();
  const [first, second] = last
    ? [last]
    : await db.selectFrom('funding_sources').select('id').limit(2).execute();
  return second ? undefined : first?.id;
}

export function chooseWithinAmount(
  offeredInvoices: readonly OfferedInvoice[],
  cents: Cents,
): OfferedInvoice[] {
  let remaining = cents;
  return offeredInvoices.filter((one) => {
    const fits = computeAvailableCents(one) <= remaining;
    if (fits) remaining -= computeAvailableCents(one);
    return fits;
  });
}
