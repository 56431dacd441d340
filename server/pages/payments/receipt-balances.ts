import { formatMoney } from '../../../shared/money.ts';
import type { BalanceDifference } from '../../services/receipt-balances.ts';

/** "Según su REP P-1 se debían $812,000.00 antes de este pago y $712,000.00 después; aquí, $800,000.00 y $700,000.00." */
export function sayBalances({ numero, theirs, ours }: BalanceDifference): string {
  const money = (cents: number | null) => (cents === null ? '—' : formatMoney(cents));
  return (
    `Según su REP ${numero} se debían ${money(theirs.beforeCents)} antes de este pago y ${money(theirs.afterCents)} después; ` +
    `aquí, ${money(ours.beforeCents)} y ${money(ours.afterCents)}.`
  );
}
