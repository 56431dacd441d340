import { sql } from 'kysely';
import { readStoredJson } from '../../../db/errors.ts';
import { isOneOf } from '../../../db/expressions.ts';
import { dialectOf } from '../../../db/open.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import { type KeptPart, type PartRows, readPart } from '../audit/kept-rows.ts';
import type { ReplayedEntity } from '../audit/replayed.ts';
import { replayedOf } from '../audit/replayed.ts';
import type { Stored } from '../audit/stored-entries.ts';
import { type StoredRow, type StoredState, wholeState } from '../audit/stored-rows.ts';

/** A row as an entry of the trail left it; `state` is null where it was deleted. */
export interface Told {
  entryId: number;
  state: StoredState | null;
}

/** Rows of one table that an entry keeps in a part. */
interface ListedPart extends Pick<Schema['audit_rows'], 'entity' | 'firstId' | 'lastId'> {
  entryId: number;
  part: KeptPart;
}

/** Parts that are kept read: pages of ids touch the same ones in turn. */
const PARTS_KEPT = 12;

/** Looks up in the audit trail what it says of a row, as it is asked for. */
export class ReplayTrail {
  /** parts that are not what the trail says, or not there, by entry */
  readonly broken = new Map<number, KeptPart>();
  readonly #parts: ListedPart[] = [];
  readonly #emptied = new Map<string, number>();
  readonly #read = new Map<number, PartRows | undefined>();
  #lastId = 0;

  /** Takes note of what was written since the last time about many rows at once. */
  async refresh(db: Db): Promise<void> {
    const entries = await db
      .selectFrom('audit')
      .select(['id', 'action', 'entity', 'stored'])
      .where('id', '>', this.#lastId)
      .where((eb) =>
        eb.or([
          eb('stored', 'like', '{"parts"%'),
          eb.and([eb('action', '=', 'delete'), eb('entityId', 'is', null)]),
        ]),
      )
      .orderBy('id')
      .execute();
    for (const { id, action, entity, stored } of entries) {
      if (action === 'delete' && stored === null) this.#emptied.set(entity, id);
      const { parts = [] } = stored ? readStoredJson<Stored>(stored, placeOf(id)) : {};
      await this.#addParts(db, id, parts);
    }
    const { last } = await db
      .selectFrom('audit')
      .select(({ fn }) => fn.max('id').as('last'))
      .executeTakeFirstOrThrow();
    this.#lastId = last ?? 0;
  }

  async #addParts(db: Db, entryId: number, parts: readonly KeptPart[]): Promise<void> {
    if (parts.length === 0) return;
    const ids = parts.map(([id]) => id);
    const rows = await db
      .selectFrom('audit_rows')
      .select(['id', 'entity', 'firstId', 'lastId'])
      .where(isOneOf(db, 'id', ids))
      .execute();
    for (const part of parts) {
      const place = rows.find(({ id }) => id === part[0]);
      if (place) this.#parts.push({ ...place, entryId, part });
      else this.broken.set(entryId, part);
    }
  }

  /** The rows that entries about many have left, with ids above `above` and up to `to`, by their ids. */
  async listed(
    db: Db,
    entity: ReplayedEntity,
    within: { above: number; to: number } | 'all',
  ): Promise<Map<string, Told>> {
    const told = new Map<string, Told>();
    for (const { entryId, part, firstId, lastId } of this.#parts.filter((one) => one.entity === entity)) {
      if (within !== 'all' && (lastId <= within.above || firstId > within.to)) continue;
      const kept = await this.#readPart(db, part);
      if (kept?.entity !== entity) {
        this.broken.set(entryId, part);
        continue;
      }
      for (const [id, row] of kept.rows) {
        if (within !== 'all' && !(Number(id) > within.above && Number(id) <= within.to)) continue;
        add(told, id, { entryId, table: kept.table, row });
      }
    }
    return told;
  }

  async #readPart(db: Db, part: KeptPart): Promise<PartRows | undefined> {
    const [id] = part;
    if (!this.#read.has(id)) this.#read.set(id, await readPart(db, part));
    const found = this.#read.get(id);
    if (this.#read.size > PARTS_KEPT) this.#read.delete(this.#read.keys().next().value!);
    return found;
  }

  /** When the whole list was last deleted: the entry's number, or 0. */
  emptiedAt = (entity: ReplayedEntity): number => this.#emptied.get(entity) ?? 0;

  /** As their own entries last left these rows. */
  async ownOf(db: Db, entity: ReplayedEntity, ids: readonly string[]): Promise<Map<string, Told>> {
    const told = new Map<string, Told>();
    const replayed = replayedOf(entity)!;
    const list = JSON.stringify(ids);
    const { rows } = await (dialectOf(db) === 'postgres'
      ? sql<OwnEntry>`select distinct on ("entityId") "entityId", id, after, stored from audit
          where entity = ${entity} and action <> 'import' and "entityId" = any(
            select json_array_elements_text(${list}::json))
          order by "entityId", id desc`
      : sql<OwnEntry>`select entityId, max(id) as id, after, stored from audit
          where entity = ${entity} and action <> 'import' and entityId in (select value from json_each(${list}))
          group by entityId`
    ).execute(db);
    for (const { entityId, id, after, stored } of rows) {
      const short = stored === null ? undefined : readStoredJson<Stored>(stored, placeOf(id)).rows;
      if (!short) continue;
      const whole = wholeState(
        replayed,
        short,
        after === null ? null : readStoredJson<StoredRow>(after, placeOf(id)),
      );
      told.set(entityId, { entryId: id, state: Object.keys(whole).length > 0 ? whole : null });
    }
    return told;
  }

  /** Ids that have entries of their own and no row, after `after` in the order of texts. */
  async missing(db: Db, entity: ReplayedEntity, after: string, limit: number): Promise<string[]> {
    const { tables, named } = replayedOf(entity)!;
    const lite = dialectOf(db) === 'sqlite';
    const [{ table, key }] = tables;
    const id = sql.ref(`t.${String(key)}`);
    const isRow = named
      ? sql`${id} = audit."entityId"`
      : sql`${id} = cast(audit."entityId" as ${lite ? sql`integer` : sql`bigint`})`;
    const entityId = lite ? sql`"entityId"` : sql`"entityId" collate "C"`;
    const { rows } = await sql<{ id: string }>`select distinct ${entityId} as id from audit
      where entity = ${entity} and action <> 'import' and ${entityId} > ${after} and stored is not null
        and not exists (select 1 from ${sql.table(table)} t where ${isRow})
      order by 1 limit ${limit}`.execute(db);
    return rows.map((row) => row.id);
  }
}

const placeOf = (id: number): string => `el asiento ${id} de la bitácora`;

interface OwnEntry {
  entityId: string;
  id: number;
  after: string | null;
  stored: string | null;
}

/** A later entry says all of a row anew; parts of the same entry say it together. */
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
