import { bankOf, lastOfClabe } from '../../../shared/banks.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { accountList } from '../../lists/supplier-accounts.ts';
import { countAccounts, searchAccounts } from '../../services/supplier-accounts/reading.ts';
import { showList } from '../ui/list-page.tsx';
import { AccountChip } from './section.tsx';

/** The accounts of all suppliers; each leads to its supplier, where all of it is seen and confirmed. */
export const showAccounts = (c: AppContext) =>
  showList(c, accountList, {
    noun: ['cuenta', 'cuentas'],
    async read(c, search) {
      const { db } = c.get('deps');
      const { accounts: rows, cursor } = await searchAccounts(db, search);
      return { rows, cursor, count: await countAccounts(db, search) };
    },
    rowHref: ({ supplierId }) => `${pages.editSupplier}/${supplierId}#cuentas`,
    columns: (sort) => [
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
    ],
    unfound: {
      title: 'Ninguna cuenta con este filtro',
      hint: 'Prueba con otro proveedor o con otro estado.',
    },
    empty: {
      title: 'Todavía no hay cuentas bancarias',
      hint: 'Se capturan en cada proveedor, o se importan de una tabla; otra persona las confirma.',
      action: <LinkButton href={suppliers.paths.list}>Ir a proveedores</LinkButton>,
    },
  });
