import ListFilter from '../../islands/ListFilter.tsx';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import { LinkButton } from '../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../shared/ui/DataTable.tsx';
import { DateText } from '../../shared/ui/DateText.tsx';
import { EmptyState } from '../../shared/ui/EmptyState.tsx';
import { Pager } from '../../shared/ui/Pager.tsx';
import { withQuery } from '../../shared/urls.ts';
import { Island } from '../island.tsx';
import type { CatalogPage, CatalogQuery, CatalogRow } from '../services/catalog-reading.ts';
import { catalogPicker } from './pickers.ts';

/** The list screen: filter, rows, and the way to more of them. */
export function CatalogList({
  catalog,
  query,
  page,
}: {
  catalog: Catalog;
  query: Partial<CatalogQuery>;
  page: CatalogPage;
}) {
  const { paths, texts, nameField } = catalog;
  const { text = '', sort = 'id', direction = 'asc' } = query;
  return (
    <>
      <Island
        of={ListFilter}
        props={{
          action: paths.list,
          fields: [{ kind: 'text', name: nameField, label: texts.filter, value: text }],
          sort: {
            field: sort,
            direction: direction === 'desc' ? 'DESC' : 'ASC',
            options: [...catalogPicker(catalog).sortOptions],
          },
          resultsId: 'results',
        }}
      />
      <div id="results">
        <Results catalog={catalog} page={page} shown={{ text, sort, direction }} />
      </div>
    </>
  );
}

interface Shown {
  text: string;
  sort: string;
  direction: 'asc' | 'desc';
}

function Results({ catalog, page, shown }: { catalog: Catalog; page: CatalogPage; shown: Shown }) {
  const { paths, texts } = catalog;
  if (page.total === 0) return <Nothing catalog={catalog} text={shown.text} />;
  return (
    <>
      <div className="table-wrap">
        <DataTable
          caption={texts.list}
          columns={columnsOf(catalog, shown)}
          rows={page.rows}
          rowKey={(row) => row.id}
          rowHref={(row) => `${paths.edit}/${row.id}`}
        />
      </div>
      <Pager
        shown={page.rows.length}
        total={page.total}
        noun={texts.many}
        href={page.nextCursor && listAddress(catalog, shown, page.nextCursor)}
      />
    </>
  );
}

function Nothing({ catalog: { paths, texts }, text }: { catalog: Catalog; text: string }) {
  if (text) {
    return (
      <EmptyState
        title={`Nada coincide con «${text}».`}
        action={<LinkButton href={paths.list}>Quitar filtro</LinkButton>}
      >
        Prueba con otra parte del nombre.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={`Todavía no hay ${texts.many}`}
      action={
        <LinkButton href={paths.create} look="primary" icon="plus">
          {texts.create}
        </LinkButton>
      }
    >
      {texts.emptyHint}
    </EmptyState>
  );
}

function columnsOf(catalog: Catalog, shown: Shown): Column<CatalogRow>[] {
  const columns = catalog.columns.map(({ name, label, hideOnSmall }): Column<CatalogRow> => {
    const field = catalog.fields.find((one) => one.name === name);
    const isName = name === catalog.nameField;
    return {
      key: name,
      label,
      hideOnSmall,
      link: isName,
      clip: isName || field?.type === 'textarea',
      card: isName ? 'title' : name === 'id' ? 'corner' : undefined,
      align: name === 'id' ? 'end' : undefined,
      sort: sortOf(catalog, field?.fold ?? name, shown),
      render: (row) =>
        field?.type === 'date' ? <DateText date={row[name] as string | null} /> : String(row[name] ?? ''),
    };
  });
  const edit: Column<CatalogRow> = {
    key: 'edit',
    label: 'Editar',
    card: 'actions',
    render: (row) => (
      <LinkButton
        href={`${catalog.paths.edit}/${row.id}`}
        look="quiet"
        icon="edit"
        tip={`Editar ${row[catalog.nameField]}`}
      />
    ),
  };
  return [...columns, edit];
}

/** The header's link: by this column, or the other way round where the list is sorted by it already. */
function sortOf(catalog: Catalog, column: string, shown: Shown): Column<CatalogRow>['sort'] {
  const key = Object.keys(catalog.sortFields).find((one) => catalog.sortFields[one] === column);
  if (!key) return undefined;
  const isCurrent = (catalog.sortFields[shown.sort] ?? catalog.foldField) === column;
  const direction = isCurrent && shown.direction === 'asc' ? 'desc' : 'asc';
  return {
    href: listAddress(catalog, { ...shown, sort: key, direction }),
    direction: isCurrent ? shown.direction : undefined,
  };
}

const listAddress = ({ paths, nameField }: Catalog, { text, sort, direction }: Shown, cursor?: string) =>
  withQuery(paths.list, {
    [nameField]: text,
    sortfield: sort,
    sorttype: direction === 'desc' ? 'DESC' : undefined,
    cursor,
  });
