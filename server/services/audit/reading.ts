import { sql } from 'kysely';
import { parseStoredJson } from '../../../db/errors.ts';
import { isOneOf } from '../../../db/expressions.ts';
import {
  createUnindexedSort,
  type Page,
  type PagingOptions,
  type SortColumn,
  searchPage,
} from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import type { AuditTable } from '../../../db/tables/audit.ts';
import { addDays, type PlainDate, startOfNextDay } from '../../../shared/dates.ts';
import { type AuditFilterNoun, type AuditSort, getNounFilter } from './entities.ts';

interface AuditFilter {
  entity?: AuditFilterNoun;
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

export interface AuditQuery extends AuditFilter, PagingOptions {
  sort?: AuditSort;
}

const SORT_COLUMNS: Record<AuditSort, Omit<SortColumn, 'id'>> = {
  id: { column: 'audit.id', kind: 'number' },
  at: { column: 'audit.at', kind: 'text' },
  username: createUnindexedSort('text', 'audit.username'),
  text: createUnindexedSort('text', sql`entity || ' ' || action`),
};

/**
 * Newest first, unless another order is given. `before` and `after` are in the units of the database: amounts in cents,
 * rates in percent × 10,000. No entry contains a password, a token or a hash of them.
 */
export async function searchAudit(
  db: Db,
  query: AuditQuery,
  { timeZone }: { timeZone: string },
): Promise<Page<AuditEntry> & { count: number }> {
  const { sort = 'id', direction = query.sort ? 'asc' : 'desc', ...place } = query;
  const found = buildAuditQuery(db, query, timeZone);
  const { count } = await found.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow();
  const by = { id: 'audit.id', ...SORT_COLUMNS[sort] };
  const page = await searchPage(found, by, { ...place, direction }, async (ids) => {
    const rows = await db
      .selectFrom('audit')
      .select(['id', 'at', 'userId', 'username', 'origin', 'action', 'entity', 'entityId', 'before', 'after'])
      .where(isOneOf(db, 'id', ids))
      .execute();
    return rows.map(parseEntry);
  });
  return { ...page, count };
}

function buildAuditQuery(db: Db, { entity, entityId, userId, from, to }: AuditFilter, timeZone: string) {
  const nounFilter = entity && getNounFilter(entity);
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
    .$if(Boolean(from), (query) => query.where('at', '>=', startOfNextDay(addDays(from!, -1), timeZone)))
    .$if(Boolean(to), (query) => query.where('at', '<', startOfNextDay(to!, timeZone)));
}

type EntryRow = Omit<AuditTable, 'stored' | 'prevHash' | 'hash'>;

export const parseEntry = ({ before, after, ...entry }: EntryRow): AuditEntry => ({
  ...entry,
  before: parseSnapshot(before, entry.id),
  after: parseSnapshot(after, entry.id),
});

const parseSnapshot = (text: string | null, id: number): Record<string, unknown> | null =>
  text === null ? null : parseStoredJson(text, `el asiento ${id} de la bitácora`);
