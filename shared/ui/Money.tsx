import type { ReactNode } from 'react';
import { type Cents, formatMoney } from '../money.ts';

interface MoneyProps {
  cents: Cents;
  /** a zero is shown as "–": in a matrix that is mostly empty even grey zeros would drown the amounts */
  dash?: boolean;
  /** the rows that it sums; a zero leads nowhere */
  href?: string;
  title?: string;
  mark?: ReactNode;
}

export const SumOfParts = ({ cents, children }: { cents: Cents; children: ReactNode }) => (
  <details className="made-of">
    <summary className="money">{formatMoney(cents)}</summary>
    {children}
  </details>
);

/** "$1,160.50"; a zero steps back. A linked figure looks the same everywhere: its own ink over dots (figures.css). */
export function Money({ cents, dash = false, href, title, mark }: MoneyProps) {
  if (cents === 0) return <span className="money zero">{dash ? '–' : formatMoney(0)}</span>;
  const Element = href === undefined ? 'span' : 'a';
  return (
    <Element href={href} className="money" title={title}>
      {formatMoney(cents)}
      {mark}
    </Element>
  );
}
