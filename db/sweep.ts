import { sql } from 'kysely';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * After many changes PostgreSQL needs minutes until it knows each table's statistics, and which pages an index answers
 * for alone; until then a list of open invoices takes ten times as long. This has it done at once. A failure is no
 * error, since it comes by itself then.
 */
export async function sweep(db: Db): Promise<void> {
  if (dialectOf(db) === 'postgres') await sql`vacuum (analyze)`.execute(db).catch(() => {});
}
