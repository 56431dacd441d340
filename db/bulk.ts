import { CompiledQuery, type Insertable, type RawBuilder, sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db, Schema, Trx } from './schema.ts';
import { inTransaction } from './transaction.ts';

/** Queries of so many rows are fast, and each delays other users by only some 30 ms, which they do not notice. */
export const ROWS_PER_QUERY = 500;

/** SQLite inserts four times as fast from bound values as from JSON. More rows per statement gain nothing. */
const SQLITE_ROWS_PER_QUERY = 100;

/** All rows have the same columns; missing columns get the database's default. */
export async function insertRows<Table extends keyof Schema>(
  trx: Trx,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const isSqlite = dialectOf(trx) === 'sqlite';
  const insert = insertIntoClause(table, columns);
  const fromJson = `${insert} select ${joinIdentifiers(columns)} from json_populate_recordset(null::${quoteIdentifier(table)}, $1::json)`;
  const one = `(${columns.map(() => '?').join(', ')})`;
  const batchSize = isSqlite ? SQLITE_ROWS_PER_QUERY : ROWS_PER_QUERY;
  for (let at = 0; at < rows.length; at += batchSize) {
    const batch = rows.slice(at, at + batchSize);
    const query = isSqlite
      ? CompiledQuery.raw(
          `${insert} values ${batch.map(() => one).join(', ')}`,
          batch.flatMap((row) => valuesInColumnOrder(row, columns)),
        )
      : CompiledQuery.raw(fromJson, [encodeRows(trx, columns, batch)]);
    await trx.executeQuery(query);
  }
}

/** Builds no query, because building takes longer than inserting. @returns the row's id */
export async function insertRow(trx: Trx, table: keyof Schema, row: object): Promise<number> {
  const set = Object.entries(row).filter(([, value]) => value !== undefined);
  const columns = set.map(([name]) => name);
  const marks = set.map((_, index) => (dialectOf(trx) === 'postgres' ? `$${index + 1}` : '?')).join(', ');
  const insert = `${insertIntoClause(table, columns)} values (${marks}) returning id`;
  const values = set.map(([, value]) => value);
  return (await trx.executeQuery<{ id: number }>(CompiledQuery.raw(insert, values))).rows[0]!.id;
}

const insertIntoClause = (table: string, columns: readonly string[]) =>
  `insert into ${quoteIdentifier(table)} (${joinIdentifiers(columns)})`;

/** Reserves ids, so that rows can refer to each other before they are stored. Ids that are not used may be skipped. */
export async function reserveIds(db: Db, table: keyof Schema, count: number): Promise<number[]> {
  if (count === 0) return [];
  if (dialectOf(db) === 'postgres') {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(
      db,
    );
    return rows.map(({ id }) => id);
  }
  return inTransaction(db, async (trx) => {
    const highest = sql`coalesce((select max(id) from ${sql.table(table)}), 0)`;
    const reserve = sql<{ seq: number }>`update sqlite_sequence set seq = max(seq, ${highest}) + ${count}
      where name = ${table} returning seq`;
    const begin = sql<{ seq: number }>`insert into sqlite_sequence (name, seq)
      select ${table}, ${highest} + ${count} returning seq`;
    const [reserved = (await begin.execute(trx)).rows[0]!] = (await reserve.execute(trx)).rows;
    return Array.from({ length: count }, (_, index) => reserved.seq - count + 1 + index);
  });
}

interface ValueTypesBySqlType {
  bigint: number;
  text: string;
  date: string;
}

/**
 * Returns rows in memory as a table for SQL: `from ${valuesTable(db, { id: 'bigint' }, rows)} as w`. Put it first in a
 * `cross join`, so that these rows are scanned once, and the other table's index is used for each of them.
 */
export function valuesTable<Columns extends Readonly<Record<string, keyof ValueTypesBySqlType>>>(
  db: Db,
  columns: Columns,
  rows: readonly { readonly [Name in keyof Columns]: ValueTypesBySqlType[Columns[Name]] | null }[] | string,
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const json = Array.isArray(rows) ? encodeRows(db, names, rows) : rows;
  if (dialectOf(db) === 'postgres') {
    const typed = names.map((name) => `${quoteIdentifier(name)} ${columns[name]}`).join(', ');
    return sql`(select ${sql.raw(joinIdentifiers(names))} from json_to_recordset(${json}::json) as listed (${sql.raw(typed)}))`;
  }
  const picked = names.map((name, index) => `value->>${index} as ${quoteIdentifier(name)}`).join(', ');
  return sql`(select ${sql.raw(picked)} from json_each(${json}))`;
}

const quoteIdentifier = (name: string): string => `"${name}"`;

const joinIdentifiers = (columns: readonly string[]): string => columns.map(quoteIdentifier).join(', ');

type Row = Readonly<Record<string, unknown>>;

/**
 * Encodes rows for valuesTable in a query that is compiled once: objects keyed by column on PostgreSQL; on SQLite arrays
 * in the columns' order, which it reads faster.
 */
export function encodeRows(db: Db, columns: readonly string[], rows: readonly Row[]): string {
  const values = rows.map((row) => valuesInColumnOrder(row, columns));
  return JSON.stringify(dialectOf(db) === 'postgres' ? rows : values);
}

function valuesInColumnOrder(row: Row, columns: readonly string[]): unknown[] {
  const values = columns.map((name) => row[name]);
  if (values.includes(undefined) || Object.keys(row).length !== columns.length)
    throw new Error(`rows of other columns than ${columns.join(', ')}`);
  return values;
}
