import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../counts.ts';
import { LinkButton } from './Button.tsx';

interface PagerProps {
  shown: number;
  total: number;
  href?: string;
  noun: readonly [string, string];
  /** hidden fields for the rows that are not shown yet; the next rows replace them */
  children?: ReactNode;
}

export function Pager({ shown, total, href, noun, children }: PagerProps) {
  return (
    <div className="pager">
      {children}
      <span>
        {shown < total && `${formatCount(shown)} de `}
        {pluralize(total, ...noun)}
      </span>
      {href && (
        <LinkButton href={href} rel="next" data-more="">
          Cargar más
        </LinkButton>
      )}
    </div>
  );
}
