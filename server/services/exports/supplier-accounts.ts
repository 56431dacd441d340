import type { Db } from '../../../db/schema.ts';
import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import {
  ACCOUNT_STATE_LABELS,
  accountStateOf,
  type SupplierAccount,
} from '../../../shared/supplier-accounts.ts';
import {
  day,
  type ExportFrame,
  type ListExport,
  pagesOf,
  type SheetColumn,
  type SheetPart,
} from '../../formats/sheets/sheet.ts';
import { toAccountJson } from '../../shapes/supplier-accounts.ts';
import { type AccountQuery, countAccounts, searchAccounts } from '../supplier-accounts/reading.ts';

/** The accounts of a filter; what is exported can be imported again, but for who trusts it. */
export async function accountsExport(
  db: Db,
  query: Omit<AccountQuery, 'limit'> & SheetPart,
  { today, facts }: ExportFrame,
): Promise<ListExport<SupplierAccount>> {
  const { limit = Number.POSITIVE_INFINITY, cursor: _, ...filter } = query;
  return {
    file: `Cuentas bancarias ${today}`,
    title: 'Cuentas bancarias',
    filters: facts,
    noun: ['cuenta', 'cuentas'],
    sheet: {
      columns: COLUMNS,
      pages: pagesOf(async (page) => {
        const { accounts, cursor } = await searchAccounts(db, { ...query, ...page });
        return { rows: accounts, cursor };
      }, query),
    },
    count: async () => Math.min(await countAccounts(db, filter), limit),
    toRecords: (accounts) =>
      accounts.map((account) => ({ ...toAccountJson(account), suppliername: account.suppliername })),
  };
}

/** A paper that lies about does not say where money goes. */
const COLUMNS: readonly SheetColumn<SupplierAccount>[] = [
  { name: 'suppliername', heading: 'Proveedor', cell: ({ suppliername }) => suppliername, key: true },
  { name: 'rfc', heading: 'RFC', cell: ({ rfc }) => rfc, paper: false },
  { name: 'banco', heading: 'Banco', cell: ({ clabe }) => bankOf(clabe) },
  { name: 'clabe', heading: 'CLABE', cell: ({ clabe }) => clabe, paper: false },
  { name: 'terminacion', heading: 'Termina en', cell: ({ clabe }) => lastOfClabe(clabe) },
  { name: 'titular', heading: 'Titular', cell: ({ titular }) => titular },
  { name: 'estado', heading: 'Estado', cell: (account) => ACCOUNT_STATE_LABELS[accountStateOf(account)] },
  { name: 'cambiadaEl', heading: 'Último cambio', cell: ({ changedOn }) => day(changedOn) },
  { name: 'cambiadaPor', heading: 'Cambiada por', cell: ({ editor }) => editor },
  { name: 'confirmadaPor', heading: 'Confirmada por', cell: ({ truster }) => truster },
];
