import type { ReactNode } from 'react';
import { type Cents, formatMoney } from '../money.ts';

interface MoneyProps {
  cents: Cents;
  /** a zero is shown as "–": in a matrix that is mostly empty even grey zeros would drown the amounts */
  dash?: boolean;
  /** the address of the rows that it is the sum of; a zero has none to show and leads nowhere */
  href?: string;
  /** of a figure that leads on: what a pointer at rest is told */
  title?: string;
  /** after the amount: that it rests on a day that was worked out */
  mark?: ReactNode;
}

/** A sum that several lists make: it opens to its parts, each with its list. */
export const SumOfParts = ({ cents, children }: { cents: Cents; children: ReactNode }) => (
  <details className="made-of">
    <summary className="money">{formatMoney(cents)}</summary>
    {children}
  </details>
);

/**
 * "$1,160.50"; a zero steps back, so that the other figures of its column stand out. One that leads to its rows looks
 * the same wherever it stands: a figure in its own ink over a row of dots (figures.css).
 */
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
