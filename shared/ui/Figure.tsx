import type { ReactNode } from 'react';
import { type Cents, formatMoney, shortMoney } from '../money.ts';
import { Money } from './Money.tsx';

interface FigureProps {
  label: string;
  cents: Cents;
  /** to the rows that it is the sum of; nothing where there are none */
  href?: string;
  isLate?: boolean;
  /** what it is made of, where it leads to no list by itself */
  parts?: ReactNode;
  /** after the amount: that it rests on a day that was worked out */
  mark?: ReactNode;
  children?: ReactNode;
}

/** An item of a list of figures: short where it is large, with the exact amount below it. */
export function Figure({ label, cents, href, parts, isLate, mark, children }: FigureProps) {
  const short = shortMoney(cents);
  const isShort = !formatMoney(cents).startsWith(short);
  const content = (
    <>
      <span className="label">{label}</span>
      {(isShort || !parts) && (
        <strong className={isLate ? 'late' : undefined}>
          {isShort ? short : <Money cents={cents} />}
          {mark}
        </strong>
      )}
      {parts ? (
        <>
          <span className={isShort ? 'net' : 'net sole'}>
            <Money cents={cents} />
          </span>
          {parts}
        </>
      ) : (
        isShort && (
          <span className="exact">
            <Money cents={cents} />
          </span>
        )
      )}
      {children && <span className="note">{children}</span>}
    </>
  );
  return <li>{href ? <a href={href}>{content}</a> : <div>{content}</div>}</li>;
}
