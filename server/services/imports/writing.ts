import { reserveIds } from '../../../db/bulk.ts';
import type { Db } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { type CatalogValue, cleanCatalogDraft } from '../../../shared/catalogs/rules.ts';
import { tableNameOf } from '../catalogs/reading.ts';
import { creditNoteRow } from '../credit-notes.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { subtotalOf } from './credit-notes-rows.ts';
import type { ListEntry } from './known-catalogs.ts';
import type { KnownCredit } from './known-credit-notes.ts';
import type { MakingContext, NewRows } from './new-rows.ts';

/** New rows of a list; each entry gets its id, and the fields that it is stored with. */
export async function makeEntries(
  { db, actor, importId }: MakingContext,
  catalog: Catalog,
  entries: readonly ListEntry[],
): Promise<NewRows> {
  const table = tableNameOf(catalog);
  const defaults = await defaultsOf(db, catalog);
  const ids = await reserveIds(db, table, entries.length);
  for (const [index, entry] of entries.entries()) entry.id = ids[index]!;
  const columns = catalog.fields.flatMap(({ name, fold: folded }) => (folded ? [name, folded] : [name]));
  const rows = entries.map((entry) => {
    const clean = cleanCatalogDraft(catalog, { ...defaults, ...entry.fields });
    const parent = catalog.fields.find(({ ref }) => ref);
    if (parent) clean[parent.name] = entry.parent?.id ?? null;
    const row: Record<string, CatalogValue> = {
      id: entry.id,
      importId,
      createdAt: actor.at,
      updatedAt: actor.at,
    };
    for (const name of columns) row[name] = clean[name] ?? null;
    entry.fields = clean;
    return row;
  });
  return { entity: catalog.noun, table, ids, make: (from, to) => rows.slice(from, to) };
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

/** What a new row has where the file says nothing: its setting, 0, no date, no text. */
async function defaultsOf(db: Db, catalog: Catalog): Promise<Record<string, CatalogValue>> {
  const settings = await readSettings(db);
  return Object.fromEntries(
    catalog.fields.map(({ name, type, setting }) => [
      name,
      setting ? Number(settings[setting as SettingKey]) : type === 'whole' ? 0 : null,
    ]),
  );
}

/** Lists in the order in which they refer to each other: what is referred to comes first. */
export const inOrder = (nouns: Iterable<Catalog['noun']>): Catalog[] =>
  [...nouns].map(catalogOf).sort((a, b) => references(a) - references(b));

const references = (catalog: Catalog): number => catalog.fields.filter(({ ref }) => ref).length;
