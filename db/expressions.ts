import { type Expression, type OrderByItemBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Catalog } from '../shared/catalogs/catalog.ts';
import type { Cents } from '../shared/money.ts';
import { fold } from '../shared/text.ts';
import { dialectOf } from './open.ts';
import type { Db, Schema, Trx } from './schema.ts';
import {
  type IndexedColumn,
  SEARCH_INDEXES,
  type SearchedColumn,
  type SearchTexts,
  toColumnSearches,
} from './tables/search-indexes.ts';

/**
 * With `first`, nulls come first when ascending and last when descending on both databases, as SQLite does by default.
 * Leave `nulls` out for columns without any: with it, PostgreSQL uses only indexes with NULLS FIRST.
 */
export const orderWithNulls =
  (direction: 'asc' | 'desc', nulls: 'first' | 'last' | undefined) => (item: OrderByItemBuilder) => {
    const ordered = direction === 'asc' ? item.asc() : item.desc();
    if (!nulls) return ordered;
    return nulls === 'first' && direction === 'asc' ? ordered.nullsFirst() : ordered.nullsLast();
  };

/** Selects the folded name of the catalog's row whose id is in the column `reference`, to sort by it. */
export const foldedNameSubquery = ({ table, foldField }: Catalog, reference: string) =>
  sql<string>`(select ${sql.ref(`named.${foldField}`)} from ${sql.table(table)} named where named.id = ${sql.ref(reference)})`;

/** Folds case and the accents of Spanish in a text that has no folded column; an empty one becomes null. */
export const foldedSortExpression = (column: string) =>
  sql<string | null>`nullif(lower(${[...'áéíóúüñÁÉÍÓÚÜÑ'].reduce(
    (text, letter) => sql`replace(${text}, ${sql.lit(letter)}, ${sql.lit(fold(letter))})`,
    sql`${sql.ref(column)}`,
  )}), '')`;

/** Whether the folded column contains the text, ignoring case and accents; % and _ have no special meaning. */
export const foldedContains = (column: Expression<string>, text: string): Expression<SqlBool> =>
  likeCondition(column, `%${escapeLike(text)}%`);

export const orderPrefixFirst = (column: Expression<string>, text: string): Expression<number> =>
  sql<number>`case when ${likeCondition(column, `${escapeLike(text)}%`)} then 0 else 1 end`;

const escapeLike = (text: string): string => fold(text).replace(/[\\%_]/g, '\\$&');

const likeCondition = (column: Expression<string>, pattern: string): Expression<SqlBool> =>
  sql<SqlBool>`${column} like ${pattern} escape '\\'`;

/** Texts of one or two characters have no trigram and need a scan. */
export function matchesText(db: Db, column: SearchedColumn, text: string): Expression<SqlBool> {
  const needle = fold(text);
  const { table, index: name } = SEARCH_INDEXES[column];
  if (!name || dialectOf(db) === 'postgres' || [...needle].length < 3)
    return foldedContains(sql<string>`${sql.ref(`${table}.${column}`)}`, needle);
  const index = sql.table(name);
  return sql<SqlBool>`${sql.ref(`${table}.id`)} in (select rowid from ${index} where ${index} match ${quoteFtsPhrase(needle)})`;
}

const quoteFtsPhrase = (text: string): string => `"${fold(text).replaceAll('"', '""')}"`;

/** Reads only the rows that it returns. The text needs at least three characters. */
export function selectNewestIdsContaining(db: Db, column: IndexedColumn, text: string, limit: number) {
  const { table, index: name } = SEARCH_INDEXES[column];
  if (dialectOf(db) === 'postgres') {
    const contains = foldedContains(sql<string>`${sql.ref(column)}`, text);
    return sql<number>`(select id from ${sql.table(table)} where ${contains} order by id desc limit ${limit})`;
  }
  const index = sql.table(name);
  const found = sql`select rowid from ${index} where ${index} match ${quoteFtsPhrase(text)}`;
  return sql<number>`(${found} order by rowid desc limit ${limit})`;
}

export const buildTextSearchConditions = <Table extends 'invoices' | 'payments'>(
  db: Db,
  table: Table,
  filter: SearchTexts<Table>,
): Expression<SqlBool>[] =>
  toColumnSearches(table, filter).map(({ column, needle }) => matchesText(db, column, needle));

/** The SQL is the same for any number of ids, so that it is prepared only once. */
export const isOneOf = (db: Db, column: string, ids: readonly number[]) =>
  isInIdList(db, column, encodeIdList(db, ids));

/**
 * PostgreSQL does not see how many ids a subquery has. If it saw one, its plan for any number would seem expensive to
 * it, and it would plan the statement each time. Of columns in which an id may have many rows, it should see that.
 */
export function isInIdList(db: Db, column: string, list: string) {
  if (dialectOf(db) === 'sqlite')
    return sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${list}))`;
  const ids = sql`${list}::bigint[]`;
  return sql<SqlBool>`${sql.ref(column)} = any(${/(^|\.)(id|facturaproveedorId)$/.test(column) ? sql`array(select unnest(${ids}))` : ids})`;
}

/** Encodes the `list` of isInIdList, for queries that are compiled once. */
export const encodeIdList = (db: Db, ids: readonly number[]): string =>
  dialectOf(db) === 'postgres' ? `{${ids.join()}}` : JSON.stringify(ids);

/** Passes all texts as one parameter, because the number of a query's parameters is limited. */
export const isOneOfTexts = (db: Db, column: string, texts: readonly string[]) =>
  dialectOf(db) === 'postgres'
    ? sql<SqlBool>`${sql.ref(column)} = any(${texts}::text[])`
    : sql<SqlBool>`${sql.ref(column)} in (select value from json_each(${JSON.stringify(texts)}))`;

/** Selects a table `item` with a row for each element of a list in JSON; `value ->> 'name'` reads its members. */
export const expandJsonColumnList = (db: Db, column: string, list: string) =>
  dialectOf(db) === 'postgres'
    ? sql`jsonb_array_elements(${sql.ref(column)}::jsonb -> ${sql.lit(list)}) as item (value)`
    : sql`json_each(${sql.ref(column)}, ${sql.lit(`$.${list}`)}) as item`;

/** @returns SQL for a date, or for null where the date or the number of days is null */
export const addDaysExpression = (db: Db, date: RawBuilder<unknown>, days: RawBuilder<unknown>) =>
  dialectOf(db) === 'postgres' ? sql`${date} + (${days})::int` : sql`date(${date}, ${days} || ' days')`;

export const hasDigitCondition = (db: Db, text: RawBuilder<unknown>) =>
  dialectOf(db) === 'postgres' ? sql<SqlBool>`${text} ~ '[0-9]'` : sql<SqlBool>`${text} glob '*[0-9]*'`;

/**
 * SQL for the amount that left the bank or, if a credit note paid, for the amount that was used of the note.
 * @param paymentsAlias the table's name in the query
 */
export const bankAmountExpression = (paymentsAlias: string) =>
  sql<Cents>`coalesce(${sql.ref(`${paymentsAlias}.importebancoCents`)}, ${sql.ref(`${paymentsAlias}.amountCents`)})`;

/** A credit payment without IVA, rounded; computed in doubles, because the product of two amounts may overflow. */
export const creditCostExpression = (paymentsAlias: string, notesAlias: string) =>
  amountWithoutIvaExpression(sql.ref(`${paymentsAlias}.amountCents`), notesAlias);

export const paymentCostExpression = (paymentsAlias: string, invoicesAlias: string) =>
  amountWithoutIvaExpression(bankAmountExpression(paymentsAlias), invoicesAlias);

function amountWithoutIvaExpression(cents: Expression<unknown>, documents: string) {
  const of = (column: string) => sql.ref(`${documents}.${column}`);
  const share = sql`(${of('subtotalCents')} + ${of('otrosimpuestosCents')})`;
  return sql<Cents>`cast(floor(cast(${cents} as double precision) * ${share}
    / ${of('totalCents')} + 0.5) as bigint)`;
}

const handlesWithoutRowLocks = new WeakSet<Db>();

/** For snapshots, which only read and need no locks. PostgreSQL refuses row locks in read-only transactions. */
export const disableRowLocks = (db: Db): unknown => handlesWithoutRowLocks.add(db);

export const usesRowLocks = (db: Db): boolean =>
  dialectOf(db) === 'postgres' && !handlesWithoutRowLocks.has(db);

/** Locks a row (in a join, that of `table`) until the transaction ends. Does nothing on SQLite: it has one writer. */
const createRowLock = (strength: 'update' | 'no key update' | 'key share') => (db: Db, table?: string) =>
  usesRowLocks(db) ? sql`for ${sql.raw(strength)} ${table ? sql`of ${sql.ref(table)}` : sql``}` : sql``;

export const forUpdate = createRowLock('update');
/** The key stays the same, so other transactions may insert rows that refer to this one. */
export const forNoKeyUpdate = createRowLock('no key update');
/** Keeps others from deleting the row or changing its key; many transactions may hold this lock at once. */
export const forKeyShare = createRowLock('key share');

export const forUpdateInTransaction = (db: Db, table: keyof Schema) =>
  db.isTransaction ? forUpdate(db, table) : sql``;

/** Locks in the order of the ids, so that no two transactions wait for each other. */
export async function lockRows(trx: Trx, table: keyof Schema, ids: readonly number[]): Promise<void> {
  if (!usesRowLocks(trx)) return;
  await sql`select id from ${sql.table(table)} where ${isOneOf(trx, 'id', ids)} order by id for update`.execute(
    trx,
  );
}

/** Others can still read these tables, but not write to them. Does nothing on SQLite, which has only one writer. */
export async function lockTables(trx: Trx, ...tables: Array<keyof Schema>): Promise<void> {
  if (!usesRowLocks(trx) || tables.length === 0) return;
  await sql`lock table ${sql.join(tables.map((table) => sql.table(table)))} in share row exclusive mode`.execute(
    trx,
  );
}

/** Does nothing on SQLite, which has only one writer. */
export async function lockAdvisoryKey(trx: Trx, key: string): Promise<void> {
  if (usesRowLocks(trx)) {
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(trx);
  }
}

/** Many transactions may hold this lock at once, but not with `lockAdvisoryKey`. No effect outside a transaction. */
export async function lockAdvisoryKeyShared(db: Db, key: string): Promise<void> {
  if (db.isTransaction && usesRowLocks(db)) {
    await sql`select pg_advisory_xact_lock_shared(hashtextextended(${key}, 0))`.execute(db);
  }
}

/** The value false in a column of better-auth, which stores a boolean on PostgreSQL and 0 or 1 on SQLite. */
export const betterAuthFalse = (db: Db): number | boolean => (dialectOf(db) === 'postgres' ? false : 0);
