import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { MOST_LINES } from '../../../shared/payment-batches.ts';
import { type Day, filterInvoices, type InvoiceFilter, selectInvoices } from '../invoices/reading.ts';
import { committedOf } from '../payments/committed.ts';

/** An invoice with the sum that open batches will pay of it. */
export interface Payable extends Invoice {
  committedCents: Cents;
}

export const roomOf = ({ totalCents, paidCents, committedCents }: Payable): Cents =>
  totalCents - paidCents - committedCents;

export const MOST_OFFERED = 500;

/** Invoices with pending money that no open batch pays, earliest due first. */
export async function readOffered(db: Db, filter: InvoiceFilter, day: Day): Promise<Payable[]> {
  const { status = 'por-pagar' } = filter;
  return payables(filterInvoices(db, { ...filter, status }, day), MOST_OFFERED);
}

const payables = (invoices: ReturnType<typeof filterInvoices>, most: number): Promise<Payable[]> =>
  selectInvoices(invoices)
    .select(committedOf().as('committedCents'))
    .where(sql<boolean>`invoices."totalCents" - invoices."paidCents" > ${committedOf()}`)
    .orderBy('vence')
    .orderBy('invoices.id')
    .limit(most)
    .$castTo<Payable>()
    .execute();

export interface Ticked {
  invoiceIds: readonly number[];
  /** all that is owed to them, in one obra or in all */
  suppliers: readonly { supplierId: number; jobId?: number }[];
}

export async function readTicked(db: Db, ticked: Ticked, day: Day): Promise<Payable[]> {
  const { invoiceIds, suppliers } = ticked;
  const found = new Map<number, Payable>();
  const isAsked = isOneOf(db, 'invoices.id', invoiceIds);
  for (const one of await payables(
    filterInvoices(db, { status: 'por-pagar' }, day).where(isAsked),
    MOST_LINES,
  ))
    found.set(one.id, one);
  for (const owed of suppliers) for (const one of await readOffered(db, owed, day)) found.set(one.id, one);
  return [...found.values()].sort((a, b) => compareDay(a.vence, b.vence) || a.id - b.id);
}

const compareDay = (a: PlainDate, b: PlainDate): number => (a < b ? -1 : a > b ? 1 : 0);

/** The first ones that the amount covers; one that no longer fits is skipped. */
export function withinAmount(offered: readonly Payable[], cents: Cents): Payable[] {
  let left = cents;
  return offered.filter((one) => {
    const fits = roomOf(one) <= left;
    if (fits) left -= roomOf(one);
    return fits;
  });
}
