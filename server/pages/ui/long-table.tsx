import type { ReactNode } from 'react';
import { z } from 'zod';
import { Pager, PrintedRowsNote } from '../../../shared/ui/Pager.tsx';
import type { AppContext } from '../../http/session.ts';
import { parseQuery, wholeNumberField } from '../../shapes/fields.ts';

/** @throws DomainError malformed */
export function readFirstRowIndex(c: AppContext, parameterName = 'desde'): number {
  const shape = z.object({ [parameterName]: wholeNumberField(parameterName, 0, 1_000_000) });
  return parseQuery(shape, { [parameterName]: c.req.queries(parameterName) ?? [''] })[parameterName] ?? 0;
}

interface LongTableProps {
  /** id of the element that script looks for in the table's next page, to append that page's rows */
  id: string;
  /** number of rows up to the last one shown; `total` is the number of all rows */
  shown: number;
  total: number;
  noun: readonly [string, string];
  href: string;
  hiddenInputs?: ReactNode;
  children: ReactNode;
}

export function LongTable({ id, shown, total, noun, href, hiddenInputs, children }: LongTableProps) {
  return (
    <div id={id} className="stack">
      <PrintedRowsNote printedCount={shown} total={total} noun={noun} hasTotals={false} />
      {children}
      {shown < total && (
        <Pager shown={shown} total={total} noun={noun} href={href}>
          {hiddenInputs}
        </Pager>
      )}
    </div>
  );
}

/** Both the rows that come first and the others keep their order. */
export const putFirst = <Row,>(rows: readonly Row[], isFirst: (row: Row) => boolean): Row[] =>
  rows.toSorted((one, other) => Number(isFirst(other)) - Number(isFirst(one)));

/** A row, and whether it begins or ends a group of adjacent rows that belong together. */
export type RowInGroup<Row> = Row & { isFirst: boolean; isLast: boolean };

export const markGroupEnds = <Row,>(
  rows: readonly Row[],
  isSameGroup: (one: Row, other: Row) => boolean,
): RowInGroup<Row>[] =>
  rows.map((row, index) => ({
    ...row,
    isFirst: index === 0 || !isSameGroup(rows[index - 1]!, row),
    isLast: index === rows.length - 1 || !isSameGroup(row, rows[index + 1]!),
  }));
