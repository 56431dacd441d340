import type { Db, Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import type { CatalogDraft } from '../../../shared/catalogs/rules.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { Actor } from '../audit/audit.ts';
import { followCreditDays } from '../due-day.ts';
import {
  addNew,
  auditEach,
  type BulkOptions,
  type StoredDraft,
  type UnreadDraft,
  type Written,
  write,
} from '../writing.ts';
import { type Asked, type EntryOptions, type EntryToWrite, holdRows, readFacts } from './facts.ts';
import { anyTable, type CatalogRow, tableNameOf, tableOf } from './reading.ts';
import { allWarnings, rules, take } from './rules.ts';

type WriteEntries = EntryOptions & BulkOptions<Asked>;

/** Writes rows of one of the five lists, one or many, by the one list of rules that there is for them (rules.ts). */
export const writeEntries = (
  db: Db,
  actor: Actor,
  catalog: Catalog,
  entries: readonly (EntryToWrite | UnreadDraft)[],
  options: WriteEntries = {},
): Promise<Written<Asked, CatalogRow>[]> =>
  write(
    db,
    entries,
    {
      read: (trx, read) => readFacts(trx, catalog, read, options),
      rules,
      warn: allWarnings,
      accept: take,
      former: ({ former }) => former,
      idOf: ({ id }) => id,
      store: (trx, stored) => store(trx, actor, { catalog, stored, options }),
    },
    options,
  );

async function store(
  trx: Trx,
  actor: Actor,
  { catalog, stored, options: { bring, onStored } }: Storing,
): Promise<void> {
  const accepted = stored.map(({ asked }) => asked);
  const importId = bring ? await bring(trx, accepted) : null;
  const { at } = actor;
  await addNew(
    trx,
    tableNameOf(catalog),
    stored,
    ({ values }) => rowOfEntry(values, { at, importId }),
    onStored,
  );
  const table = tableOf(catalog);
  for (const { said, values, former, deleted } of accepted) {
    if (former) {
      const set = { ...said, updatedAt: at, version: former.version + 1 };
      await anyTable(trx).updateTable(table).set(set).where('id', '=', former.id).execute();
    } else if (deleted) {
      const { id, version, createdAt = at, importId = null } = deleted;
      const row = { ...values, id, importId, createdAt, updatedAt: at, version: version + 1 };
      await anyTable(trx).insertInto(table).values(row).execute();
    }
  }
  if (importId !== null) return;
  const rows = await holdRows(
    trx,
    catalog,
    stored.map(({ id }) => id),
  );
  auditEach(trx, actor, catalog.noun, stored, rows);
  for (const { row, asked } of stored)
    if (catalog === suppliers && asked.former && row!.diascredito !== asked.former.diascredito)
      await followCreditDays(trx, row!.id);
}

interface Storing {
  catalog: Catalog;
  stored: readonly StoredDraft<Asked, CatalogRow>[];
  options: WriteEntries;
}

/** A new row as it is stored. */
export const rowOfEntry = (
  values: CatalogDraft,
  { at, importId }: { at: string; importId: number | null },
): object => ({ ...values, importId, createdAt: at, updatedAt: at });
