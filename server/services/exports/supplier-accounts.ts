import type { Db } from '../../../db/schema.ts';
import { abbreviateClabe, bankNameOf } from '../../../shared/banks.ts';
import {
  ACCOUNT_STATE_LABELS,
  accountStateOf,
  type SupplierAccount,
} from '../../../shared/supplier-accounts.ts';
import {
  createSheetColumns,
  dayCell,
  type ExportQuery,
  exportFromSearch,
} from '../../formats/sheets/sheet.ts';
import { accountAnswer } from '../../shapes/supplier-accounts.ts';
import { type AccountQuery, countAccounts, searchAccounts } from '../supplier-accounts/reading.ts';

/** The export can be imported again, except for who confirmed the accounts. */
export function accountsExport(db: Db, query: ExportQuery<AccountQuery>) {
  return exportFromSearch<SupplierAccount>(query, {
    // A printed page may be seen by anybody, so the PDF does not show whole account numbers.
    columns: createSheetColumns([
      { name: 'suppliername', heading: 'Proveedor', key: true },
      { name: 'rfc', heading: 'RFC', paperCell: false },
      { name: 'banco', heading: 'Banco', cell: ({ clabe }) => bankNameOf(clabe) },
      { name: 'clabe', heading: 'CLABE', paperCell: false },
      { name: 'terminacion', heading: 'Termina en', cell: ({ clabe }) => abbreviateClabe(clabe) },
      { name: 'titular', heading: 'Titular' },
      {
        name: 'estado',
        heading: 'Estado',
        cell: (account) => ACCOUNT_STATE_LABELS[accountStateOf(account)],
      },
      { name: 'cambiadaEl', heading: 'Último cambio', cell: ({ changedOn }) => dayCell(changedOn) },
      { name: 'cambiadaPor', heading: 'Cambiada por', cell: ({ editor }) => editor },
      { name: 'confirmadaPor', heading: 'Confirmada por', cell: ({ truster }) => truster },
    ]),
    search: (page) => searchAccounts(db, { ...query, ...page }),
    count: () => countAccounts(db, query),
    toRecords: (accounts) =>
      accounts.map((account) => ({ ...accountAnswer.toJson(account), suppliername: account.suppliername })),
  });
}
