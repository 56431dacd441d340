import { sql } from 'kysely';
import { parseStoredJson } from '../../../db/errors.ts';
import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { type PartReference, type PartRows, readPart } from '../audit/archived-rows.ts';
import {
  REPLAY_DEFINITIONS,
  type REPLAYED_ENTITIES,
  type ReplayedEntity,
} from '../audit/replay-definitions.ts';
import type { EntryRows } from '../audit/stored-entries.ts';
import { type EntityState, mergeAfterValues, type StoredRow } from '../audit/stored-rows.ts';

export type EntityDefinition = (typeof REPLAYED_ENTITIES)[number];

/** `state` is null where the entry deleted the row. */
export interface RecordedRow {
  entryId: number;
  state: EntityState | null;
}

interface ArchivedPart extends Pick<Schema['audit_rows'], 'entity' | 'table' | 'firstId' | 'lastId'> {
  entryId: number;
  part: PartReference;
}

/** Parts cached in memory: consecutive pages of ids read the same parts. */
const MAX_CACHED_PARTS = 12;

export class ReplayTrail {
  /** by id of a part that is missing or does not match its digest: the id of the part's audit entry */
  readonly entryIdByBrokenPart = new Map<number, number>();
  readonly #db: Db;
  readonly #listedParts: ArchivedPart[] = [];
  readonly #emptiedLists = new Map<string, RecordedRow>();
  readonly #cachedParts = new Map<number, PartRows | undefined>();

  /** @param db a snapshot */
  constructor(db: Db) {
    this.#db = db;
  }

  /** Has to run before anything is looked up. */
  async readArchiveIndex(): Promise<void> {
    const entries = await this.#db
      .selectFrom('audit')
      .select(['id', 'action', 'entity', 'stored'])
      .where((eb) =>
        eb.or([
          eb('stored', 'like', '{"parts"%'),
          eb.and([eb('action', '=', 'delete'), eb('entityId', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .execute();
    for (const { id, action, entity, stored } of entries) {
      if (action === 'delete' && stored === null)
        this.#emptiedLists.set(entity, { entryId: id, state: null });
      const { parts = [] } = stored ? parseStoredJson<EntryRows>(stored, entryLabel(id)) : {};
      if (parts.length > 0) await this.#addParts(id, parts);
    }
  }

  async #addParts(entryId: number, parts: readonly PartReference[]): Promise<void> {
    const ids = parts.map(([id]) => id);
    const rows = await this.#db
      .selectFrom('audit_rows')
      .select(['id', 'entity', 'table', 'firstId', 'lastId'])
      .where(isOneOf(this.#db, 'id', ids))
      .execute();
    let main: ArchivedPart | undefined; // has the rows that the entry names; parts with dependent rows follow it
    for (const part of parts) {
      const stored = rows.find(({ id }) => id === part[0]);
      if (stored && stored.table === firstTableOf(stored)) main = { ...stored, entryId, part };
      if (stored && stored.firstId === main?.firstId && stored.lastId === main.lastId)
        this.#listedParts.push({ ...stored, entryId, part });
      else this.entryIdByBrokenPart.set(part[0], entryId);
    }
  }

  /** Reads the archived rows with ids greater than `above` and at most `to`. Text ids are in every range. */
  async readArchivedRows(
    { entity }: EntityDefinition,
    above: number,
    to: number,
  ): Promise<Map<string, RecordedRow>> {
    const recorded = new Map<string, RecordedRow>();
    for (const { entryId, part, firstId, lastId } of this.#listedParts.filter(
      (one) => one.entity === entity,
    )) {
      if (lastId <= above || firstId > to) continue;
      const partRows = await this.#readPart(part);
      if (partRows?.entity !== entity) {
        this.entryIdByBrokenPart.set(part[0], entryId);
        continue;
      }
      for (const [id, row] of partRows.rows)
        if (isIdWithin(id, above, to)) addRow(recorded, id, { entryId, table: partRows.table, row });
    }
    return recorded;
  }

  async #readPart(part: PartReference): Promise<PartRows | undefined> {
    const [id] = part;
    if (!this.#cachedParts.has(id)) this.#cachedParts.set(id, await readPart(this.#db, part));
    const found = this.#cachedParts.get(id);
    if (this.#cachedParts.size > MAX_CACHED_PARTS)
      this.#cachedParts.delete(this.#cachedParts.keys().next().value!);
    return found;
  }

  findEmptyingEntry = ({ entity }: EntityDefinition): RecordedRow | undefined =>
    this.#emptiedLists.get(entity);

  async readLastStates(entity: EntityDefinition, ids: readonly string[]): Promise<Map<string, RecordedRow>> {
    const recorded = new Map<string, RecordedRow>();
    const last = this.#selectOwnEntries(entity)
      .select(({ fn }) => fn.max('id').as('id'))
      .where(isOneOfTexts(this.#db, 'entityId', ids))
      .groupBy('entityId');
    const rows = await this.#db
      .selectFrom('audit')
      .select(['entityId', 'id', 'after', 'stored'])
      .where('id', 'in', last)
      .execute();
    for (const { entityId, id, after, stored } of rows) {
      const compact = stored === null ? undefined : parseStoredJson<EntryRows>(stored, entryLabel(id)).rows;
      if (!compact) continue;
      const stated = after === null ? null : parseStoredJson<StoredRow>(after, entryLabel(id));
      const fullState = mergeAfterValues(entity, compact, stated);
      recorded.set(entityId!, { entryId: id, state: Object.keys(fullState).length > 0 ? fullState : null });
    }
    return recorded;
  }

  async findMissingIds(entity: EntityDefinition): Promise<string[]> {
    const [{ table, key }] = entity.tables;
    const idOfEntry = entity.hasTextIds ? sql`audit."entityId"` : sql`cast(audit."entityId" as bigint)`;
    const row = sql`select 1 from ${sql.table(table)} t where ${sql.ref(`t.${String(key)}`)} = ${idOfEntry}`;
    const rows = await this.#selectOwnEntries(entity)
      .select('entityId')
      .distinct()
      .where('entityId', 'is not', null)
      .where('stored', 'is not', null)
      .where(sql<boolean>`not exists (${row})`)
      .execute();
    return rows.map(({ entityId }) => entityId!);
  }

  #selectOwnEntries({ entity }: EntityDefinition) {
    return this.#db.selectFrom('audit').where('entity', '=', entity).where('action', '<>', 'import');
  }
}

function firstTableOf({ entity }: Pick<ArchivedPart, 'entity'>): string | undefined {
  const definition = REPLAY_DEFINITIONS[entity as ReplayedEntity];
  return typeof definition === 'object' ? definition.tables[0].table : undefined;
}

/** A text id is within every range. */
export const isIdWithin = (id: string, lowerBound: number, to: number): boolean =>
  !(Number(id) <= lowerBound || Number(id) > to);

const entryLabel = (id: number): string => `el asiento ${id} de la bitácora`;

/** Rows of a later entry replace those of an earlier one; rows of different parts of one entry are put together. */
function addRow(
  recorded: Map<string, RecordedRow>,
  id: string,
  { entryId, table, row }: { entryId: number; table: keyof EntityState; row: StoredRow | null },
): void {
  const before = recorded.get(id);
  if (before && before.entryId > entryId) return;
  const record = before?.entryId === entryId ? before : { entryId, state: null };
  recorded.set(id, record);
  if (row === null) return;
  const rows = record.state?.[table] ?? [];
  if (rows.length > 0 && rows.some((one) => JSON.stringify(one) === JSON.stringify(row))) return;
  rows.push(row);
  record.state = { ...record.state, [table]: rows };
}
