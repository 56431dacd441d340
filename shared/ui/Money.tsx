import { type Cents, formatMoney } from '../money.ts';

/** "$1,160.50"; a zero steps back, so that the other figures of its column stand out. `dash`: shown as "–". */
export function Money({ cents, dash = false }: { cents: Cents; dash?: boolean }) {
  if (cents !== 0) return <span className="money">{formatMoney(cents)}</span>;
  // in a matrix that is mostly empty even grey zeros would drown the amounts
  return <span className="money zero">{dash ? '–' : formatMoney(0)}</span>;
}
