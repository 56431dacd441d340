import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { TableImportResult } from '../../formats/tables/table.ts';
import { type AccountDraft, type AccountInput, writeAccounts } from '../supplier-accounts/write.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { TableImportRun } from './import-run.ts';
import { textOf } from './row-values.ts';

export const importAccounts = (run: TableImportRun): Promise<TableImportResult> =>
  importDrafts<AccountInput, AccountDraft>(run, {
    entity: 'supplier-accounts',
    names: { supplierId: suppliers },
    readInputs: () =>
      readEachRow(run, ({ line, values }, warnings) => ({
        line,
        supplierId: run.references.findOrAddSupplier(values, warnings)?.id ?? null,
        clabe: textOf(values, 'clabe'),
        titular: textOf(values, 'titular'),
      })),
    write: (trx, actor, drafts, options) =>
      writeAccounts(trx, actor, drafts, {
        ...options,
        skipsExisting: true,
        nameOf: run.references.entryIndexOf(suppliers).nameOf,
      }),
  });
