import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * By itself, PostgreSQL would vacuum only after minutes; until then a list of open invoices takes ten times as long.
 * Failures are ignored.
 */
export async function vacuumAndAnalyze(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
