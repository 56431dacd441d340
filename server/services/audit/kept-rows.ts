import { deflateSync, inflateSync } from 'node:zlib';
import type { Db, Schema, Trx } from '../../../db/schema.ts';
import { REPLAYED, type ReplayedEntity } from './replayed.ts';
import { digestOf, readTable, type StoredRow } from './stored-rows.ts';

/** A part of an entry's rows, as the entry names it: changing the part does not change the digest in the entry. */
export type KeptPart = readonly [id: number, sha256: string];

/** The rows of these ids; null where there is none. */
type KeptRows = readonly (readonly [id: string, row: StoredRow | null])[];

export interface PartRows {
  entity: ReplayedEntity;
  table: keyof Schema;
  rows: KeptRows;
}

/** Rows per part: enough to be small together, few enough to be read in a moment. */
const IN_A_PART = 500;
/** Ids further apart than this go into two parts, so that going through a table reads each part once. */
const APART = 5000;

export async function keepRows(
  trx: Trx,
  entity: ReplayedEntity,
  ids: readonly (number | string)[],
): Promise<KeptPart[]> {
  const replayed = REPLAYED[entity];
  if (replayed === 'no rows') return [];
  const parts: KeptPart[] = [];
  for (const some of inParts(ids))
    for (const [index, table] of replayed.tables.entries()) {
      const found = await readTable(trx, table, some);
      const there = new Set(found.map(([id]) => id));
      const gone = index > 0 ? [] : some.map(String).filter((id) => !there.has(id));
      const rows: KeptRows = [...found, ...gone.map((id) => [id, null] as const)];
      if (rows.length > 0) parts.push(await keepPart(trx, some, { entity, table: table.table, rows }));
    }
  return parts;
}

async function keepPart(
  trx: Trx,
  ids: readonly (number | string)[],
  { rows, ...part }: PartRows,
): Promise<KeptPart> {
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

function inParts(ids: readonly (number | string)[]): (number | string)[][] {
  const parts: (number | string)[][] = [];
  for (const id of typeof ids[0] === 'number' ? [...ids].sort((a, b) => Number(a) - Number(b)) : ids) {
    const part = parts.at(-1);
    const isFar = Number(id) - Number(part?.at(-1)) > APART;
    if (!part || part.length === IN_A_PART || isFar) parts.push([id]);
    else part.push(id);
  }
  return parts;
}

/** @returns undefined where the rows do not match the digest in the trail */
export async function readPart(db: Db, [id, sha256]: KeptPart): Promise<PartRows | undefined> {
  const part = await db.selectFrom('audit_rows').select('rows').where('id', '=', id).executeTakeFirst();
  const text = part && unpack(part.rows);
  return text !== undefined && digestOf(text) === sha256 ? (JSON.parse(text) as PartRows) : undefined;
}

function unpack(bytes: Uint8Array): string | undefined {
  try {
    return inflateSync(bytes).toString();
  } catch {
    return undefined;
  }
}
