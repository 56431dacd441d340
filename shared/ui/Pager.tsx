import type { ReactNode } from 'react';
import { formatCount, pluralize } from '../counts.ts';
import { LinkButton } from './Button.tsx';

interface PrintedRowsProps {
  printedCount: number;
  total: number;
  noun: PagerProps['noun'];
  hasTotals?: boolean;
  isExportable?: boolean;
}

/** Warns above a printout that some rows are missing there, because its totals are those of all rows. */
export function PrintedRowsNote({
  printedCount,
  total,
  noun,
  hasTotals = true,
  isExportable,
}: PrintedRowsProps) {
  if (printedCount >= total) return null;
  const totals = hasTotals ? `; los totales cuentan ${formatCount(total)}` : '';
  return (
    <p className="print-only" data-printed="">
      <strong>
        Se imprimieron {formatCount(printedCount)} de {pluralize(total, ...noun)}
        {totals}.{isExportable && ' Para imprimir todo: Exportar.'}
      </strong>
    </p>
  );
}

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
