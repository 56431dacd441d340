import { sql } from 'kysely';
import { dialectOf } from '../open.ts';
import type { Db } from '../schema.ts';
import { isCarried } from './copy.ts';
import { readTables } from './portable-tables.ts';

/** The rows of each table that a backup holds, by its name. */
export async function countRows(db: Db): Promise<Record<string, number>> {
  const rows: Record<string, number> = {};
  for (const { name } of (await readTables(db)).filter(isCarried)) {
    const counted = await sql<{ n: number }>`select count(*) as n from ${sql.table(name)}`.execute(db);
    rows[name] = counted.rows[0]!.n;
  }
  return rows;
}

/** Bytes on disk of each table with its indexes; SQLite's search indexes count as tables of their own. */
export async function tableBytes(db: Db): Promise<Record<string, number>> {
  const { rows } = await (dialectOf(db) === 'postgres'
    ? sql<{ name: string; bytes: number }>`
        select relname as name, pg_total_relation_size(oid) as bytes from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p')`
    : sql<{ name: string; bytes: number }>`
        select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as bytes
        from dbstat('main', 1) s left join sqlite_master m on m.name = s.name
        group by 1`
  ).execute(db);
  return Object.fromEntries(rows.map(({ name, bytes }) => [name, bytes]));
}

/** Of the whole database, on PostgreSQL; a file's size is its own. */
export async function postgresBytes(db: Db): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`.execute(
    db,
  );
  return rows[0]!.bytes;
}
