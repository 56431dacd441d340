import type { ReactNode } from 'react';
import { counted, grouped } from '../counts.ts';
import { LinkButton } from './Button.tsx';

interface PagerProps {
  shown: number;
  total: number;
  /** of the next rows; the loader appends them in place */
  href?: string;
  /** one of them, and several */
  noun: readonly [string, string];
  /** what is posted of the rows that do not show yet; the next rows take its place */
  children?: ReactNode;
}

export function Pager({ shown, total, href, noun, children }: PagerProps) {
  return (
    <div className="pager">
      {children}
      <span>
        {shown < total && `${grouped(shown)} de `}
        {counted(total, ...noun)}
      </span>
      {href && (
        <LinkButton href={href} rel="next" data-more="">
          Cargar más
        </LinkButton>
      )}
    </div>
  );
}
