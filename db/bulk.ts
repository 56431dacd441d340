import { CompiledQuery, type Insertable, type RawBuilder, sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db, Schema, Trx } from './schema.ts';

/** Rows that go into one statement: enough to be quick, few enough for others not to notice (some 30 ms). */
export const ROWS_AT_ONCE = 500;

/**
 * Stores rows that all have the same columns, with one statement that stays the same whatever their number, so that
 * it is prepared once: the rows travel as one JSON text. No faster way in was found short of dropping indexes; a
 * prepared insert for each row takes a quarter longer. What the rows leave out is the database's default.
 * @param onBatch called after each statement with how many rows are in
 */
export async function insertRows<Table extends keyof Schema>(
  trx: Trx,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
  onBatch: (stored: number) => Promise<void> = async () => {},
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {});
  const names = columns.map(quote).join(', ');
  const from =
    dialectOf(trx) === 'postgres'
      ? `${names} from json_populate_recordset(null::${quote(table)}, $1::json)`
      : `${columns.map((_, index) => `value->>${index}`).join(', ')} from json_each(?)`;
  const statement = `insert into ${quote(table)} (${names}) select ${from}`;
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const json = asJson(trx, columns, rows.slice(at, at + ROWS_AT_ONCE) as readonly Row[]);
    await trx.executeQuery(CompiledQuery.raw(statement, [json]));
    await onBatch(Math.min(at + ROWS_AT_ONCE, rows.length));
  }
}

/**
 * The next ids of a table, taken for this transaction: rows can refer to each other before they are stored.
 * On SQLite they are free again if it ends otherwise, on PostgreSQL they are skipped then.
 */
export async function reserveIds(trx: Trx, table: keyof Schema, count: number): Promise<number[]> {
  if (count === 0) return [];
  if (dialectOf(trx) === 'postgres') {
    const { rows } = await sql<{ id: number }>`
      select nextval(pg_get_serial_sequence(${table}, 'id')) as id from generate_series(1, ${count}::int)`.execute(
      trx,
    );
    return rows.map(({ id }) => id);
  }
  const { rows } = await sql<{ last: number | null }>`
    select max(coalesce((select seq from sqlite_sequence where name = ${table}), 0),
      coalesce((select max(id) from ${sql.table(table)}), 0)) as last`.execute(trx);
  const last = Number(rows[0]?.last ?? 0);
  return Array.from({ length: count }, (_, index) => last + 1 + index);
}

interface ListedTypes {
  bigint: number;
  text: string;
  date: string;
}

/**
 * Rows of the program as a table of a statement: `from ${listed(db, { id: 'bigint' }, rows)} as w`. Comes first
 * in a `cross join`, so that it is gone through once, with a look into the other table's index for each row.
 */
export function listed<Columns extends Readonly<Record<string, keyof ListedTypes>>>(
  db: Db,
  columns: Columns,
  rows: readonly { readonly [Name in keyof Columns]: ListedTypes[Columns[Name]] | null }[],
): RawBuilder<unknown> {
  const names = Object.keys(columns);
  const json = asJson(db, names, rows);
  if (dialectOf(db) === 'postgres') {
    const typed = names.map((name) => `${quote(name)} ${columns[name]}`).join(', ');
    return sql`(select * from json_to_recordset(${json}::json) as listed (${sql.raw(typed)}))`;
  }
  const picked = names.map((name, index) => `value->>${index} as ${quote(name)}`).join(', ');
  return sql`(select ${sql.raw(picked)} from json_each(${json}))`;
}

const quote = (name: string): string => `"${name}"`;

type Row = Readonly<Record<string, unknown>>;

/** Each value under its column's name, or for SQLite, which reads that faster, in the order of the columns. */
function asJson(db: Db, columns: readonly string[], rows: readonly Row[]): string {
  const values = rows.map((row) => valuesOf(row, columns));
  return JSON.stringify(dialectOf(db) === 'postgres' ? rows : values);
}

function valuesOf(row: Row, columns: readonly string[]): unknown[] {
  const values = columns.map((name) => row[name]);
  if (values.includes(undefined) || Object.keys(row).length !== columns.length)
    throw new Error(`rows of other columns than ${columns.join(', ')}`);
  return values;
}
