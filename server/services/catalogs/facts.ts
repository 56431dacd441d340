import { sql } from 'kysely';
import { forUpdate, isOneOf, lockTables } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { type Catalog, columnNameOf } from '../../../shared/catalogs/catalog.ts';
import {
  type CatalogFieldValues,
  type CatalogValue,
  cleanCatalogValues,
} from '../../../shared/catalogs/rules.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import type { SettingKey } from '../settings/definitions.ts';
import { readSettings } from '../settings/settings.ts';
import { readExistingIds } from '../stored-rows.ts';
import { cleanOrMarkInvalid } from '../write-drafts.ts';
import { EntryIndex, readEntryIndex } from './entry-index.ts';
import {
  asCatalogDb,
  asCatalogTable,
  type CatalogRow,
  selectCatalogColumns,
  tableNameOf,
  toRow,
} from './reading.ts';

export interface EntryInput {
  /** in a change, fields that are missing here stay as they are */
  draft: CatalogFieldValues;
  id?: number;
  /** the version that the user saw of a changed row; without it, whatever is stored is overwritten */
  version?: number;
  /** a deleted row to restore under its id; it also has the moment and the import of its creation, which no form has */
  deleted?: CatalogRow & { createdAt?: string; importId?: number | null };
  line?: number;
}

export type EntryDraft = Awaited<ReturnType<typeof readDraftsAndFacts>>['drafts'][number];

export interface EntryOptions {
  skipsExisting?: boolean;
  allowDuplicates?: boolean;
  /** the drafts come from a CFDI: their RFC is stored as it is, with a warning */
  isFromCfdi?: boolean;
  nameOf?: (catalog: Catalog, id: number) => string;
  today: PlainDate;
}

export type EntryFacts = Awaited<ReturnType<typeof readDraftsAndFacts>>['facts'];

export async function readDraftsAndFacts(
  trx: Trx,
  catalog: Catalog,
  inputs: readonly EntryInput[],
  options: EntryOptions,
) {
  const needsWholeIndex =
    options.skipsExisting || inputs.some(({ draft, deleted }) => deleted || findIdentifyingRfc(draft));
  // The list is locked before its rows, as in imports, so that no two transactions wait for each other.
  if (needsWholeIndex) await lockTables(trx, tableNameOf(catalog));
  const ids = inputs.flatMap(({ id }) => id ?? []);
  const previousById = new Map((await lockAndReadCatalogRows(trx, catalog, ids)).map((row) => [row.id, row]));
  const defaults = await readDefaults(trx, catalog);
  const drafts = inputs.map((entry) => {
    const previous = previousById.get(entry.id ?? 0);
    const start = previous && !entry.deleted ? fieldValuesOf(catalog, previous) : defaults;
    const { cleaned, brokenRule } = cleanOrMarkInvalid({ cleaned: {} as CatalogFieldValues }, () => ({
      cleaned: cleanCatalogValues(catalog, entry.draft),
    }));
    const values: CatalogValues = { ...start, ...cleaned };
    return { ...entry, cleaned, brokenRule, values, previous };
  });
  const existingIdsByField = new Map<string, ReadonlySet<number>>();
  for (const { name, ref } of catalog.fields) {
    if (!ref) continue;
    const namedIds = new Set(drafts.map(({ values }) => Number(values[name])).filter((id) => id > 0));
    existingIdsByField.set(name, await readExistingIds(trx, tableNameOf(catalogOf(ref)), [...namedIds]));
  }
  const rfcs = options.skipsExisting
    ? undefined
    : [...new Set(drafts.flatMap(({ cleaned }) => findIdentifyingRfc(cleaned) ?? []))];
  const index = rfcs?.length === 0 ? new EntryIndex(catalog) : await readEntryIndex(trx, catalog, rfcs);
  return {
    drafts,
    facts: {
      ...options,
      catalog,
      existingIdsByField,
      /** for an imported table all stored rows, to find taken names; otherwise the rows with one of the RFCs */
      index,
    },
  };
}

export async function lockAndReadCatalogRows(
  trx: Trx,
  catalog: Catalog,
  ids: readonly number[],
): Promise<CatalogRow[]> {
  if (ids.length === 0) return [];
  const id = `${catalog.table}.id`;
  const rows = await selectCatalogColumns(asCatalogDb(trx).selectFrom(asCatalogTable(catalog)), catalog)
    .where(isOneOf(trx, id, ids))
    .orderBy(sql.ref(id))
    .modifyEnd(forUpdate(trx))
    .execute();
  return rows.map((row) => toRow(catalog, row));
}

export const fieldValuesOf = ({ fields }: Catalog, row: CatalogRow): Record<string, CatalogValue> =>
  Object.fromEntries(fields.map(columnNameOf).map((member) => [member, row[member] as CatalogValue]));

type CatalogValues = Record<string, CatalogValue | undefined>;

async function readDefaults(db: Db, catalog: Catalog): Promise<CatalogValues> {
  const settings = catalog.fields.some(({ defaultSetting }) => defaultSetting)
    ? await readSettings(db)
    : undefined;
  const defaults = catalog.fields.map((field) => {
    const { type, defaultSetting } = field;
    if (defaultSetting) return [columnNameOf(field), Number(settings![defaultSetting as SettingKey])];
    return [columnNameOf(field), type === 'whole' ? 0 : null];
  });
  return cleanCatalogValues(catalog, Object.fromEntries(defaults));
}

export const findIdentifyingRfc = ({ rfc }: CatalogFieldValues): string | undefined =>
  typeof rfc === 'string' && !isGenericRfc(rfc) ? rfc : undefined;
