import { deflateSync, inflateSync } from 'node:zlib';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { REPLAY_DEFINITIONS, type ReplayedEntity } from './replay-definitions.ts';
import { readStoredRows, type StoredRow, sha256Of } from './stored-rows.ts';

/** An audit entry states the digest of each archived part, so that a change of the part is noticed. */
export type PartReference = readonly [id: number, sha256: string];

type IdRowPairs = readonly (readonly [id: string, row: StoredRow | null])[];

export interface PartRows {
  entity: ReplayedEntity;
  table: keyof Schema;
  rows: IdRowPairs;
}

const ROWS_PER_PART = 500;
/** Ids further apart are archived in separate parts, so that a check by pages of ids reads each part once. */
const MAX_ID_GAP = 5000;

export async function archiveRows(
  trx: Trx,
  entity: ReplayedEntity,
  ids: readonly (number | string)[],
): Promise<PartReference[]> {
  const definition = REPLAY_DEFINITIONS[entity];
  if (definition === 'no rows') return [];
  const parts: PartReference[] = [];
  for (const partIds of splitIdsIntoParts(ids))
    for (const [index, table] of definition.tables.entries()) {
      const found = await readStoredRows(trx, table, partIds);
      const existing = new Set(found.map(([id]) => id));
      const missing = index > 0 ? [] : partIds.map(String).filter((id) => !existing.has(id));
      const rows: IdRowPairs = [...found, ...missing.map((id) => [id, null] as const)];
      if (rows.length > 0) parts.push(await archivePart(trx, partIds, { entity, table: table.table, rows }));
    }
  return parts;
}

async function archivePart(
  trx: Trx,
  ids: readonly (number | string)[],
  { rows, ...part }: PartRows,
): Promise<PartReference> {
  const text = JSON.stringify({ ...part, rows });
  const values = { ...part, ...getIdRange(ids), sha256: sha256Of(text) };
  const { id } = await trx
    .insertInto('audit_rows')
    .values({ ...values, rows: deflateSync(text, { level: 1 }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return [id, values.sha256];
}

function splitIdsIntoParts(ids: readonly (number | string)[]): (number | string)[][] {
  const parts: (number | string)[][] = [];
  for (const id of typeof ids[0] === 'number' ? [...ids].sort((a, b) => Number(a) - Number(b)) : ids) {
    const part = parts.at(-1);
    const isFar = Number(id) - Number(part?.at(-1)) > MAX_ID_GAP;
    if (!part || part.length === ROWS_PER_PART || isFar) parts.push([id]);
    else part.push(id);
  }
  return parts;
}

function getIdRange(ids: readonly (number | string)[]): { firstId: number; lastId: number } {
  const [firstId, lastId] = [ids[0], ids.at(-1)].map((id) => (typeof id === 'number' ? id : 0));
  return { firstId: firstId!, lastId: lastId! };
}

/** @returns undefined if the rows, or the columns stored with them, do not match the digest in the trail */
export async function readPart(db: Db, [id, sha256]: PartReference): Promise<PartRows | undefined> {
  const stored = await db.selectFrom('audit_rows').selectAll().where('id', '=', id).executeTakeFirst();
  const text = stored && tryInflateText(stored.rows);
  if (text === undefined || stored?.sha256 !== sha256 || sha256Of(text) !== sha256) return undefined;
  const part = JSON.parse(text) as PartRows;
  return part.entity === stored.entity && part.table === stored.table && hasStatedIdRange(part, stored)
    ? part
    : undefined;
}

/** Checks the range only for the main table of an entity, because in its other tables an id may have no rows. */
function hasStatedIdRange(
  { entity, table, rows }: PartRows,
  range: { firstId: number; lastId: number },
): boolean {
  const definition = REPLAY_DEFINITIONS[entity];
  if (definition === 'no rows' || definition.tables[0].table !== table) return true;
  const ids = rows.map(([id]) => Number(id)).sort((a, b) => a - b);
  const { firstId, lastId } = getIdRange(definition.hasTextIds ? [] : ids);
  return firstId === range.firstId && lastId === range.lastId;
}

function tryInflateText(bytes: Uint8Array): string | undefined {
  try {
    return inflateSync(bytes).toString();
  } catch {
    return undefined;
  }
}
