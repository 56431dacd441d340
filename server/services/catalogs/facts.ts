import { sql } from 'kysely';
import { forUpdate, isOneOf, lockTables } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { type CatalogDraft, type CatalogValue, cleanCatalogDraft } from '../../../shared/catalogs/rules.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { readIds } from '../stored-rows.ts';
import { fitting } from '../writing.ts';
import { KnownList, readList } from './known.ts';
import { anyTable, type CatalogRow, selectRows, tableNameOf, tableOf, toRow } from './reading.ts';

/** A row of a list that somebody wants written, by whatever door: a new one, a changed one, or one that comes back. */
export interface EntryToWrite {
  /** of one that is changed, what it does not name stays as it is */
  draft: CatalogDraft;
  id?: number;
  /** the version that was seen of the one that is changed; without one, whatever is stored is written over */
  version?: number;
  /** as it was, of one that comes back under its id; no screen shows where it came from */
  deleted?: CatalogRow & { createdAt?: string; importId?: number | null };
  line?: number;
}

/** A draft that is complete. */
export type Asked = Awaited<ReturnType<typeof readFacts>>['asked'][number];

export interface EntryOptions {
  /** of a table: what is on file already and equal is not stored again */
  isKnownOnce?: boolean;
  /** what is equal by its name alone is stored all the same */
  allowDuplicates?: boolean;
  /** drafts that a document states: its RFC is taken as it is, with a warning */
  isOfDocument?: boolean;
  /** what a row of another list is called in what is said of a table */
  nameOf?: (catalog: Catalog, id: number) => string;
}

/** Read once for all drafts; each that is accepted is added to it. */
export type EntryFacts = Awaited<ReturnType<typeof readFacts>>['facts'];

export async function readFacts(
  trx: Trx,
  catalog: Catalog,
  entries: readonly EntryToWrite[],
  options: EntryOptions,
) {
  const asksList = options.isKnownOnce || entries.some(({ draft, deleted }) => deleted || ownRfc(draft));
  // The list before its rows, as imports hold them, so that no two wait for each other.
  if (asksList) await lockTables(trx, tableNameOf(catalog));
  const ids = entries.flatMap(({ id }) => id ?? []);
  const formers = new Map((await holdRows(trx, catalog, ids)).map((row) => [row.id, row]));
  const defaults = await readDefaults(trx, catalog);
  const asked = entries.map((entry) => {
    const former = formers.get(entry.id ?? 0);
    const start = former && !entry.deleted ? valuesOf(catalog, former) : defaults;
    const { said, unfit } = fitting({ said: {} as CatalogDraft }, () => ({
      said: cleanCatalogDraft(catalog, entry.draft),
    }));
    // The whole row: what nobody said is as it was, or as it is by default.
    const values: Values = { ...start, ...said };
    return { ...entry, said, unfit, values, former };
  });
  const referenced = new Map<string, ReadonlySet<number>>();
  for (const { name, ref } of catalog.fields) {
    if (!ref) continue;
    const named = new Set(asked.map(({ values }) => Number(values[name])).filter((id) => id > 0));
    referenced.set(name, await readIds(trx, tableNameOf(catalogOf(ref)), [...named]));
  }
  const rfcs = options.isKnownOnce
    ? undefined
    : [...new Set(asked.flatMap(({ said }) => ownRfc(said) ?? []))];
  const known = rfcs?.length === 0 ? new KnownList(catalog) : await readList(trx, catalog, rfcs);
  return {
    asked,
    facts: {
      ...options,
      catalog,
      /** the rows of other lists that there are of those that are named, by the field that names them */
      referenced,
      /** of a table's list all that is on file: which name is another's, only that shows; else those with one of the RFCs */
      known,
    },
  };
}

/** Rows with these ids, which nobody else changes, nor comes to refer to, until the transaction ends. */
export async function holdRows(trx: Trx, catalog: Catalog, ids: readonly number[]): Promise<CatalogRow[]> {
  if (ids.length === 0) return [];
  const id = `${catalog.table}.id`;
  const rows = await selectRows(anyTable(trx).selectFrom(tableOf(catalog)), catalog)
    .where(isOneOf(trx, id, ids))
    .orderBy(sql.ref(id))
    .modifyEnd(forUpdate(trx))
    .execute();
  return rows.map((row) => toRow(catalog, row));
}

export const valuesOf = ({ fields }: Catalog, row: CatalogRow): Record<string, CatalogValue> =>
  Object.fromEntries(fields.map(({ name }) => [name, row[name] as CatalogValue]));

type Values = Record<string, CatalogValue | undefined>;

/** A new row begins with its setting, 0, no date or no text. */
async function readDefaults(db: Db, catalog: Catalog): Promise<Values> {
  const settings = catalog.fields.some(({ setting }) => setting) ? await readSettings(db) : undefined;
  const defaults = catalog.fields.map(({ name, type, setting }) => {
    if (setting) return [name, Number(settings![setting as SettingKey])];
    return [name, type === 'whole' ? 0 : null];
  });
  return cleanCatalogDraft(catalog, Object.fromEntries(defaults));
}

/** The RFC by which a supplier is known: a generic one is nobody's. */
export const ownRfc = ({ rfc }: CatalogDraft): string | undefined =>
  typeof rfc === 'string' && !isGenericRfc(rfc) ? rfc : undefined;
