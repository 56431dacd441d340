import { ACCOUNT_STATE_LABELS, ACCOUNT_STATES, type AccountSort } from '../../shared/supplier-accounts.ts';
import { pages } from '../../shared/urls.ts';
import type { ListExport } from '../formats/sheets/sheet.ts';
import { bySupplier } from './catalog-filters.ts';
import type { Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  bySupplier,
  {
    kind: 'choice',
    name: 'estado',
    label: 'Estado',
    choices: ACCOUNT_STATES,
    labels: ACCOUNT_STATE_LABELS,
    flag: ['--estado <estado>', 'por-confirmar o confiable'],
  },
] as const satisfies readonly Filter[];

/** The accounts of all suppliers: above all those that somebody has to confirm. */
export const accountList: List<typeof filters, AccountSort> = {
  title: 'Cuentas bancarias',
  page: pages.accounts,
  area: 'work',
  help: 'cuentas-bancarias',
  filters,
  sorts: { id: 'ID', suppliername: 'Proveedor', changedOn: 'Último cambio' },
  command: { name: 'cuentas', says: 'las cuentas bancarias de los proveedores' },
  async read(asked, { db, today, facts }) {
    const { accountsExport } = await import('../services/exports/supplier-accounts.ts');
    return accountsExport(db, asked, { today, facts }) as Promise<ListExport<unknown>>;
  },
};
