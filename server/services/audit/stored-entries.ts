import type { Trx } from '../../../db/schema.ts';
import { archiveRows, type PartReference } from './archived-rows.ts';
import { findReplayDefinition, IMPORTS_ENTITY, type ReplayedEntity } from './replay-definitions.ts';
import { omitAfterValues, readStates, type StoredState } from './stored-rows.ts';

export type AffectedRows =
  | Partial<Record<ReplayedEntity, readonly (number | string)[]>>
  | readonly PartReference[];

interface AuditInputFields {
  action: string;
  entity: string;
  entityId?: number | string;
  after?: object;
  affected?: AffectedRows;
}

export interface EntryRows {
  /** without the values that the entry itself states in `after` */
  rows?: StoredState;
  parts?: readonly PartReference[];
}

export async function archiveAffectedRows(
  trx: Trx,
  notes: readonly AuditInputFields[],
): Promise<Map<AuditInputFields, PartReference[]>> {
  const lists = new Map<AuditInputFields, PartReference[]>();
  // All entries of one import refer to the same archived import record.
  const records = new Map<number, PartReference[]>();
  for (const note of notes) {
    const parts: PartReference[] = [];
    if (note.action === 'import') parts.push(...(await archiveImportedRows(trx, note, records)));
    if (isPartReferences(note.affected)) parts.push(...note.affected);
    else
      for (const [entity, ids] of Object.entries(note.affected ?? {}))
        parts.push(...(await archiveRows(trx, entity as ReplayedEntity, ids)));
    if (parts.length > 0) lists.set(note, parts);
  }
  return lists;
}

const isPartReferences = (affected: AffectedRows | undefined): affected is readonly PartReference[] =>
  Array.isArray(affected);

async function archiveImportedRows(
  trx: Trx,
  { entity, after = {} }: AuditInputFields,
  records: Map<number, PartReference[]>,
): Promise<PartReference[]> {
  const { ids, importId } = after as { ids?: readonly number[]; importId?: number };
  const importedParts = await archiveRows(trx, entity as ReplayedEntity, ids ?? []);
  if (importId === undefined) return importedParts;
  const record = records.get(importId) ?? (await archiveRows(trx, IMPORTS_ENTITY, [importId]));
  records.set(importId, record);
  return [...importedParts, ...record];
}

/**
 * @returns the rows of each audit input as JSON, in the order of the inputs; null for one without rows. Of several
 *   inputs about one row only the last stores it.
 */
export async function serializeEntryRows(
  trx: Trx,
  notes: readonly AuditInputFields[],
  lists: ReadonlyMap<AuditInputFields, PartReference[]>,
): Promise<(string | null)[]> {
  const last = new Map<string, AuditInputFields>();
  for (const note of notes) if (isAboutRow(note)) last.set(`${note.entity} ${note.entityId}`, note);
  const stored = new Map<AuditInputFields, EntryRows>();
  for (const [note, parts] of lists) stored.set(note, { parts });
  for (const [entity, entityNotes] of Map.groupBy(last.values(), (note) => note.entity)) {
    const definition = findReplayDefinition(entity);
    if (!definition) continue;
    const ids = entityNotes.map(({ entityId }) =>
      definition.hasTextIds ? String(entityId) : Number(entityId),
    );
    const states = await readStates(trx, definition, ids);
    for (const note of entityNotes) {
      const rows = omitAfterValues(definition, states.get(String(note.entityId)) ?? {}, note.after);
      stored.set(note, { ...stored.get(note), rows });
    }
  }
  return notes.map((note) => {
    const entryRows = stored.get(note);
    return entryRows ? JSON.stringify(entryRows) : null;
  });
}

/** In the entry of an import, `entityId` is the id of the import, not of a row. */
const isAboutRow = ({ action, entityId }: AuditInputFields): boolean =>
  action !== 'import' && entityId !== undefined;
