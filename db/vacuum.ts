import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * Called after many rows were written: PostgreSQL itself vacuums only minutes later, and until then a list of open
 * invoices takes ten times as long.
 */
export async function vacuumAndAnalyze(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
