import { isOneOfTexts } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { type Catalog, columnNameOf } from '../../../shared/catalogs/catalog.ts';
import type { CatalogFieldValues, CatalogValue } from '../../../shared/catalogs/rules.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { fold, nameKey } from '../../../shared/text.ts';
import { appendToMapEntry } from '../stored-rows.ts';
import { asCatalogDb, asCatalogTable } from './reading.ts';

/** A row that an import adds has an id below zero until it is stored. */
export interface CatalogEntry {
  id: number;
  name: string;
  rfc: string | null;
  fields: CatalogFieldValues;
  /** the entry that a new one refers to: a job's client, which may be new itself */
  parent?: CatalogEntry;
  line?: number;
}

export class EntryIndex {
  readonly catalog: Catalog;
  readonly #byId = new Map<number, CatalogEntry>();
  readonly #byRfc = new Map<string, CatalogEntry>();
  readonly #byName = new Map<string, CatalogEntry[]>();
  readonly #byFold = new Map<string, CatalogEntry[]>();
  readonly #byKey = new Map<string, CatalogEntry[]>();
  #added = 0;

  constructor(catalog: Catalog) {
    this.catalog = catalog;
  }

  add(entry: CatalogEntry): void {
    this.#byId.set(entry.id, entry);
    if (entry.rfc && !isGenericRfc(entry.rfc)) this.#byRfc.set(entry.rfc, entry);
    appendToMapEntry(this.#byName, entry.name, entry);
    appendToMapEntry(this.#byFold, fold(entry.name), entry);
    appendToMapEntry(this.#byKey, nameKey(entry.name), entry);
  }

  addWithProvisionalId(entry: Omit<CatalogEntry, 'id'>): CatalogEntry {
    this.#added += 1;
    const added = { ...entry, id: -this.#added };
    this.add(added);
    return added;
  }

  findByRfc = (rfc: string): CatalogEntry | undefined =>
    rfc && !isGenericRfc(rfc) ? this.#byRfc.get(rfc) : undefined;

  findByName(name: string): readonly CatalogEntry[] {
    if (!name) return [];
    return this.#byName.get(name) ?? this.#byFold.get(fold(name)) ?? this.#byKey.get(nameKey(name)) ?? [];
  }

  findNamesakes = (name: string): readonly CatalogEntry[] => this.#byKey.get(nameKey(name)) ?? [];

  /**
   * Finds a row that somebody has added since the file was read. A row with another RFC is a different one, whatever
   * its name.
   */
  findAdded = ({ name, rfc }: Pick<CatalogEntry, 'name' | 'rfc'>): CatalogEntry | undefined =>
    rfc && !isGenericRfc(rfc) ? this.findByRfc(rfc) : this.findByName(name)[0];

  findById = (id: number): CatalogEntry | undefined => this.#byId.get(id);

  nameOf = (id: number): string => this.#byId.get(id)?.name ?? String(id);
}

export async function readEntryIndex(
  db: Db,
  catalog: Catalog,
  rfcs?: readonly string[],
): Promise<EntryIndex> {
  const names = ['id', ...catalog.fields.map(columnNameOf)];
  const rows = await asCatalogDb(db)
    .selectFrom(asCatalogTable(catalog))
    .select(names)
    .$if(rfcs !== undefined, (query) => query.where(isOneOfTexts(db, 'rfc', rfcs!)))
    .orderBy('id')
    .execute();
  const index = new EntryIndex(catalog);
  for (const row of rows as Record<string, CatalogValue>[]) {
    index.add({
      id: Number(row.id),
      name: String(row[catalog.nameField]),
      rfc: typeof row.rfc === 'string' ? row.rfc : null,
      fields: row,
    });
  }
  return index;
}
