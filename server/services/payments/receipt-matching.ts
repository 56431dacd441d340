import type { Trx } from '../../../db/schema.ts';
import { daysBetween, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import {
  computeRoundingTolerance,
  computeSettlement,
  recordsBankAmountOnly,
  type SettledAmounts,
  type StatedPaymentAmounts,
} from './settlement.ts';

/** A captured payment and the one on a receipt may be this many days apart: a cheque is cashed later. */
const MAX_DAYS_APART = 5;

interface DatedSettlement extends SettledAmounts {
  paidOn: PlainDate;
}

type CapturedPayment = Pick<Payment, 'paymentdate' | 'amountCents' | 'importebancoCents'>;

export const countDaysApart = (
  line: Pick<DatedSettlement, 'paidOn'>,
  payment: Pick<CapturedPayment, 'paymentdate'>,
) => Math.abs(daysBetween(line.paidOn, payment.paymentdate));

export const isNearInDays: (...days: Parameters<typeof countDaysApart>) => boolean = (...days) =>
  countDaysApart(...days) <= MAX_DAYS_APART;

const settlesSameAmount = (line: DatedSettlement, payment: CapturedPayment, toleranceCents: Cents): boolean =>
  Math.abs(line.amountCents - payment.amountCents) <= toleranceCents;

/**
 * Matches each line with at most one payment, and each payment with at most one line, within MAX_DAYS_APART. A payment
 * of the same amount comes before one that records only what left the bank; then the nearest in days comes first.
 * @param toleranceCents how far amounts may be off by rounding
 */
export function findReceiptLineMatches<L extends DatedSettlement, P extends CapturedPayment>(
  lines: readonly L[],
  payments: readonly P[],
  toleranceCents: Cents,
): Map<L, P> {
  const pairs = lines
    .flatMap((line) => payments.map((payment) => ({ line, payment })))
    .filter(({ line, payment }) => isNearInDays(line, payment))
    .map((pair) => ({ ...pair, isSame: settlesSameAmount(pair.line, pair.payment, toleranceCents) }))
    .filter(({ line, payment, isSame }) => isSame || recordsBankAmountOnly(line, payment))
    .sort(
      (a, b) =>
        Number(b.isSame) - Number(a.isSame) ||
        countDaysApart(a.line, a.payment) - countDaysApart(b.line, b.payment),
    );
  const matched = new Map<L, P>();
  const used = new Set<P>();
  for (const { line, payment } of pairs) {
    if (matched.has(line) || used.has(payment)) continue;
    matched.set(line, payment);
    used.add(payment);
  }
  return matched;
}

/**
 * Links the payment to the line of a receipt that states it, and unlinks lines that no longer do.
 * @returns `onReceipt`: the amounts of a line that was not linked because it agrees only with what left the bank;
 * `isChanged`: whether lines were linked or unlinked
 */
export async function relinkPaymentToReceipts(
  trx: Trx,
  payment: Payment,
): Promise<{ onReceipt?: SettledAmounts; isChanged: boolean }> {
  const toReceiptLine = (line: StatedPaymentAmounts & { id: number; paidOn: PlainDate }) => ({
    id: line.id,
    paidOn: line.paidOn,
    ...computeSettlement(line, payment),
  });
  const toleranceCents = computeRoundingTolerance(payment);
  const matchesPayment = (line: DatedSettlement) =>
    isNearInDays(line, payment) && settlesSameAmount(line, payment, toleranceCents);
  const lines = trx.selectFrom('payment_receipt_lines').select([...LINE_COLUMNS, 'invoiceId']);
  const linked = await lines.where('paymentId', '=', payment.id).execute();
  const stillMatchesLine = (line: (typeof linked)[number]) =>
    line.invoiceId === payment.facturaproveedorId && matchesPayment(toReceiptLine(line));
  if (payment.kind === 'pago' && linked.some(stillMatchesLine)) return { isChanged: false };
  const wasUnlinked = linked.length > 0;
  if (wasUnlinked) {
    const ids = linked.map(({ id }) => id);
    await trx.updateTable('payment_receipt_lines').set({ paymentId: null }).where('id', 'in', ids).execute();
  }
  if (payment.kind !== 'pago') return { isChanged: wasUnlinked };
  const unlinked = await lines
    .where('invoiceId', '=', payment.facturaproveedorId)
    .where('paymentId', 'is', null)
    .orderBy('id')
    .execute();
  const [line] = findReceiptLineMatches(unlinked.map(toReceiptLine), [payment], toleranceCents).keys();
  if (!line) return { isChanged: wasUnlinked };
  if (!matchesPayment(line)) return { onReceipt: line, isChanged: wasUnlinked };
  await trx
    .updateTable('payment_receipt_lines')
    .set({ paymentId: payment.id })
    .where('id', '=', line.id)
    .where('paymentId', 'is', null)
    .execute();
  return { isChanged: true };
}

const LINE_COLUMNS = ['id', 'paidOn', 'amountCents', 'moneda', 'pagado'] as const;
