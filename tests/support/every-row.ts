import { sql } from 'kysely';
import { readTableDefinitions } from '../../db/copies/table-definitions.ts';
import type { Db } from '../../db/schema.ts';

export async function readAllTables(db: Db, ...excludedTables: string[]): Promise<Record<string, unknown[]>> {
  const rows: Record<string, unknown[]> = {};
  for (const { name } of await readTableDefinitions(db))
    if (!excludedTables.includes(name))
      rows[name] = (await sql`select * from ${sql.table(name)} order by 1`.execute(db)).rows;
  return rows;
}
