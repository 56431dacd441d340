import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { type Day, filterInvoices, type InvoiceFilter, selectInvoices } from '../invoices/reading.ts';
import { committedOf } from './committed.ts';

/** An invoice that a batch could pay, with what other open batches pay of it already. */
export interface Payable extends Invoice {
  committedCents: Cents;
}

export const roomOf = ({ totalCents, paidCents, committedCents }: Payable): Cents =>
  totalCents - paidCents - committedCents;

/** As many as are offered at once. */
export const MOST_OFFERED = 500;

/** What is pending and in no open batch, what is due first at the head. */
export async function readOffered(db: Db, filter: InvoiceFilter, day: Day): Promise<Payable[]> {
  const { status = 'por-pagar' } = filter;
  const found = selectInvoices(filterInvoices(db, { ...filter, status }, day))
    .select(committedOf().as('committedCents'))
    .where(sql<boolean>`invoices."totalCents" - invoices."paidCents" > ${committedOf()}`)
    .orderBy('vence')
    .orderBy('invoices.id')
    .limit(MOST_OFFERED);
  return found.$castTo<Payable>().execute();
}

/** The first of them that an amount is enough for; one that no longer fits is left out, and later ones may. */
export function withinAmount(offered: readonly Payable[], cents: Cents): Payable[] {
  let left = cents;
  return offered.filter((one) => {
    const fits = roomOf(one) <= left;
    if (fits) left -= roomOf(one);
    return fits;
  });
}
