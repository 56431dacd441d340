import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/** Whether PostgreSQL has counted the table's rows yet; its query plans depend on that. */
export async function hasTableStatistics(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select reltuples > 0 as known
    from pg_class where oid = ${table}::regclass`.execute(db);
  return rows[0]!.known;
}
