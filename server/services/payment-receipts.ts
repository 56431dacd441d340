import { sql } from 'kysely';
import type { Trx } from '../../db/schema.ts';
import { daysBetween, type PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { type Payment, takenBy } from '../../shared/payments.ts';
import { selectPayments } from './payments/reading.ts';
import { type PaidLine, type Settlement, settlementOf, slackOf } from './payments/settlement.ts';

/** A payment captured and the one that a receipt tells of may be this many days apart: a cheque is cashed later. */
const DAYS_APART = 5;

interface Line extends Settlement {
  paidOn: PlainDate;
}

type Captured = Pick<Payment, 'paymentdate' | 'amountCents' | 'importebancoCents'>;

/** Whoever captured it may have known only what left the bank. */
const fits = (line: Line, payment: Captured, slackCents: Cents): boolean =>
  (Math.abs(line.amountCents - payment.amountCents) <= slackCents || isBankAlone(line, payment)) &&
  Math.abs(daysBetween(line.paidOn, payment.paymentdate)) <= DAYS_APART;

const isBankAlone = (line: Settlement, payment: Captured): boolean =>
  payment.importebancoCents === null && payment.amountCents === takenBy(line);

/**
 * Which of an invoice's payments each line of its receipts tells of: the same amount, on the same day, else on the
 * nearest within a few days. No payment belongs to two lines.
 * @param slackCents how far amounts may be off by rounding
 */
export function matchLines<L extends Line, P extends Captured>(
  lines: readonly L[],
  payments: readonly P[],
  slackCents: Cents,
): Map<L, P> {
  const pairs = lines
    .flatMap((line) =>
      payments.filter((payment) => fits(line, payment, slackCents)).map((payment) => ({ line, payment })),
    )
    .map((pair) => ({ ...pair, apart: Math.abs(daysBetween(pair.line.paidOn, pair.payment.paymentdate)) }))
    .sort((a, b) => a.apart - b.apart);
  const matched = new Map<L, P>();
  const taken = new Set<P>();
  for (const { line, payment } of pairs) {
    if (matched.has(line) || taken.has(payment)) continue;
    matched.set(line, payment);
    taken.add(payment);
  }
  return matched;
}

/** The payments that came with a table find the receipts that were there before them. */
export async function linkReceiptsOfImport(trx: Trx, importId: number): Promise<void> {
  const isAwaited = sql<boolean>`exists (select 1 from payment_receipt_lines lines
    where lines."invoiceId" = payments."facturaproveedorId" and lines."paymentId" is null)`;
  const payments = trx.selectFrom('payments').where('payments.importId', '=', importId).where(isAwaited);
  for (const payment of await selectPayments(payments).orderBy('payments.id').execute())
    await linkReceipt(trx, payment);
}

/** A payment that is captured, brought back or changed finds the line of a receipt that tells of it, and leaves one that no longer does. */
export async function linkReceipt(trx: Trx, payment: Payment): Promise<void> {
  const toldBy = (line: PaidLine & { id: number; paidOn: PlainDate }) => ({
    id: line.id,
    paidOn: line.paidOn,
    ...settlementOf(line, payment),
  });
  const slackCents = slackOf(payment);
  const linked = await trx
    .selectFrom('payment_receipt_lines')
    .select([...TOLD, 'invoiceId'])
    .where('paymentId', '=', payment.id)
    .execute();
  const isStill = (line: (typeof linked)[number]) =>
    line.invoiceId === payment.facturaproveedorId && fits(toldBy(line), payment, slackCents);
  if (payment.kind === 'pago' && linked.some(isStill)) return;
  if (linked.length > 0) {
    const ids = linked.map(({ id }) => id);
    await trx.updateTable('payment_receipt_lines').set({ paymentId: null }).where('id', 'in', ids).execute();
  }
  if (payment.kind !== 'pago') return;
  const waiting = await trx
    .selectFrom('payment_receipt_lines')
    .select(TOLD)
    .where('invoiceId', '=', payment.facturaproveedorId)
    .where('paymentId', 'is', null)
    .orderBy('id')
    .execute();
  for (const line of matchLines(waiting.map(toldBy), [payment], slackCents).keys()) {
    await trx
      .updateTable('payment_receipt_lines')
      .set({ paymentId: payment.id })
      .where('id', '=', line.id)
      .where('paymentId', 'is', null)
      .execute();
  }
}

const TOLD = ['id', 'paidOn', 'amountCents', 'moneda', 'pagado'] as const;
