import { sql } from 'kysely';
import { readStoredJson } from '../../../db/errors.ts';
import { decodeCursor, encodeCursor } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { AuditTable } from '../../../db/tables/audit.ts';
import { addDays, endOfDay, type PlainDate } from '../../../shared/dates.ts';
import { type AuditNounFilter, findNounFilter } from './entities.ts';

export interface AuditFilter {
  entity?: AuditNounFilter;
  entityId?: string;
  userId?: number | null;
  /** the first and the last day, in the business's time zone */
  from?: PlainDate | null;
  to?: PlainDate | null;
}

export interface AuditEntry extends Omit<EntryRow, 'before' | 'after'> {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

interface AuditPage {
  entries: AuditEntry[];
  total: number;
  cursor?: string;
}

/**
 * Newest first. Before and after are as services store them: amounts in cents, rates in percent × 10,000. No entry
 * holds a password, a token or a hash of one, because none is ever written.
 */
export async function searchAudit(
  db: Db,
  { limit, cursor, ...filter }: AuditFilter & { limit: number; cursor?: string },
  { timeZone }: { timeZone: string },
): Promise<AuditPage> {
  const found = filterAudit(db, filter, timeZone);
  const { total } = await found.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow();
  const rows = await found
    .select(['id', 'at', 'userId', 'username', 'origin', 'action', 'entity', 'entityId', 'before', 'after'])
    .$if(Boolean(cursor), (query) => query.where('id', '<', decodeCursor(cursor!, 'number').id))
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute();
  const entries = rows.slice(0, limit).map(parseEntry);
  const oldest = entries.at(-1)?.id ?? 0;
  const next = rows.length > limit ? encodeCursor({ value: oldest, id: oldest }) : undefined;
  return { entries, total, cursor: next };
}

function filterAudit(db: Db, { entity, entityId, userId, from, to }: AuditFilter, timeZone: string) {
  const nounFilter = entity && findNounFilter(entity);
  const entities = nounFilter?.entities ?? [];
  return db
    .selectFrom('audit')
    .$if(nounFilter !== undefined, (query) =>
      entities.length > 0 ? query.where('entity', 'in', entities) : query.where(sql<boolean>`1 = 0`),
    )
    .$if(nounFilter?.action !== undefined, (query) => query.where('action', '=', nounFilter!.action!))
    .$if(nounFilter?.entityId !== undefined, (query) => query.where('entityId', '=', nounFilter!.entityId!))
    .$if(Boolean(entityId), (query) => query.where('entityId', '=', entityId!))
    .$if(Boolean(userId), (query) => query.where('userId', '=', userId!))
    .$if(Boolean(from), (query) => query.where('at', '>=', endOfDay(addDays(from!, -1), timeZone)))
    .$if(Boolean(to), (query) => query.where('at', '<', endOfDay(to!, timeZone)));
}

type EntryRow = Omit<AuditTable, 'stored' | 'prevHash' | 'hash'>;

export const parseEntry = ({ before, after, ...entry }: EntryRow): AuditEntry => ({
  ...entry,
  before: parseSnapshot(before, entry.id),
  after: parseSnapshot(after, entry.id),
});

const parseSnapshot = (text: string | null, id: number): Record<string, unknown> | null =>
  text === null ? null : readStoredJson(text, `el asiento ${id} de la bitácora`);
