import { ACCOUNT_SORTS, ACCOUNT_STATE_LABELS, type AccountSort } from '../../shared/supplier-accounts.ts';
import { pages } from '../../shared/urls.ts';
import { supplierFilter } from './catalog-filters.ts';
import { choiceFilter, type Filter } from './filter.ts';
import type { List } from './list.ts';

const filters = [
  supplierFilter,
  choiceFilter('estado', 'Estado', ACCOUNT_STATE_LABELS, {
    flag: ['--estado <estado>', 'por-confirmar o confiable'],
  }),
] as const satisfies readonly Filter[];

export const accountList: List<typeof filters, AccountSort> = {
  title: 'Cuentas bancarias',
  noun: ['cuenta', 'cuentas'],
  page: pages.accounts,
  area: 'work',
  help: 'cuentas-bancarias',
  filters,
  sorts: ACCOUNT_SORTS,
  openingView: { sort: 'suppliername' },
  command: { name: 'cuentas', description: 'las cuentas bancarias de los proveedores' },
  async readExport(query, { db }) {
    const { accountsExport } = await import('../services/exports/supplier-accounts.ts');
    return accountsExport(db, query);
  },
};
