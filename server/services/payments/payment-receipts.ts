import type { Trx } from '../../../db/schema.ts';
import { daysBetween, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { isBankAlone, type PaidLine, type Settlement, settlementOf, slackOf } from './settlement.ts';

/** A captured payment and the one on a receipt may be this many days apart: a cheque is cashed later. */
const DAYS_APART = 5;

interface Line extends Settlement {
  paidOn: PlainDate;
}

type Captured = Pick<Payment, 'paymentdate' | 'amountCents' | 'importebancoCents'>;

const daysApart = (line: Line, payment: Captured) => Math.abs(daysBetween(line.paidOn, payment.paymentdate));

const isNear = (line: Line, payment: Captured): boolean => daysApart(line, payment) <= DAYS_APART;

const settlesSame = (line: Line, payment: Captured, slackCents: Cents): boolean =>
  Math.abs(line.amountCents - payment.amountCents) <= slackCents;

/**
 * Matches each line of an invoice's receipts with one of its payments: the same amount, else just what left the bank,
 * on the same day, else on the nearest within DAYS_APART. No payment belongs to two lines.
 * @param slackCents how far amounts may be off by rounding
 */
export function matchLines<L extends Line, P extends Captured>(
  lines: readonly L[],
  payments: readonly P[],
  slackCents: Cents,
): Map<L, P> {
  const pairs = lines
    .flatMap((line) => payments.map((payment) => ({ line, payment })))
    .filter(({ line, payment }) => isNear(line, payment))
    .map((pair) => ({ ...pair, isSame: settlesSame(pair.line, pair.payment, slackCents) }))
    .filter(({ line, payment, isSame }) => isSame || isBankAlone(line, payment))
    .sort(
      (a, b) =>
        Number(b.isSame) - Number(a.isSame) || daysApart(a.line, a.payment) - daysApart(b.line, b.payment),
    );
  const matched = new Map<L, P>();
  const taken = new Set<P>();
  for (const { line, payment } of pairs) {
    if (matched.has(line) || taken.has(payment)) continue;
    matched.set(line, payment);
    taken.add(payment);
  }
  return matched;
}

/**
 * Links a captured, restored or changed payment to the line of a receipt that tells of it, and unlinks it from one
 * that no longer does.
 * @returns `told`: what a receipt says that it settles, where people gave only what left the bank, and nothing is
 * linked; `isChanged`: whether lines were linked or unlinked
 */
export async function linkReceipt(
  trx: Trx,
  payment: Payment,
): Promise<{ told?: Settlement; isChanged: boolean }> {
  const toldBy = (line: PaidLine & { id: number; paidOn: PlainDate }) => ({
    id: line.id,
    paidOn: line.paidOn,
    ...settlementOf(line, payment),
  });
  const slackCents = slackOf(payment);
  const tellsOf = (line: Line) => isNear(line, payment) && settlesSame(line, payment, slackCents);
  const lines = trx.selectFrom('payment_receipt_lines').select([...TOLD, 'invoiceId']);
  const linked = await lines.where('paymentId', '=', payment.id).execute();
  const isStill = (line: (typeof linked)[number]) =>
    line.invoiceId === payment.facturaproveedorId && tellsOf(toldBy(line));
  if (payment.kind === 'pago' && linked.some(isStill)) return { isChanged: false };
  const isLetGo = linked.length > 0;
  if (isLetGo) {
    const ids = linked.map(({ id }) => id);
    await trx.updateTable('payment_receipt_lines').set({ paymentId: null }).where('id', 'in', ids).execute();
  }
  if (payment.kind !== 'pago') return { isChanged: isLetGo };
  const waiting = await lines
    .where('invoiceId', '=', payment.facturaproveedorId)
    .where('paymentId', 'is', null)
    .orderBy('id')
    .execute();
  const [line] = matchLines(waiting.map(toldBy), [payment], slackCents).keys();
  if (!line) return { isChanged: isLetGo };
  if (!tellsOf(line)) return { told: line, isChanged: isLetGo };
  await trx
    .updateTable('payment_receipt_lines')
    .set({ paymentId: payment.id })
    .where('id', '=', line.id)
    .where('paymentId', 'is', null)
    .execute();
  return { isChanged: true };
}

const TOLD = ['id', 'paidOn', 'amountCents', 'moneda', 'pagado'] as const;
