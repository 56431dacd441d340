import type { ReactNode } from 'react';
import type { Cents } from '../money.ts';
import { Money } from './Money.tsx';

interface TotalsItem {
  label: string;
  cents: Cents;
  href?: string;
  note?: string;
  isLate?: boolean;
  mark?: ReactNode;
  /** the sign before the amount; "=" marks the result */
  op?: '−' | '+' | '=';
}

interface TotalsProps {
  items: readonly TotalsItem[];
  label: string;
  isFooter?: boolean;
}

export function Totals({ items, label, isFooter = false }: TotalsProps) {
  return (
    <dl className={isFooter ? 'totals foot' : 'totals'} aria-label={label}>
      {items.map((item) => (
        <div key={item.label} className={item.op === '=' ? 'result' : undefined} data-op={item.op}>
          <dt>{item.label}</dt>
          <dd>
            <Money cents={item.cents} href={item.href} isLate={item.isLate} mark={item.mark} />
          </dd>
          {item.note && <dd className="hint">{item.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
