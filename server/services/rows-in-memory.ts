import { badCursorError, type SortDirection } from '../../db/paging.ts';

type SortValue = string | number | null | undefined;

const spanishCollator = new Intl.Collator('es-MX', { numeric: true });

/** Rows without a value come last in either direction, and equal rows are in the order of their ids. */
export const sortRows = <Row extends { id: number }>(
  rows: readonly Row[],
  sortValueOf: (row: Row) => SortValue,
  direction: SortDirection = 'asc',
): Row[] => {
  const sign = direction === 'asc' ? 1 : -1;
  const isEmpty = (value: SortValue) => Number(value === null || value === undefined || value === '');
  return [...rows].sort((one, other) => {
    const [a, b] = [sortValueOf(one), sortValueOf(other)];
    const order =
      typeof a === 'number' && typeof b === 'number' ? a - b : spanishCollator.compare(String(a), String(b));
    return isEmpty(a) - isEmpty(b) || sign * (isEmpty(a) ? one.id - other.id : order || one.id - other.id);
  });
};

/** @throws DomainError malformed where the cursor's row is not in the list */
export function takePage<Row extends { id: number }>(
  rows: readonly Row[],
  { limit, cursor }: { limit: number; cursor?: string | number | null },
): { rows: Row[]; total: number; cursor?: string } {
  const last = rows.findIndex(({ id }) => String(id) === String(cursor));
  if (cursor && last < 0) throw badCursorError();
  const page = rows.slice(last + 1, last + 1 + limit);
  const isEnd = last + 1 + page.length === rows.length;
  return { rows: page, total: rows.length, cursor: isEnd ? undefined : String(page.at(-1)?.id) };
}
