import type { Db } from '../../../db/schema.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { type AccountToWrite, type Asked, writeAccounts } from '../supplier-accounts/write.ts';
import { draftEach, importDrafts } from './drafts.ts';
import { References } from './references.ts';
import { textOf } from './row-values.ts';
import type { Run, StoreOnce } from './run.ts';

/** Suppliers' bank accounts, each by its supplier's name or RFC. */
export function importAccounts(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const references = new References(run.options.createMissing, run.options.set);
  return importDrafts<AccountToWrite, Asked>(db, run, storeOnce, {
    table: 'supplier_accounts',
    entity: 'supplier-accounts',
    columns: { supplierId: 'suppliername' },
    references,
    draftRows: async () => {
      await references.read(db, [suppliers]);
      return draftEach(run, ({ line, values }, warnings) => ({
        line,
        supplierId: references.supplier(values, warnings)?.id ?? null,
        clabe: textOf(values, 'clabe'),
        titular: textOf(values, 'titular'),
      }));
    },
    write: (trx, actor, drafts, options) =>
      writeAccounts(trx, actor, drafts, {
        ...options,
        isKnownOnce: true,
        nameOf: references.list(suppliers).nameOf,
      }),
  });
}
