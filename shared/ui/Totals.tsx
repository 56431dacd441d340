import type { Cents } from '../money.ts';
import { Money } from './Money.tsx';

interface TotalsItem {
  label: string;
  cents: Cents;
  href?: string;
  /** what is left out of it, small */
  note?: string;
  /** the sign before the figure; what stands after = is set as the result */
  op?: '−' | '+' | '=';
}

interface TotalsProps {
  items: readonly TotalsItem[];
  label: string;
  /** under a list, where they stay in sight */
  foot?: boolean;
}

/** Summary figures set as the sum they are: total − paid = pending. */
export function Totals({ items, label, foot = false }: TotalsProps) {
  return (
    <dl className={foot ? 'totals foot' : 'totals'} aria-label={label}>
      {items.map((item) => (
        <div key={item.label} className={item.op === '=' ? 'result' : undefined} data-op={item.op}>
          <dt>{item.label}</dt>
          <dd>
            <Money cents={item.cents} href={item.href} />
          </dd>
          {item.note && <dd className="hint">{item.note}</dd>}
        </div>
      ))}
    </dl>
  );
}
