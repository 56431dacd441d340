import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import type { AccountSort, SupplierAccount } from '../../../shared/supplier-accounts.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { sortOf } from '../../lists/list.ts';
import type { QueryOf } from '../../lists/shapes.ts';
import { accountList } from '../../lists/supplier-accounts.ts';
import { countAccounts, searchAccounts } from '../../services/supplier-accounts/reading.ts';
import { isFiltered, listAddress, searchOf } from '../ui/list-filters.tsx';
import { rowsBefore, rowsOn, sortLink } from '../ui/lists.tsx';
import { AccountChip } from './section.tsx';

type AccountListQuery = QueryOf<typeof accountList>;

/** The accounts of a filter; each leads to its supplier, where all of it is seen and confirmed. */
export async function renderAccountList(c: AppContext, query: AccountListQuery) {
  const { db } = c.get('deps');
  const search = searchOf(accountList, query);
  const page = await searchAccounts(db, { ...search, cursor: query.cursor, limit: rowsOn(query) });
  const count = await countAccounts(db, search);
  if (count === 0) return <NoAccounts isFiltered={isFiltered(accountList, query)} />;
  const shown = rowsBefore(query) + page.accounts.length;
  return (
    <>
      <div className="table-wrap">
        <DataTable
          caption={accountList.title}
          columns={columnsOf(query)}
          rows={page.accounts}
          rowKey={({ id }) => id}
          rowHref={({ supplierId }) => `${pages.editSupplier}/${supplierId}#cuentas`}
        />
      </div>
      <Pager
        shown={shown}
        total={count}
        noun={count === 1 ? 'cuenta' : 'cuentas'}
        href={page.cursor && listAddress(accountList, query, { cursor: page.cursor, shown })}
      />
    </>
  );
}

function columnsOf(query: AccountListQuery): Column<SupplierAccount>[] {
  const current = { sort: sortOf(accountList, query.sortfield) ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: AccountSort) => sortLink(field, current, (by) => listAddress(accountList, query, by));
  return [
    { key: 'id', label: 'ID', align: 'end', card: 'none', sort: sort('id'), render: ({ id }) => id },
    {
      key: 'suppliername',
      label: 'Proveedor',
      clip: true,
      link: true,
      card: 'title',
      sort: sort('suppliername'),
      render: ({ suppliername }) => suppliername,
    },
    {
      key: 'estado',
      label: 'Estado',
      card: 'corner',
      render: (account) => <AccountChip account={account} />,
    },
    { key: 'banco', label: 'Banco', card: 'half', render: ({ clabe }) => bankOf(clabe) },
    { key: 'clabe', label: 'Termina en', card: 'half', render: ({ clabe }) => lastOfClabe(clabe) },
    { key: 'titular', label: 'Titular', clip: true, render: ({ titular }) => titular },
    {
      key: 'changedOn',
      label: 'Último cambio',
      sort: sort('changedOn'),
      render: ({ changedOn }) => <DateText date={changedOn} />,
    },
    { key: 'editor', label: 'Por', hideOnSmall: true, render: ({ editor }) => editor },
    { key: 'truster', label: 'La confirmó', hideOnSmall: true, render: ({ truster }) => truster },
  ];
}

function NoAccounts({ isFiltered }: { isFiltered: boolean }) {
  if (isFiltered) {
    return (
      <EmptyState
        title="Ninguna cuenta con este filtro"
        action={<LinkButton href={pages.accounts}>Quitar filtros</LinkButton>}
      >
        Prueba con otro proveedor o con otro estado.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title="Todavía no hay cuentas bancarias"
      action={<LinkButton href={suppliers.paths.list}>Ir a proveedores</LinkButton>}
    >
      Se capturan en cada proveedor, o se importan de una tabla; otra persona las confirma.
    </EmptyState>
  );
}
