import { sql } from 'kysely';
import { readStoredJson } from '../../../db/errors.ts';
import { isOneOf, isOneOfTexts } from '../../../db/expressions.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { type PartReference, type PartRows, readPart } from '../audit/archived-rows.ts';
import type { REPLAYED_ENTITIES } from '../audit/replayed.ts';
import type { EntryRows } from '../audit/stored-entries.ts';
import { expandState, type StoredRow, type StoredState } from '../audit/stored-rows.ts';

export type Entity = (typeof REPLAYED_ENTITIES)[number];

/** A row as an audit entry left it; `state` is null where it was deleted. */
export interface Told {
  entryId: number;
  state: StoredState | null;
}

interface ListedPart extends Pick<Schema['audit_rows'], 'entity' | 'firstId' | 'lastId'> {
  entryId: number;
  part: PartReference;
}

/** Parts held in memory: pages of ids read the same ones in turn. */
const PARTS_KEPT = 12;

/** Looks up what the audit trail, as it stands in one snapshot, says of a row. */
export class ReplayTrail {
  /** parts that are missing or do not match their digest, by entry */
  readonly broken = new Map<number, PartReference>();
  readonly #db: Db;
  readonly #parts: ListedPart[] = [];
  readonly #emptied = new Map<string, Told>();
  readonly #read = new Map<number, PartRows | undefined>();

  /** @param db a snapshot */
  constructor(db: Db) {
    this.#db = db;
  }

  /** Reads the entries about many rows at once, before anything is looked up. */
  async open(): Promise<void> {
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
      if (action === 'delete' && stored === null) this.#emptied.set(entity, { entryId: id, state: null });
      const { parts = [] } = stored ? readStoredJson<EntryRows>(stored, placeOf(id)) : {};
      if (parts.length > 0) await this.#addParts(id, parts);
    }
  }

  async #addParts(entryId: number, parts: readonly PartReference[]): Promise<void> {
    const ids = parts.map(([id]) => id);
    const rows = await this.#db
      .selectFrom('audit_rows')
      .select(['id', 'entity', 'firstId', 'lastId'])
      .where(isOneOf(this.#db, 'id', ids))
      .execute();
    for (const part of parts) {
      const place = rows.find(({ id }) => id === part[0]);
      if (place) this.#parts.push({ ...place, entryId, part });
      else this.broken.set(entryId, part);
    }
  }

  /** The rows that entries about many have left, with ids above `above` and up to `to`; names are in every range. */
  async listed({ entity }: Entity, above: number, to: number): Promise<Map<string, Told>> {
    const told = new Map<string, Told>();
    for (const { entryId, part, firstId, lastId } of this.#parts.filter((one) => one.entity === entity)) {
      if (lastId <= above || firstId > to) continue;
      const kept = await this.#readPart(part);
      if (kept?.entity !== entity) {
        this.broken.set(entryId, part);
        continue;
      }
      for (const [id, row] of kept.rows)
        if (isWithin(id, above, to)) add(told, id, { entryId, table: kept.table, row });
    }
    return told;
  }

  async #readPart(part: PartReference): Promise<PartRows | undefined> {
    const [id] = part;
    if (!this.#read.has(id)) this.#read.set(id, await readPart(this.#db, part));
    const found = this.#read.get(id);
    if (this.#read.size > PARTS_KEPT) this.#read.delete(this.#read.keys().next().value!);
    return found;
  }

  /** Says of every row that it is gone, where the whole list was deleted. */
  emptied = ({ entity }: Entity): Told | undefined => this.#emptied.get(entity);

  /** These rows as their own entries last left them. */
  async ownOf(entity: Entity, ids: readonly string[]): Promise<Map<string, Told>> {
    const told = new Map<string, Told>();
    const last = this.#ownEntries(entity)
      .select(({ fn }) => fn.max('id').as('id'))
      .where(isOneOfTexts(this.#db, 'entityId', ids))
      .groupBy('entityId');
    const rows = await this.#db
      .selectFrom('audit')
      .select(['entityId', 'id', 'after', 'stored'])
      .where('id', 'in', last)
      .execute();
    for (const { entityId, id, after, stored } of rows) {
      const short = stored === null ? undefined : readStoredJson<EntryRows>(stored, placeOf(id)).rows;
      if (!short) continue;
      const said = after === null ? null : readStoredJson<StoredRow>(after, placeOf(id));
      const whole = expandState(entity, short, said);
      told.set(entityId!, { entryId: id, state: Object.keys(whole).length > 0 ? whole : null });
    }
    return told;
  }

  /** Ids that have entries of their own and no row. */
  async missing(entity: Entity): Promise<string[]> {
    const [{ table, key }] = entity.tables;
    const named = entity.hasTextIds ? sql`audit."entityId"` : sql`cast(audit."entityId" as bigint)`;
    const row = sql`select 1 from ${sql.table(table)} t where ${sql.ref(`t.${String(key)}`)} = ${named}`;
    const rows = await this.#ownEntries(entity)
      .select('entityId')
      .distinct()
      .where('entityId', 'is not', null)
      .where('stored', 'is not', null)
      .where(sql<boolean>`not exists (${row})`)
      .execute();
    return rows.map(({ entityId }) => entityId!);
  }

  #ownEntries({ entity }: Entity) {
    return this.#db.selectFrom('audit').where('entity', '=', entity).where('action', '<>', 'import');
  }
}

/** True for a name too, which is no number. */
export const isWithin = (id: string, above: number, to: number): boolean =>
  !(Number(id) <= above || Number(id) > to);

const placeOf = (id: number): string => `el asiento ${id} de la bitácora`;

/** A later entry replaces all of a row; parts of the same entry complete each other. */
function add(
  told: Map<string, Told>,
  id: string,
  { entryId, table, row }: { entryId: number; table: keyof StoredState; row: StoredRow | null },
): void {
  const before = told.get(id);
  if (before && before.entryId > entryId) return;
  const known = before?.entryId === entryId ? before : { entryId, state: null };
  told.set(id, known);
  if (row === null) return;
  const rows = known.state?.[table] ?? [];
  if (rows.length > 0 && rows.some((one) => JSON.stringify(one) === JSON.stringify(row))) return;
  rows.push(row);
  known.state = { ...known.state, [table]: rows };
}
