import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * After many changes PostgreSQL needs minutes to learn each table's statistics and which pages an index can answer
 * alone; until then a list of open invoices takes ten times as long. This does it immediately. Failures are ignored,
 * since PostgreSQL will do it by itself later.
 */
export async function vacuumAndAnalyze(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
