import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { formatCount } from '../shared/counts.ts';
import { isPlainDate } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { orderWithNulls } from './expressions.ts';
import type { Db, Schema } from './schema.ts';

interface Cursor {
  value: string | number | null;
  id: number;
}

export type SortDirection = 'asc' | 'desc';

export const encodeCursor = ({ value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

/** Counts rows only where the highest id exceeds `max`, since there are never more rows than the highest id. */
export async function tableHasAtMostRows(db: Db, max: number, table: keyof Schema): Promise<boolean> {
  const ids = sql.table(table);
  const { rows } = await sql`select 1 as more where (select max(id) from ${ids}) > ${max}
    and exists (select 1 from ${ids} limit 1 offset ${max})`.execute(db);
  return rows.length === 0;
}

/** The kind of value that a cursor of this order must contain, so that numbers are not compared with text. */
type SortKind = 'number' | 'text' | 'date';

/** @throws DomainError malformed where the text is not a cursor, or is the cursor of another order */
export function decodeCursor(text: string, sort: Pick<SortColumn, 'kind' | 'nulls'>): Cursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (isSortValue(value, sort) && Number.isSafeInteger(id)) return { value, id: id as number };
  } catch {}
  throw badCursorError();
}

export const badCursorError = () =>
  new DomainError('malformed', 'cursor: no es una página de esta lista.', { code: 'bad_cursor' });

function isSortValue(
  value: unknown,
  { kind, nulls }: Pick<SortColumn, 'kind' | 'nulls'>,
): value is Cursor['value'] {
  if (value === null) return nulls !== undefined;
  if (kind === 'number') return Number.isSafeInteger(value);
  return typeof value === 'string' && (kind === 'date' ? isPlainDate(value) : !value.includes('\0'));
}

export interface SortColumn {
  /** a column, or an expression */
  column: string | RawBuilder<unknown>;
  id: string;
  kind: SortKind;
  /** where rows without a value are: `first` when ascending and last when descending, or always `last` */
  nulls?: 'first' | 'last';
  /** no index has this order, so all rows of the filter are sorted; more than MAX_SORTED_ROWS are refused */
  isUnindexed?: boolean;
}

/** An order that no index has; rows without a value come last. */
export const createUnindexedSort = (
  kind: SortKind,
  column: SortColumn['column'],
): Omit<SortColumn, 'id'> => ({
  column,
  kind,
  nulls: 'last',
  isUnindexed: true,
});

/** Sorting so many rows takes one or two tenths of a second (docs/benchmarks.md). */
export const MAX_SORTED_ROWS = 100_000;

export interface PagingOptions {
  direction?: SortDirection;
  limit: number;
  cursor?: string;
}

interface SortedId {
  id: number;
  sortedBy: Cursor['value'];
}

/**
 * Finds the ids of a page, and then loads its rows, so that only ids are sorted and only the page's rows are joined.
 * @param isSelective the filter finds few rows by its own index; the planner might otherwise read all rows in order
 * @throws DomainError malformed bad_cursor; too-large too_many_to_sort, where no index has the order
 */
export async function searchPage<Row extends { id: number }, DB, TB extends keyof DB>(
  matchingRowsQuery: SelectQueryBuilder<DB, TB, object>,
  sort: SortColumn,
  { direction = 'asc', limit, cursor, isSelective = false }: PagingOptions & { isSelective?: boolean },
  readRows: (ids: readonly number[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
  const { id, kind, nulls } = sort;
  const column = typeof sort.column === 'string' ? sql.ref(sort.column) : sort.column;
  const ids = matchingRowsQuery.select(sql<number>`${sql.ref(id)}`.as('id'));
  const rest = cursor === undefined ? ids : ids.where(isAfterCursorCondition(decodeCursor(cursor, sort)));
  const isTooLong = sort.isUnindexed && (await ids.limit(1).offset(MAX_SORTED_ROWS).execute()).length > 0;
  if (isTooLong) throw tooManyToSortError();
  // An expression keeps the planner from using an index for the order.
  const sortExpression = isSelective ? sql`nullif(${column}, ${sql.lit(NEVER_STORED_VALUES[kind])})` : column;
  const rows = (await rest
    .select(column.as('sortedBy'))
    .orderBy(sortExpression, orderWithNulls(direction, nulls))
    .$if(sort.column !== id, (query) => query.orderBy(sql.ref(id), direction))
    .limit(limit + 1)
    .execute()) as unknown as SortedId[];
  const shown = rows.slice(0, limit).map((row) => row.id);
  const last = rows[shown.length - 1];
  return {
    rows: last ? orderByIds(shown, await readRows(shown)) : [],
    cursor: last && rows.length > limit ? encodeCursor({ value: last.sortedBy, id: last.id }) : undefined,
  };

  function isAfterCursorCondition({ value, id: lastId }: Cursor) {
    const idColumn = sql.ref(id);
    const after = sql.raw(direction === 'asc' ? '>' : '<');
    const areNullsLater = nulls === 'last' || (nulls === 'first' && direction === 'desc');
    if (value === null) {
      const later = sql<SqlBool>`(${column} is null and ${idColumn} ${after} ${lastId})`;
      return areNullsLater ? later : sql<SqlBool>`(${later} or ${column} is not null)`;
    }
    const later = sql<SqlBool>`(${column}, ${idColumn}) ${after} (${value}, ${lastId})`;
    return areNullsLater ? sql<SqlBool>`(${later} or ${column} is null)` : later;
  }
}

export interface Page<Row> {
  rows: Row[];
  cursor?: string;
}

function tooManyToSortError() {
  const most = formatCount(MAX_SORTED_ROWS);
  return new DomainError(
    'too-large',
    `Por esta columna se ordenan hasta ${most} filas, y hay más: acota el filtro, u ordena por otra columna.`,
    { code: 'too_many_to_sort' },
  );
}

/** Leaves out rows deleted meanwhile. */
export function orderByIds<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  if (rows.length === ids.length && rows.every((row, index) => row.id === ids[index])) return [...rows];
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const NEVER_STORED_VALUES: Record<SortKind, string | number> = {
  number: -1,
  text: '\u0001',
  date: '0001-01-01',
};
