import type { ReactNode } from 'react';
import type { Cents } from '../money.ts';
import { Money, SumOfParts } from './Money.tsx';

interface FigureProps {
  label: string;
  cents: Cents;
  /** address of the rows that it sums; a zero has no link */
  href?: string;
  isLate?: boolean;
  /** the parts of a sum that no list shows; the reader opens them here */
  breakdown?: ReactNode;
  mark?: ReactNode;
  children?: ReactNode;
}

export function Figure({ label, cents, href, breakdown, isLate, mark, children }: FigureProps) {
  const content = (
    <>
      <span className="label">{label}</span>
      {breakdown ? (
        <SumOfParts cents={cents}>{breakdown}</SumOfParts>
      ) : (
        <strong className={isLate ? 'late' : undefined}>
          <Money cents={cents} />
          {mark}
        </strong>
      )}
      {children && <span className="note">{children}</span>}
    </>
  );
  return <li>{href && cents !== 0 ? <a href={href}>{content}</a> : <div>{content}</div>}</li>;
}
