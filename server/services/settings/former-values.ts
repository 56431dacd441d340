import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { Instant } from '../../../shared/dates.ts';

export interface FormerValue {
  at: Instant;
  username: string;
  before: string;
  after: string;
}

/** Of each setting; the audit trail's page has the others. */
const MOST_SHOWN = 5;

/** The last changes of each setting by its key, the newest first. */
export async function readFormerValues(db: Db): Promise<ReadonlyMap<string, FormerValue[]>> {
  const numbered = db
    .selectFrom('audit')
    .select(['id', 'at', 'username', 'entityId', 'before', 'after'])
    .select(sql<number>`row_number() over (partition by "entityId" order by id desc)`.as('place'))
    .where('entity', '=', 'settings');
  const entries = await db
    .selectFrom(numbered.as('changes'))
    .selectAll()
    .where('place', '<=', MOST_SHOWN)
    .orderBy('id', 'desc')
    .execute();
  const changes = entries.map(({ entityId, at, username, before, after }) => ({
    key: entityId ?? '',
    value: { at, username, before: valueIn(before), after: valueIn(after) },
  }));
  return new Map(
    [...Map.groupBy(changes, ({ key }) => key)].map(([key, ones]) => [key, ones.map(({ value }) => value)]),
  );
}

const valueIn = (kept: string | null): string => (kept ? String(JSON.parse(kept).value ?? '') : '');
