import { deflateSync, inflateSync } from 'node:zlib';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { REPLAY_DEFINITIONS, type ReplayedEntity } from './replayed.ts';
import { digestOf, readTable, type StoredRow } from './stored-rows.ts';

/** A part of an entry's rows, as the entry names it: changing the part does not change the digest in the entry. */
export type PartReference = readonly [id: number, sha256: string];

type RowsById = readonly (readonly [id: string, row: StoredRow | null])[];

export interface PartRows {
  entity: ReplayedEntity;
  table: keyof Schema;
  rows: RowsById;
}

/** Rows per part: enough to be small together, few enough to be read in a moment. */
const PART_SIZE = 500;
/** Ids further apart than this go into two parts, so that going through a table reads each part once. */
const MAX_ID_GAP = 5000;

export async function archiveRows(
  trx: Trx,
  entity: ReplayedEntity,
  ids: readonly (number | string)[],
): Promise<PartReference[]> {
  const definition = REPLAY_DEFINITIONS[entity];
  if (definition === 'no rows') return [];
  const parts: PartReference[] = [];
  for (const partIds of splitIntoParts(ids))
    for (const [index, table] of definition.tables.entries()) {
      const found = await readTable(trx, table, partIds);
      const existing = new Set(found.map(([id]) => id));
      const missing = index > 0 ? [] : partIds.map(String).filter((id) => !existing.has(id));
      const rows: RowsById = [...found, ...missing.map((id) => [id, null] as const)];
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
  const [first, last] = [ids[0], ids.at(-1)].map((id) => (typeof id === 'number' ? id : 0));
  const values = { ...part, firstId: first!, lastId: last!, sha256: digestOf(text) };
  const { id } = await trx
    .insertInto('audit_rows')
    .values({ ...values, rows: deflateSync(text, { level: 1 }) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return [id, values.sha256];
}

function splitIntoParts(ids: readonly (number | string)[]): (number | string)[][] {
  const parts: (number | string)[][] = [];
  for (const id of typeof ids[0] === 'number' ? [...ids].sort((a, b) => Number(a) - Number(b)) : ids) {
    const part = parts.at(-1);
    const isFar = Number(id) - Number(part?.at(-1)) > MAX_ID_GAP;
    if (!part || part.length === PART_SIZE || isFar) parts.push([id]);
    else part.push(id);
  }
  return parts;
}

/** @returns undefined where the rows do not match the digest in the trail */
export async function readPart(db: Db, [id, sha256]: PartReference): Promise<PartRows | undefined> {
  const part = await db.selectFrom('audit_rows').select('rows').where('id', '=', id).executeTakeFirst();
  const text = part && inflateText(part.rows);
  return text !== undefined && digestOf(text) === sha256 ? (JSON.parse(text) as PartRows) : undefined;
}

function inflateText(bytes: Uint8Array): string | undefined {
  try {
    return inflateSync(bytes).toString();
  } catch {
    return undefined;
  }
}
