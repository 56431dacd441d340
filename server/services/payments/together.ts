import { sql } from 'kysely';
import { insertRows, reserveIds } from '../../../db/bulk.ts';
import { forUpdate, isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { type Payment, takenBy } from '../../../shared/payments.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { changeApplied, changePaidOf } from '../invoices/paid-sums.ts';
import { linkReceipt } from '../payment-receipts.ts';
import { requireBoxes } from '../petty-cash/cash.ts';
import { paymentsWith } from './reading.ts';
import { type PaymentValues, paymentRow } from './rows.ts';

/**
 * Stores payments that were checked, of invoices and sources that there are: each as one by itself would be, with its
 * part of the paid sum, the receipt that has come before it and its entry of the audit trail, but with as many
 * statements whatever their number.
 * @throws DomainError invalid overpayment, conflict closed_period: then none is stored
 */
export async function createPayments(
  trx: Trx,
  actor: Actor,
  values: readonly PaymentValues[],
): Promise<Payment[]> {
  if (values.length === 0) return [];
  await requireOpen(trx, actor, new Set(values.map(({ paymentdate }) => paymentdate)));
  await changePaidOf(trx, values);
  const ids = await reserveIds(trx, 'payments', values.length);
  const stamp = { ...actor, importId: null };
  await insertRows(
    trx,
    'payments',
    values.map((one, index) => ({ id: ids[index]!, ...paymentRow(one, stamp) })),
  );
  await requireBoxes(
    trx,
    values.map((one) => ({ ...one, takenCents: one.importebancoCents ?? one.amountCents })),
  );
  const payments = await linked(trx, await paymentsWith(trx, ids));
  for (const payment of payments)
    audit(trx, actor, { action: 'create', entity: 'payments', entityId: payment.id, after: payment });
  return payments;
}

/**
 * Deletes those of these payments that there are, and frees what they paid.
 * @throws DomainError conflict closed_period
 */
export async function deletePayments(trx: Trx, actor: Actor, ids: readonly number[]): Promise<void> {
  await sql`select id from payments where ${isOneOf(trx, 'id', ids)} order by id ${forUpdate(trx)}`.execute(
    trx,
  );
  const before = await paymentsWith(trx, ids);
  await requireOpen(trx, actor, new Set(before.map(({ paymentdate }) => paymentdate)));
  await changePaidOf(
    trx,
    before.map((payment) => ({ ...payment, amountCents: -payment.amountCents })),
  );
  for (const payment of before)
    if (payment.creditNoteId !== null) await changeApplied(trx, payment.creditNoteId, -takenBy(payment));
  await trx
    .deleteFrom('payments')
    .where(isOneOf(trx, 'id', ids))
    .execute();
  for (const payment of before)
    audit(trx, actor, { action: 'delete', entity: 'payments', entityId: payment.id, before: payment });
}

/** Each with the supplier's receipt of it where that has come before; few of many have one. */
async function linked(trx: Trx, payments: readonly Payment[]): Promise<Payment[]> {
  const invoiceIds = payments.map(({ facturaproveedorId }) => facturaproveedorId);
  const waiting = await trx
    .selectFrom('payment_receipt_lines')
    .select('invoiceId')
    .distinct()
    .where(isOneOf(trx, 'invoiceId', invoiceIds))
    .where('paymentId', 'is', null)
    .execute();
  const awaited = new Set(waiting.map(({ invoiceId }) => invoiceId));
  const changed: number[] = [];
  for (const payment of payments) {
    if (!awaited.has(payment.facturaproveedorId)) continue;
    if ((await linkReceipt(trx, payment)).isChanged) changed.push(payment.id);
  }
  if (changed.length === 0) return [...payments];
  const again = new Map((await paymentsWith(trx, changed)).map((payment) => [payment.id, payment]));
  return payments.map((payment) => again.get(payment.id) ?? payment);
}
