import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { CLI_USERNAME } from '../users/reading.ts';

interface Holder {
  id: number;
  name: string;
}

/** Sources by name; a firm has few of them. */
export const listSources = (db: Db): Promise<Holder[]> =>
  db
    .selectFrom('funding_sources')
    .select(['id', 'origenderecursonombre as name'])
    .orderBy('origenderecursonombreFold')
    .orderBy('id')
    .limit(500)
    .execute();

/** Who may hold a fund, with whatever they may be called: everybody who may sign in, and whoever holds it now. */
export async function listHolders(
  db: Db,
  now?: number | null,
): Promise<(Holder & { username: string; email: string })[]> {
  const { rows } = await sql<Holder & { username: string; email: string }>`
    select id, coalesce(nullif(trim(userfirstname || ' ' || userlastname), ''), username) as name, username, email
    from users where (active = 1 and username <> ${CLI_USERNAME}) or id = ${now ?? 0}
    order by name, id`.execute(db);
  return rows;
}
