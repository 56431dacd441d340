import type { Trx } from '../../../db/schema.ts';
import { archiveRows, type PartReference } from './archived-rows.ts';
import { findReplayDefinition, IMPORTS_ENTITY, type ReplayedEntity } from './replay-definitions.ts';
import { type EntityState, omitAfterValues, readEntityStates } from './stored-rows.ts';

export type AffectedIdsOrArchivedParts =
  | Partial<Record<ReplayedEntity, readonly (number | string)[]>>
  | readonly PartReference[];

interface AuditInputFields {
  action: string;
  entity: string;
  entityId?: number | string;
  after?: object;
  affected?: AffectedIdsOrArchivedParts;
}

export interface EntryRows {
  /** without the values that the entry itself states in `after` */
  rows?: EntityState;
  parts?: readonly PartReference[];
}

export async function archiveAffectedRows(
  trx: Trx,
  inputs: readonly AuditInputFields[],
): Promise<Map<AuditInputFields, PartReference[]>> {
  const lists = new Map<AuditInputFields, PartReference[]>();
  // All entries of one import refer to the same archived import record.
  const records = new Map<number, PartReference[]>();
  for (const note of inputs) {
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

const isPartReferences = (
  affected: AffectedIdsOrArchivedParts | undefined,
): affected is readonly PartReference[] => Array.isArray(affected);

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
 * @returns for each audit input, in order, the rows that its entry stores as JSON; null if it stores none. If several
 *   inputs are about one row, only the last one stores that row.
 */
export async function serializeEntryRows(
  trx: Trx,
  inputs: readonly AuditInputFields[],
  partsByInput: ReadonlyMap<AuditInputFields, PartReference[]>,
): Promise<(string | null)[]> {
  const last = new Map<string, AuditInputFields>();
  for (const note of inputs) if (isAboutSingleRow(note)) last.set(`${note.entity} ${note.entityId}`, note);
  const stored = new Map<AuditInputFields, EntryRows>();
  for (const [note, parts] of partsByInput) stored.set(note, { parts });
  for (const [entity, entityNotes] of Map.groupBy(last.values(), (note) => note.entity)) {
    const definition = findReplayDefinition(entity);
    if (!definition) continue;
    const ids = entityNotes.map(({ entityId }) =>
      definition.hasTextIds ? String(entityId) : Number(entityId),
    );
    const states = await readEntityStates(trx, definition, ids);
    for (const note of entityNotes) {
      const rows = omitAfterValues(definition, states.get(String(note.entityId)) ?? {}, note.after);
      stored.set(note, { ...stored.get(note), rows });
    }
  }
  return inputs.map((note) => {
    const entryRows = stored.get(note);
    return entryRows ? JSON.stringify(entryRows) : null;
  });
}

/** In the entry of an import, `entityId` is the id of the import, not of a row. */
const isAboutSingleRow = ({ action, entityId }: AuditInputFields): boolean =>
  action !== 'import' && entityId !== undefined;
