import { sql } from 'kysely';
import { listed } from '../../../db/bulk.ts';
import type { Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { paymentTexts } from '../../../shared/payments.ts';

/**
 * Adds to an invoice's paid sum where it stays between 0 and the total: check and change are one statement,
 * so no two writers can both find room for the same money. The database's own CHECK stands behind it.
 */
export async function changePaid(trx: Trx, invoiceId: number, cents: Cents): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('invoices')
    .set({ paidCents: sql`"paidCents" + ${cents}` })
    .where('id', '=', invoiceId)
    .where(sql<boolean>`"paidCents" + ${cents} between 0 and "totalCents"`)
    .executeTakeFirst();
  if (numUpdatedRows !== 1n) throw overpaid();
}

/** The same of many payments at once: each invoice is changed once, however often it is paid. */
export async function changePaidOf(
  trx: Trx,
  payments: readonly { facturaproveedorId: number; amountCents: Cents }[],
): Promise<void> {
  const sums = new Map<number, Cents>();
  for (const { facturaproveedorId: id, amountCents } of payments)
    sums.set(id, (sums.get(id) ?? 0) + amountCents);
  const rows = [...sums].map(([id, cents]) => ({ id, cents }));
  const { rows: changed } = await sql`
    update invoices set "paidCents" = "paidCents" + w.cents
    from ${listed(trx, { id: 'bigint', cents: 'bigint' }, rows)} as w
    where invoices.id = w.id and "paidCents" + w.cents between 0 and "totalCents"
    returning invoices.id`.execute(trx);
  if (changed.length < rows.length) throw overpaid();
}

function overpaid(): DomainError {
  const message = paymentTexts.beyondTotal;
  return new DomainError('invalid', message, { code: 'overpayment', fields: { paymentamount: message } });
}

/** The same of what is applied of a credit note. @throws DomainError invalid over_credit */
export async function changeApplied(trx: Trx, creditNoteId: number, cents: Cents): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('credit_notes')
    .set({ appliedCents: sql`"appliedCents" + ${cents}` })
    .where('id', '=', creditNoteId)
    .where(sql<boolean>`"appliedCents" + ${cents} between 0 and "totalCents"`)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const message = paymentTexts.beyondCredit;
  throw new DomainError('invalid', message, { code: 'over_credit', fields: { paymentamount: message } });
}
