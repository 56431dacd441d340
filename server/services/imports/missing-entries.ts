import { lockTables } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { catalogs } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { clients } from '../../../shared/catalogs/clients.ts';
import type { TableImportResult, TableKind } from '../../formats/tables/table.ts';
import { type CatalogEntry, readEntryIndex } from '../catalogs/entry-index.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { writeEntries } from '../catalogs/write.ts';
import { requireNoneRefused } from '../write-drafts.ts';
import type { ImportContext, StoredRows } from './import-run.ts';
import type { References } from './references.ts';

/** The catalog that each member refers to; ids below zero stand for missing entries. */
export type CatalogsByMember = Readonly<Record<string, Catalog>>;

export const countMissingEntries = (
  references: References,
  catalogsByMember: CatalogsByMember,
  drafts: readonly object[],
): TableImportResult['missingCreated'] =>
  Object.fromEntries(
    listMissingEntries(references, catalogsByMember, drafts).map(([{ command }, entries]) => [
      command as TableKind,
      entries.size,
    ]),
  );

/**
 * Locks the catalogs in which entries are missing until the transaction ends: all at once and always in the same order,
 * or two imports might wait for each other. Inputs get the ids of entries that somebody else has added meanwhile.
 * @returns a copy of each missing entry, since the originals are needed again if the transaction is retried
 */
export async function lockCatalogsOfMissingEntries(
  trx: Trx,
  references: References,
  catalogsByMember: CatalogsByMember,
  drafts: readonly object[],
): Promise<ReadonlyMap<CatalogEntry, CatalogEntry>> {
  const missing = listMissingEntries(references, catalogsByMember, drafts);
  await lockTables(trx, ...missing.map(([catalog]) => tableNameOf(catalog)));
  const copies = new Map<CatalogEntry, CatalogEntry>();
  for (const [catalog, entries] of missing) {
    const list = await readEntryIndex(trx, catalog);
    for (const entry of entries) {
      const id = list.findAdded(entry)?.id ?? entry.id;
      copies.set(entry, { ...entry, id, parent: entry.parent && (copies.get(entry.parent) ?? entry.parent) });
    }
    replaceProvisionalIds(
      drafts,
      catalogsByMember,
      catalog,
      new Map([...entries].map((entry) => [entry.id, copies.get(entry)!.id])),
    );
  }
  return copies;
}

export async function storeMissingEntries(
  { trx, actor, importId }: ImportContext,
  references: References,
  catalogsByMember: CatalogsByMember,
  copyByEntry: ReadonlyMap<CatalogEntry, CatalogEntry>,
  acceptedDrafts: readonly object[],
): Promise<StoredRows[]> {
  const stored: StoredRows[] = [];
  for (const [catalog, entries] of listMissingEntries(references, catalogsByMember, acceptedDrafts)) {
    const added = [...entries].map((entry) => copyByEntry.get(entry)!).filter(({ id }) => id < 0);
    if (added.length === 0) continue;
    const reference = catalog.fields.find(({ ref }) => ref)?.name;
    const drafts = added.map(({ fields, parent }) => ({
      draft: reference ? { ...fields, [reference]: parent?.id ?? null } : fields,
    }));
    const createMissing = async () => importId;
    const written = requireNoneRefused(await writeEntries(trx, actor, catalog, drafts, { createMissing }));
    const ids = new Map(added.map((entry, index) => [entry.id, written[index]!.id]));
    replaceProvisionalIds(acceptedDrafts, catalogsByMember, catalog, ids);
    for (const entry of added) entry.id = ids.get(entry.id)!;
    stored.push({ entity: catalog.noun, ids: [...ids.values()] });
  }
  return stored;
}

function replaceProvisionalIds(
  drafts: readonly object[],
  names: CatalogsByMember,
  catalog: Catalog,
  ids: ReadonlyMap<number, number>,
): void {
  const members = Object.keys(names).filter((member) => names[member] === catalog);
  for (const draft of drafts as readonly Record<string, unknown>[])
    for (const member of members) {
      const id = ids.get(draft[member] as number);
      if (id !== undefined) draft[member] = id;
    }
}

/** Catalogs without references come first: a new obra's client may be new itself. */
const CATALOGS_IN_ORDER = catalogs.toSorted((a, b) => countReferenceFields(a) - countReferenceFields(b));

function countReferenceFields({ fields }: Catalog): number {
  return fields.filter(({ ref }) => ref).length;
}

function listMissingEntries(
  references: References,
  names: CatalogsByMember,
  drafts: readonly object[],
): [Catalog, ReadonlySet<CatalogEntry>][] {
  const missing = new Map<Catalog, Set<CatalogEntry>>(
    CATALOGS_IN_ORDER.map((catalog) => [catalog, new Set()]),
  );
  for (const draft of drafts as readonly Record<string, unknown>[])
    for (const [member, catalog] of Object.entries(names)) {
      const id = draft[member];
      if (typeof id !== 'number' || id >= 0) continue;
      const entry = references.entryIndexOf(catalog).findById(id)!;
      missing.get(catalog)!.add(entry);
      if (entry.parent && entry.parent.id < 0) missing.get(clients)!.add(entry.parent);
    }
  return [...missing].filter(([, entries]) => entries.size > 0);
}
