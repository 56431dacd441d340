import type { ReactNode } from 'react';
import { type Cents, formatMoney } from '../money.ts';

interface MoneyProps {
  cents: Cents;
  /** a zero is shown as "–", as in a matrix of mostly zeros, where they would drown the amounts */
  dash?: boolean;
  href?: string;
  title?: string;
  mark?: ReactNode;
  isLate?: boolean;
}

export const SumOfParts = ({ cents, children }: { cents: Cents; children: ReactNode }) => (
  <details className="made-of">
    <summary className="money">{formatMoney(cents)}</summary>
    {children}
  </details>
);

export function Money({ cents, dash = false, href, title, mark, isLate = false }: MoneyProps) {
  if (cents === 0)
    return <span className={dash ? 'money zero dash' : 'money zero'}>{dash ? '–' : formatMoney(0)}</span>;
  const Element = href === undefined ? 'span' : 'a';
  return (
    <Element href={href} className={isLate ? 'money late' : 'money'} title={title}>
      {formatMoney(cents)}
      {mark}
    </Element>
  );
}
