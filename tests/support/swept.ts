import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';

/**
 * Whether PostgreSQL knows how many rows the table has. That an index alone answers for all of its pages waits for
 * whoever else reads the same server.
 */
export async function isSwept(db: Db, table: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select reltuples > 0 as known
    from pg_class where oid = ${table}::regclass`.execute(db);
  return rows[0]!.known;
}
