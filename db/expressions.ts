import { type Expression, type OrderByItemBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Cents } from '../shared/money.ts';
import { fold } from '../shared/text.ts';
import { dialectOf } from './open.ts';
import type { Db, Schema, Trx } from './schema.ts';
import {
  type IndexedColumn,
  SEARCH_INDEXES,
  type Searched,
  type SearchedColumn,
  searchedColumns,
} from './tables/search-indexes.ts';

/**
 * Missing values first when ascending, last when descending, on both databases (as SQLite does by itself). Said of
 * nullable columns alone: PostgreSQL reads no index in that order that was not made with NULLS FIRST, though its
 * column is never null.
 */
export const inOrder = (direction: 'asc' | 'desc', nullable: boolean) => (item: OrderByItemBuilder) => {
  if (!nullable) return direction === 'asc' ? item.asc() : item.desc();
  return direction === 'asc' ? item.asc().nullsFirst() : item.desc().nullsLast();
};

/** `column` (a folded one) holds `text`, case and accents aside; % and _ mean themselves. */
export const foldedContains = (column: Expression<string>, text: string): Expression<SqlBool> =>
  isLike(column, `%${patternOf(text)}%`);

/** To sort by: first what begins with `text`, then what only holds it. */
export const beginningFirst = (column: Expression<string>, text: string): Expression<number> =>
  sql<number>`case when ${isLike(column, `${patternOf(text)}%`)} then 0 else 1 end`;

const patternOf = (text: string): string => fold(text).replace(/[\\%_]/g, '\\$&');

const isLike = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;

/**
 * Looks for a text in a large table, by the search index of its column where it has one. A text of one or two characters
 * has no trigram and is looked for by a scan.
 */
export function searchesText(db: Db, column: SearchedColumn, text: string): Expression<SqlBool> {
  const needle = fold(text);
  const { table, index: name } = SEARCH_INDEXES[column];
  if (!name || dialectOf(db) === 'postgres' || [...needle].length < 3)
    return foldedContains(sql<string>`${sql.ref(`${table}.${column}`)}`, needle);
  const index = sql.table(name);
  return sql<SqlBool>`${sql.ref(`${table}.id`)} in (select rowid from ${index} where ${index} match ${quoted(needle)})`;
}

const quoted = (text: string): string => `"${fold(text).replaceAll('"', '""')}"`;

/**
 * The ids of the newest rows, `most` of them, that hold `text`: where nearly every row does, none of the others is
 * looked at. Needles of one or two characters have no index, and are no question for this.
 */
export function newestWith(db: Db, column: IndexedColumn, text: string, most: number) {
  const { table, index: name } = SEARCH_INDEXES[column];
  if (dialectOf(db) === 'postgres') {
    const holds = foldedContains(sql<string>`${sql.ref(column)}`, text);
    return sql<number>`(select id from ${sql.table(table)} where ${holds} order by id desc limit ${most})`;
  }
  const index = sql.table(name);
  const found = sql`select rowid from ${index} where ${index} match ${quoted(text)}`;
  return sql<number>`(${found} order by rowid desc limit ${most})`;
}

/** One condition for every searched column of a table that a filter asks for. */
export const searchesTexts = <Table extends 'invoices' | 'payments'>(
  db: Db,
  table: Table,
  filter: Searched<Table>,
): Expression<SqlBool>[] =>
  searchedColumns(table, filter).map(({ column, needle }) => searchesText(db, column, needle));

/** That the column is one of these ids, in a text that stays the same whatever their number. */
export const isOneOf = (db: Db, column: string, ids: readonly number[]) =>
  dialectOf(db) === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(${`{${ids.join()}}`}::bigint[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(ids)}))`;

/** That the column is one of these texts: of so many at once, no statement could name each by itself. */
export const isOneOfTexts = (db: Db, column: string, texts: readonly string[]) =>
  dialectOf(db) === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(${texts}::text[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;

/** The items of a list in a column of JSON, as `item`: on both databases `value ->> 'name'` reads their members. */
export const jsonItems = (db: Db, column: string, list: string) =>
  dialectOf(db) === 'postgres'
    ? sql`jsonb_array_elements(${sql.ref(column)}::jsonb -> ${sql.lit(list)}) as item (value)`
    : sql`json_each(${sql.ref(column)}, ${sql.lit(`$.${list}`)}) as item`;

/** The day so many days after another one; none where either is missing. */
export const daysAfter = (db: Db, date: RawBuilder<unknown>, days: RawBuilder<unknown>) =>
  dialectOf(db) === 'postgres' ? sql`${date} + (${days})::int` : sql`date(${date}, ${days} || ' days')`;

/** A payment takes it from its bank, a credit from its note. @param payments the name that the query gives the table */
export const takenBy = (payments: string) =>
  sql<Cents>`coalesce(${sql.ref(`${payments}.importebancoCents`)}, ${sql.ref(`${payments}.amountCents`)})`;

/**
 * A credit takes off the cost of its invoice the part of its amount that the note has without IVA, to the cent. In
 * doubles on both databases, since the product of two amounts may be beyond an integer.
 */
export const creditCost = (payments: string, notes: string) =>
  shareWithoutIva(sql.ref(`${payments}.amountCents`), notes);

/** The cost of a payment is the part of what left the bank that its invoice has without IVA, to the cent. */
export const paymentCost = (payments: string, invoices: string) =>
  shareWithoutIva(takenBy(payments), invoices);

function shareWithoutIva(cents: Expression<unknown>, documents: string) {
  const of = (column: string) => sql.ref(`${documents}.${column}`);
  const share = sql`(${of('subtotalCents')} + ${of('otrosimpuestosCents')})`;
  return sql<Cents>`cast(floor(cast(${cents} as double precision) * ${share}
    / ${of('totalCents')} + 0.5) as bigint)`;
}

const readOnly = new WeakSet<Db>();

/** Nothing is held for a transaction that only reads: PostgreSQL would refuse it, and nobody has to wait for it. */
export const holdNothing = (db: Db): unknown => readOnly.add(db);

const mayHold = (db: Db): boolean => dialectOf(db) === 'postgres' && !readOnly.has(db);

/** A lock on a row (of a join, that of `table`) until the transaction ends; SQLite writes one at a time anyway. */
const rowLock = (how: 'update' | 'no key update' | 'key share') => (db: Db, table?: string) =>
  mayHold(db) ? sql`for ${sql.raw(how)} ${table ? sql`of ${sql.ref(table)}` : sql``}` : sql``;

export const forUpdate = rowLock('update');
/** Changes no key: new rows may refer to the row meanwhile. */
export const forNoKeyUpdate = rowLock('no key update');
/** Nobody else changes the row; many may hold it so at once. */
export const forKeyShare = rowLock('key share');

/** Outside of a transaction there is none. */
export const forUpdateOf = (db: Db, table: keyof Schema) => (db.isTransaction ? forUpdate(db, table) : sql``);

/** Nobody else writes to these tables until the transaction ends; on SQLite nobody could anyway. */
export async function lockTables(trx: Trx, ...tables: Array<keyof Schema>): Promise<void> {
  if (!mayHold(trx) || tables.length === 0) return;
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
    trx,
  );
}

/** One at a time for each `key`, until the transaction ends; SQLite writes one at a time anyway. */
export async function lockKey(trx: Trx, key: string): Promise<void> {
  if (mayHold(trx)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
}

/** Many at a time, and nobody who holds `key` alone, until the transaction ends; nothing where there is none. */
export async function lockKeyShared(db: Db, key: string): Promise<void> {
  if (db.isTransaction && mayHold(db)) {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  }
}

/** "No" in a column of better-auth's, which keeps a boolean on PostgreSQL and 0 or 1 on SQLite. */
export const emptyFlag = (db: Db): number | boolean => (dialectOf(db) === 'postgres' ? false : 0);
