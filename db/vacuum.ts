import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/** PostgreSQL itself vacuums minutes later; until then a list of open invoices takes ten times as long. */
export async function vacuumAndAnalyze(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
