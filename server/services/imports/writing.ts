import { reserveIds } from '../../../db/bulk.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { readDefaults } from '../catalogs/facts.ts';
import type { ListEntry } from '../catalogs/known.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { rowOfEntry } from '../catalogs/write.ts';
import { creditNoteRow } from '../credit-notes.ts';
import { subtotalOf } from './credit-notes-rows.ts';
import type { KnownCredit } from './known-credit-notes.ts';
import type { MakingContext, NewRows } from './new-rows.ts';

/** New rows of a list; each entry gets its id, and the fields that it is stored with. */
export async function makeEntries(
  { db, actor, importId }: MakingContext,
  catalog: Catalog,
  entries: readonly ListEntry[],
): Promise<NewRows> {
  const table = tableNameOf(catalog);
  const defaults = await readDefaults(db, catalog);
  const ids = await reserveIds(db, table, entries.length);
  const reference = catalog.fields.find(({ ref }) => ref)?.name;
  for (const [index, entry] of entries.entries()) {
    entry.id = ids[index]!;
    entry.fields = {
      ...defaults,
      ...entry.fields,
      ...(reference ? { [reference]: entry.parent?.id ?? null } : {}),
    };
  }
  const make = (from: number, to: number) =>
    entries
      .slice(from, to)
      .map(({ id, fields }) => ({ id, ...rowOfEntry(fields, { at: actor.at, importId }) }));
  return { entity: catalog.noun, table, ids, make };
}

/** Credit notes that are not on file; each gets its id. */
export async function makeCredits(
  { db, actor, importId }: MakingContext,
  notes: readonly KnownCredit[],
): Promise<NewRows> {
  const ids = await reserveIds(db, 'credit_notes', notes.length);
  const stamp = { ...actor, importId };
  const rows = notes.map((note, index) => {
    note.id = ids[index]!;
    // A table is no document.
    const values = { ...note, subtotalCents: subtotalOf(note), moneda: 'MXN', detail: '{}' };
    return { id: note.id, ...creditNoteRow(values, stamp) };
  });
  return { entity: 'credit-notes', table: 'credit_notes', ids, make: (from, to) => rows.slice(from, to) };
}

/** Lists in the order in which they refer to each other: what is referred to comes first. */
export const inOrder = (nouns: Iterable<Catalog['noun']>): Catalog[] =>
  [...nouns].map(catalogOf).sort((a, b) => references(a) - references(b));

const references = (catalog: Catalog): number => catalog.fields.filter(({ ref }) => ref).length;
