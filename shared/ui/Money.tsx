import { type Cents, formatMoney } from '../money.ts';

interface MoneyProps {
  cents: Cents;
  /** a zero is shown as "–": in a matrix that is mostly empty even grey zeros would drown the amounts */
  dash?: boolean;
  /** to the rows that it is the sum of */
  href?: string;
}

/** "$1,160.50"; a zero steps back, so that the other figures of its column stand out. */
export function Money({ cents, dash = false, href }: MoneyProps) {
  if (href !== undefined)
    return (
      <a href={href}>
        <Money cents={cents} dash={dash} />
      </a>
    );
  if (cents !== 0) return <span className="money">{formatMoney(cents)}</span>;
  return <span className="money zero">{dash ? '–' : formatMoney(0)}</span>;
}
