import { sql } from 'kysely';
import { isDamageError } from './errors.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';
import { INDEXED_COLUMNS, type IndexedColumn, SEARCH_INDEXES } from './tables/search-indexes.ts';

export interface Fault {
  table: string;
  id: number | string | null;
  problem: string;
}

/** Checks SQLite's pages, rows, indexes and search indexes; PostgreSQL checks its own. */
export async function findDamage(db: Db): Promise<Fault[]> {
  return dialectOf(db) === 'sqlite' ? runSqliteCheck(db, 'integrity_check', 1000) : [];
}

async function runSqliteCheck(
  db: Db,
  check: 'integrity_check' | 'quick_check',
  limit: number,
): Promise<Fault[]> {
  await searchEachIndexOnce(db);
  const { rows } = await sql.raw<Record<string, string>>(`pragma ${check}(${limit})`).execute(db);
  return rows
    .map((row) => row[check]!)
    .filter((message) => message !== 'ok')
    .map((message) => ({ table: parseTableName(message), id: null, problem: `${check}: ${message}` }));
}

/** Checks pages and rows only, which takes a quarter of the time, and stops at the first fault. */
export async function findDamageQuickly(db: Db): Promise<Fault[]> {
  if (dialectOf(db) !== 'sqlite') return [];
  try {
    return await runSqliteCheck(db, 'quick_check', 1);
  } catch (error) {
    return [{ table: 'sqlite', id: null, problem: describeDamageError(error) }];
  }
}

/** Searches each index once, so that SQLite does not take segments for damage that another connection has merged. */
async function searchEachIndexOnce(db: Db): Promise<void> {
  const names = INDEXED_COLUMNS.map((column): string => SEARCH_INDEXES[column].index);
  const { rows } = await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(
    db,
  );
  for (const { name } of rows.filter((row) => names.includes(row.name))) {
    const index = sql.table(name);
    await sql`select rowid from ${index} where ${index} match '"aaa"' limit 1`.execute(db);
  }
}

/** @throws the error itself where it is not about damage */
export function describeDamageError(error: unknown): string {
  if (!isDamageError(error)) throw error;
  return `el archivo está dañado: ${error instanceof Error ? error.message : error}`;
}

const SAMPLED_ROWS = 1000;

/** Compares the number of trigrams of every row, and the text of a thousand rows, evenly spread. */
export async function findUnsearchableRows(db: Db, column: IndexedColumn): Promise<Fault[]> {
  if (dialectOf(db) !== 'sqlite') return [];
  const { table, index: name } = SEARCH_INDEXES[column];
  const text = sql.ref(`t.${column}`);
  const rows = sql.table(table);
  const index = sql.table(name);
  const sizes = sql.table(`${name}_docsize`);
  const missing = await sql<{ id: number }>`
    select t.id from ${rows} t left join ${sizes} d on d.id = t.id
    where ${text} <> '' and (d.id is null or d.sz <> ${encodedTrigramCountExpression(text)}) order by t.id`.execute(
    db,
  );
  const gone = await sql<{ id: number }>`
    select d.id from ${sizes} d left join ${rows} t on t.id = d.id
    where t.id is null or ${text} = '' order by d.id`.execute(db);
  const other = await sql<{ id: number }>`
    with numbered as (select t.id, ${text} as text, row_number() over (order by t.id) as n,
      count(*) over () as count from ${rows} t where length(${text}) > 2)
    select id from numbered t where n % max(1, count / ${sql.lit(SAMPLED_ROWS)}) = 0 and not exists (
      select 1 from ${index} where ${index} match '"' || replace(text, '"', '""') || '"' and rowid = t.id)
    order by id`.execute(db);
  const faults = new Map([
    ...other.rows.map(({ id }) => [id, 'su texto en el índice de búsqueda es otro'] as const),
    ...missing.rows.map(({ id }) => [id, 'no está como debe en el índice de búsqueda'] as const),
    ...gone.rows.map(({ id }) => [id, 'está de más en el índice de búsqueda'] as const),
  ]);
  return [...faults].map(([id, problem]) => ({ table, id, problem }));
}

/** The number of trigrams as the index stores it: as a varint, of one byte up to 127 and of two bytes from 128 on. */
function encodedTrigramCountExpression(text: ReturnType<typeof sql.ref>) {
  const count = sql`max(0, length(${text}) - 2)`;
  return sql`case when ${count} < 128 then unhex(printf('%02X', ${count}))
    else unhex(printf('%02X%02X', 128 + ${count} / 128, ${count} % 128)) end`;
}

/** The table or index that a message names, such as "row 7 missing from index invoices_number" or "… in invoices". */
const parseTableName = (message: string): string =>
  /\b(?:in|index) (?:table )?"?([a-z]\w*)/.exec(message)?.[1] ?? 'sqlite';
