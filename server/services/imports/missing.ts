import type { Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import type { TableImport, TableKind } from '../../formats/tables/table.ts';
import { type ListEntry, readList } from '../catalogs/known.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import type { References } from './references.ts';
import { inOrder, makeEntries } from './writing.ts';

/** Counts the rows of other lists that drafts name by ids below zero, by the commands of their lists. */
export const countMissing = (
  references: References,
  naming: readonly object[],
): TableImport['missingCreated'] =>
  Object.fromEntries(
    missingOf(references, naming).map(([{ command }, entries]) => [command as TableKind, entries.length]),
  );

/**
 * Makes the rows of other lists that accepted drafts name by ids below zero, but for those that somebody has added since
 * they were looked for. Each draft learns the ids; the entries themselves stay as they are, since all of this may be run
 * again.
 */
export async function makeMissing(
  context: MakingContext & { db: Trx },
  references: References,
  naming: readonly object[],
): Promise<NewRows[]> {
  const made: NewRows[] = [];
  const copies = new Map<ListEntry, ListEntry>();
  for (const [catalog, entries] of missingOf(references, naming)) {
    const list = await readList(context.db, catalog, { lock: true });
    for (const entry of entries) {
      const { parent } = entry;
      copies.set(entry, {
        ...entry,
        id: list.addedSince(entry)?.id ?? entry.id,
        parent: parent && (copies.get(parent) ?? parent),
      });
    }
    const added = entries.map((entry) => copies.get(entry)!).filter(({ id }) => id < 0);
    made.push(await makeEntries(context, catalog, added));
    const ids = new Map(entries.map((entry) => [entry.id, copies.get(entry)!.id]));
    for (const one of naming as readonly Record<string, unknown>[])
      for (const member of membersOf(catalog)) {
        const id = ids.get(one[member] as number);
        if (id !== undefined) one[member] = id;
      }
  }
  return made;
}

/** By list, what is referred to first: a new obra's client may be new itself. */
function missingOf(references: References, naming: readonly object[]): [Catalog, ListEntry[]][] {
  const missing = new Map<string, Set<ListEntry>>();
  const add = (noun: string, entry: ListEntry) =>
    missing.set(noun, (missing.get(noun) ?? new Set()).add(entry));
  for (const list of references.lists())
    for (const one of naming as readonly Record<string, unknown>[])
      for (const member of membersOf(list.catalog)) {
        const id = one[member];
        if (typeof id !== 'number' || id >= 0) continue;
        const entry = list.withId(id)!;
        add(list.catalog.noun, entry);
        if (entry.parent && entry.parent.id < 0) add('clients', entry.parent);
      }
  return inOrder(missing.keys() as Iterable<Catalog['noun']>).map((catalog) => [
    catalog,
    [...missing.get(catalog.noun)!],
  ]);
}

/** The members of drafts that name a row of a list; a petty cash fund names a second source, of payments. */
const membersOf = (catalog: Catalog): readonly string[] =>
  catalog === fundingSources ? [catalog.idField, 'pagosOrigenId'] : [catalog.idField];
