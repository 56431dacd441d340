import { sql } from 'kysely';
import { compileOncePerKey } from '../../db/compile-once.ts';
import { encodeIdList, isInIdList, lockRows } from '../../db/expressions.ts';
import type { Schema, Trx } from '../../db/schema.ts';
import { DomainError } from '../../shared/errors.ts';

/** A missing row is no error here: the read that follows reports it. */
export const lockRow = (trx: Trx, table: keyof Schema, id: number): Promise<void> =>
  lockRows(trx, table, [id]);

/** Without a version the sender means to overwrite. @throws DomainError stale, with the stored row */
export function requireCurrentVersion(
  current: { version: number },
  version: number | undefined,
  message: string,
): void {
  if (version === undefined || version === current.version) return;
  throw new DomainError('stale', message, { extra: { current } });
}

/** A signature or a confirmation must name the version that was reviewed. @throws DomainError invalid */
export function requireVersion(version: number | undefined): number {
  if (version === undefined) {
    const message = 'Falta la versión que se revisó.';
    throw new DomainError('invalid', message, { fields: { version: message } });
  }
  return version;
}

export const haveSameValues = (columns: object, before: object): boolean =>
  JSON.stringify(columns) === JSON.stringify(before);

export async function readLastDeleted<Row>(trx: Trx, entity: string, id: number): Promise<Row | undefined> {
  const entry = await trx
    .selectFrom('audit')
    .select('before')
    .where('entity', '=', entity)
    .where('entityId', '=', String(id))
    .where('action', '=', 'delete')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return entry?.before ? (JSON.parse(entry.before) as Row) : undefined;
}

export const idsOf = <Id>(rows: readonly { id: Id }[]): Id[] => rows.map(({ id }) => id);

export const mapById = <Row extends { id: number }>(rows: readonly Row[]): Map<number, Row> =>
  new Map(rows.map((row) => [row.id, row]));

/** Returns each stored id once, in ascending order, because rows are always locked in that order. */
export const distinctIds = (ids: readonly (number | null | undefined)[]): number[] =>
  [...new Set(ids.filter((id): id is number => typeof id === 'number' && id > 0))].sort((a, b) => a - b);

export async function readExistingIds(
  trx: Trx,
  table: keyof Schema,
  ids: readonly number[],
  column = 'id',
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await readDistinctIds(`${table}.${column}`, trx, encodeIdList(trx, ids));
  return new Set(rows.map(({ id }) => id));
}

const readDistinctIds = compileOncePerKey((column: string, db, ids: string) => {
  const [table = ''] = column.split('.');
  return sql<{ id: number }>`select distinct ${sql.ref(column)} as id from ${sql.table(table)}
    where ${isInIdList(db, column, ids)}`;
});

/** Longer queries would make other writers wait. */
const KEYS_PER_QUERY = 5000;

export function* splitIntoChunks<T>(all: readonly T[], size = KEYS_PER_QUERY): Generator<readonly T[]> {
  for (let at = 0; at < all.length; at += size) yield all.slice(at, at + size);
}

export function appendToMapEntry<Key, T>(map: Map<Key, T[]>, key: Key, value: T): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

/** Only if so many of the last rows agree is their common value proposed. */
export const MIN_AGREEING_ROWS = 3;

/** @returns the newest of the last rows, newest first, if there are enough and all have its value of a column */
export const findRowWithCommonValue = <Row>(
  newestRows: readonly Row[],
  column: keyof Row,
): Row | undefined =>
  newestRows.length === MIN_AGREEING_ROWS && newestRows.every((row) => row[column] === newestRows[0]![column])
    ? newestRows[0]
    : undefined;
