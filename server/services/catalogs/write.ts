import type { Db, Trx } from '../../../db/schema.ts';
import type { Catalog } from '../../../shared/catalogs/catalog.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { Actor } from '../audit/audit.ts';
import { updateDueDays } from '../due-day.ts';
import { idsOf } from '../stored-rows.ts';
import {
  auditStoredDrafts,
  type BulkOptions,
  type ImportIdAndProgress,
  type StoredDraft,
  storeRows,
  type UnreadableInput,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import {
  type EntryDraft,
  type EntryInput,
  type EntryOptions,
  lockAndReadCatalogRows,
  readDraftsAndFacts,
} from './facts.ts';
import { type CatalogRow, tableNameOf } from './reading.ts';
import { addAcceptedDraftToFacts, listWarnings, rules } from './rules.ts';

type WriteEntriesOptions = Omit<EntryOptions, 'today'> & BulkOptions<EntryDraft>;

export const writeEntries = (
  db: Db,
  actor: Actor,
  catalog: Catalog,
  entries: readonly (EntryInput | UnreadableInput)[],
  options: WriteEntriesOptions = {},
): Promise<WriteOutcome<EntryDraft, CatalogRow>[]> =>
  writeDrafts(
    db,
    entries,
    {
      read: (trx, read) => readDraftsAndFacts(trx, catalog, read, { ...options, today: actor.today }),
      rules,
      warn: listWarnings,
      accept: addAcceptedDraftToFacts,
      previous: ({ previous }) => previous,
      idOf: ({ id }) => id,
      store: (trx, stored, _facts, bulk) => storeEntries(trx, actor, { catalog, stored, bulk }),
    },
    options,
  );

async function storeEntries(
  trx: Trx,
  actor: Actor,
  { catalog, stored, bulk }: EntriesToStore,
): Promise<void> {
  await storeRows(trx, actor, tableNameOf(catalog), stored, {
    ...bulk,
    rowOf: ({ values }) => values,
    changeOf: ({ cleaned }) => cleaned,
  });
  if (bulk.importId !== null) return;
  const rows = await lockAndReadCatalogRows(trx, catalog, idsOf(stored));
  auditStoredDrafts(trx, actor, catalog.noun, stored, rows);
  for (const { row, draft } of stored)
    if (catalog === suppliers && draft.previous && row!.diascredito !== draft.previous.diascredito)
      await updateDueDays(trx, row!.id);
}

interface EntriesToStore {
  catalog: Catalog;
  stored: readonly StoredDraft<EntryDraft, CatalogRow>[];
  bulk: ImportIdAndProgress<EntryDraft>;
}
