import { type SqlBool, sql } from 'kysely';
import { isPlainDate } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';

/** Where a page of a list ended: the value it is sorted by and the id that breaks ties. */
interface Cursor {
  value: string | number | null;
  id: number;
}

export type Direction = 'asc' | 'desc';

export const encodeCursor = ({ value, id }: Cursor): string =>
  Buffer.from(JSON.stringify([value, id])).toString('base64url');

/** What a list is sorted by; a cursor of another order would compare numbers with text. */
type SortKind = 'number' | 'text' | 'date';

/** @throws DomainError malformed where the text is no cursor, or one of another order */
export function decodeCursor(text: string, kind: SortKind): Cursor {
  try {
    const [value, id] = JSON.parse(Buffer.from(text, 'base64url').toString('utf8')) as unknown[];
    if (isSortValue(value, kind) && Number.isSafeInteger(id)) return { value, id: id as number };
  } catch {
    // falls through to the refusal
  }
  throw new DomainError('malformed', 'cursor: no es una página de esta lista.', { code: 'bad_cursor' });
}

function isSortValue(value: unknown, kind: SortKind): value is Cursor['value'] {
  if (kind === 'number') return Number.isSafeInteger(value);
  if (kind === 'date') return value === null || (typeof value === 'string' && isPlainDate(value));
  return typeof value === 'string' && !value.includes('\0');
}

/** What comes after the cursor, missing values first when ascending and last when descending (orderWithNulls). */
export function afterCursor(column: string, idColumn: string, direction: Direction, { value, id }: Cursor) {
  const col = sql.ref(column);
  const ids = sql.ref(idColumn);
  if (value === null) {
    return direction === 'asc'
      ? sql<SqlBool>`((${col} is null and ${ids} > ${id}) or ${col} is not null)`
      : sql<SqlBool>`(${col} is null and ${ids} < ${id})`;
  }
  return direction === 'asc'
    ? sql<SqlBool>`(${col}, ${ids}) > (${value}, ${id})`
    : sql<SqlBool>`((${col}, ${ids}) < (${value}, ${id}) or ${col} is null)`;
}
