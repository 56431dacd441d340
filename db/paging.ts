import { type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { isPlainDate } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { orderWithNulls } from './expressions.ts';
import type { Db, Schema } from './schema.ts';

interface Cursor {
  value: string | number | null;
  id: number;
}

export type Direction = 'asc' | 'desc';

export const encodeCursor = ({ value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

export async function hasAtMostRows<Row>(
  db: Db,
  max: number,
  rows: SelectQueryBuilder<Schema, never, Row>,
): Promise<boolean> {
  const limited = rows.limit(max + 1) as SelectQueryBuilder<Schema, never, object>;
  const { rows: counted } = await sql<{
    count: number;
  }>`select count(*) as count from (${limited}) as found`.execute(db);
  return counted[0]!.count <= max;
}

/** The kind of value in a cursor; with another kind, numbers would be compared with text. */
type SortKind = 'number' | 'text' | 'date';

/** @throws DomainError malformed where the text is not a cursor, or one of another order */
export function decodeCursor(text: string, kind: SortKind): Cursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (isSortValue(value, kind) && Number.isSafeInteger(id)) return { value, id: id as number };
  } catch {}
  throw badCursorError();
}

export const badCursorError = () =>
  new DomainError('malformed', 'cursor: no es una página de esta lista.', { code: 'bad_cursor' });

function isSortValue(value: unknown, kind: SortKind): value is Cursor['value'] {
  if (kind === 'number') return Number.isSafeInteger(value);
  if (kind === 'date') return value === null || (typeof value === 'string' && isPlainDate(value));
  return typeof value === 'string' && !value.includes('\0');
}

export interface SortColumn {
  column: string;
  id: string;
  kind: SortKind;
  /** rows without a value come first when ascending */
  nullable?: boolean;
}

export interface PageQuery {
  direction?: Direction;
  limit: number;
  cursor?: string;
}

/**
 * Selects one row more where there is a next page. A query with joins or wide rows should select ids only and load
 * the rest by them: then one number per row is sorted, and only the page is joined.
 * @param isSelective the filter finds few rows by its own index; the planner might otherwise read all rows in order
 */
export function selectPage<DB, TB extends keyof DB, O>(
  query: SelectQueryBuilder<DB, TB, O>,
  sort: SortColumn,
  { direction = 'asc', limit, cursor, isSelective = false }: PageQuery & { isSelective?: boolean },
): SelectQueryBuilder<DB, TB, O> {
  const { column, id, kind, nullable = false } = sort;
  const from =
    cursor === undefined ? undefined : rowsAfterCursor(sort, direction, decodeCursor(cursor, kind));
  const rest = from ? query.where(from) : query;
  const value = sql.ref(column);
  // An expression keeps the planner from using an index for the order.
  const sortExpression = isSelective ? sql`nullif(${value}, ${sql.lit(IMPOSSIBLE_VALUES[kind])})` : value;
  const sorted = rest.orderBy(sortExpression, orderWithNulls(direction, nullable));
  return (column === id ? sorted : sorted.orderBy(sql.ref(id), direction)).limit(limit + 1);
}

export interface Page<Row> {
  rows: Row[];
  cursor?: string;
}

/** Loads the page whose ids `selectPage` finds. @param sortValueOf returns the value by which a row is sorted */
export async function readPage<Row extends { id: number }>(
  idQuery: { execute(): Promise<{ id: number }[]> },
  limit: number,
  read: (ids: readonly number[]) => Promise<Row[]>,
  sortValueOf: (row: Row) => Cursor['value'],
): Promise<Page<Row>> {
  const ids = (await idQuery.execute()).map(({ id }) => id);
  const shown = ids.slice(0, limit);
  const rows = shown.length > 0 ? await read(shown) : [];
  const last = rows.at(-1);
  if (ids.length <= limit || !last) return { rows };
  return { rows, cursor: encodeCursor({ value: sortValueOf(last), id: last.id }) };
}

/** Orders rows by their ids; rows deleted meanwhile are left out. */
export function orderByIds<Row extends { id: number }>(ids: readonly number[], rows: readonly Row[]): Row[] {
  const byId = new Map(rows.map((row) => [row.id, row]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

const IMPOSSIBLE_VALUES: Record<SortKind, string | number> = {
  number: -1,
  text: '\u0001',
  date: '0001-01-01',
};

function rowsAfterCursor(
  { column, id: idColumn, nullable }: SortColumn,
  direction: Direction,
  { value, id }: Cursor,
) {
  const col = sql.ref(column);
  const ids = sql.ref(idColumn);
  if (value === null) {
    return direction === 'asc'
      ? sql<SqlBool>`((${col} is null and ${ids} > ${id}) or ${col} is not null)`
      : sql<SqlBool>`(${col} is null and ${ids} < ${id})`;
  }
  if (direction === 'asc') return sql<SqlBool>`(${col}, ${ids}) > (${value}, ${id})`;
  const before = sql<SqlBool>`(${col}, ${ids}) < (${value}, ${id})`;
  return nullable ? sql<SqlBool>`(${before} or ${col} is null)` : before;
}
