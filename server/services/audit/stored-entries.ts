import type { Trx } from '../../../db/schema.ts';
import { type KeptPart, keepRows } from './kept-rows.ts';
import { IMPORTS, type ReplayedEntity, replayedOf } from './replayed.ts';
import { readStates, type StoredState, shortState } from './stored-rows.ts';

/** Rows by entity and id, or the parts in which they are kept already. */
export type Also = Partial<Record<ReplayedEntity, readonly (number | string)[]>> | readonly KeptPart[];

interface Note {
  action: string;
  entity: string;
  entityId?: number | string;
  after?: object;
  also?: Also;
}

/** What an entry keeps of the rows that it left: those of its own id, or those of many in parts. */
export interface Stored {
  /** without what the entry itself says */
  rows?: StoredState;
  parts?: readonly KeptPart[];
}

/** Keeps the rows of entries that are about many. @returns their parts, by entry */
export async function keepLists(trx: Trx, notes: readonly Note[]): Promise<Map<Note, KeptPart[]>> {
  const lists = new Map<Note, KeptPart[]>();
  // The entries of one import share the parts that keep its record.
  const records = new Map<number, KeptPart[]>();
  for (const note of notes) {
    const parts: KeptPart[] = [];
    if (note.action === 'import') parts.push(...(await keepImport(trx, note, records)));
    if (isParts(note.also)) parts.push(...note.also);
    else
      for (const [entity, ids] of Object.entries(note.also ?? {}))
        parts.push(...(await keepRows(trx, entity as ReplayedEntity, ids)));
    if (parts.length > 0) lists.set(note, parts);
  }
  return lists;
}

const isParts = (also: Also | undefined): also is readonly KeptPart[] => Array.isArray(also);

async function keepImport(
  trx: Trx,
  { entity, after = {} }: Note,
  records: Map<number, KeptPart[]>,
): Promise<KeptPart[]> {
  const { ids, importId } = after as { ids?: readonly number[]; importId?: number };
  const own = await keepRows(trx, entity as ReplayedEntity, ids ?? []);
  if (importId === undefined) return own;
  const record = records.get(importId) ?? (await keepRows(trx, IMPORTS, [importId]));
  records.set(importId, record);
  return [...own, ...record];
}

/** As JSON. Of several entries about one row the last one keeps it; entries without rows get null. */
export async function storedTexts(
  trx: Trx,
  notes: readonly Note[],
  lists: ReadonlyMap<Note, KeptPart[]>,
): Promise<(string | null)[]> {
  const last = new Map<string, Note>();
  for (const note of notes) if (isAboutRow(note)) last.set(`${note.entity} ${note.entityId}`, note);
  const stored = new Map<Note, Stored>();
  for (const [note, parts] of lists) stored.set(note, { parts });
  for (const [entity, same] of Map.groupBy(last.values(), (note) => note.entity)) {
    const replayed = replayedOf(entity);
    if (!replayed) continue;
    const ids = same.map(({ entityId }) => (replayed.named ? String(entityId) : Number(entityId)));
    const states = await readStates(trx, replayed, ids);
    for (const note of same) {
      const rows = shortState(replayed, states.get(String(note.entityId)) ?? {}, note.after);
      stored.set(note, { ...stored.get(note), rows });
    }
  }
  return notes.map((note) => {
    const said = stored.get(note);
    return said ? JSON.stringify(said) : null;
  });
}

/** An import's entry has the import's number where others have a row's id. */
const isAboutRow = ({ action, entityId }: Note): boolean => action !== 'import' && entityId !== undefined;
