import { type Cents, formatMoney } from '../money.ts';

/** "$1,160.50"; a zero steps back, so that in a column of many the other figures stand out. */
export function Money({ cents }: { cents: Cents }) {
  return <span className={cents === 0 ? 'money zero' : 'money'}>{formatMoney(cents)}</span>;
}
