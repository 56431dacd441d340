import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * What PostgreSQL does by itself within minutes of many changes, done at once: what its planner knows of each table,
 * and which pages an index answers for alone. Until then a list of what is open takes ten times as long. Never worth
 * an error: it comes by itself then.
 */
export async function sweep(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
