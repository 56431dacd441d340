import ListFilter from '../../../islands/ListFilter.tsx';
import type { Catalog, CatalogField } from '../../../shared/catalogs/catalog.ts';
import { fundingSources } from '../../../shared/catalogs/funding-sources.ts';
import { suppliers } from '../../../shared/catalogs/suppliers.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { DateText } from '../../../shared/ui/DateText.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import { type CatalogPage, type CatalogRow, searchCatalog } from '../../services/catalogs/reading.ts';
import { catalogShapes, toCatalogQuery } from '../../shapes/catalogs.ts';
import { Island } from '../../shell/island.tsx';
import {
  answerList,
  parseListQuery,
  readableQuery,
  renderList,
  rowsBefore,
  rowsOn,
  sortLink,
} from '../ui/lists.tsx';
import { catalogPicker } from '../ui/pickers.ts';
import { figured } from './figures.tsx';

/**
 * The list screen: filter, rows, and the way to more of them. What goes wrong shows above the filter, in an
 * alert headed Error.
 */
export async function renderCatalogList(c: AppContext, catalog: Catalog): Promise<Response> {
  const { texts, paths } = catalog;
  const { page: shape } = catalogShapes[catalog.noun]!;
  const options = { title: texts.list, actions: <Actions catalog={catalog} /> };
  const filterOf = (asked: object) => async () => (
    <Filter catalog={catalog} shown={shownBy(catalog, asked)} />
  );
  const filter = filterOf(readableQuery(c, shape));
  return answerList(c, { ...options, address: paths.list, filter }, async () => {
    const asked = parseListQuery(c, shape);
    const shown = shownBy(catalog, asked);
    const { text, sort, direction, limit } = shown;
    const { cursor, sort: sortfield, direction: sorttype } = toCatalogQuery(catalog, asked);
    const page = await searchCatalog(c.get('deps').db, catalog, { text, sort, direction, cursor, limit });
    const more = await figured(c, catalog.noun, page.rows);
    // An empty list offers its first action itself, in the middle of the page.
    const isEmpty = page.total === 0 && !text;
    const actions = (
      <>
        <ExportLinks
          list={paths.list}
          first="xlsx"
          query={{ [catalog.nameField]: text, sortfield, sorttype }}
        />
        {!isEmpty && options.actions}
      </>
    );
    return renderList(
      c,
      { ...options, actions },
      {
        filter: filterOf(asked),
        words: text
          ? [{ label: texts.filter, value: text, without: addressOf(catalog, { ...shown, text: '' }) }]
          : [],
        results: <Results catalog={catalog} page={page} shown={shown} more={more} />,
      },
    );
  });
}

function Filter({ catalog, shown }: { catalog: Catalog; shown: Shown }) {
  const { paths, texts, nameField } = catalog;
  return (
    <Island
      of={ListFilter}
      props={{
        action: paths.list,
        fields: [{ kind: 'text', name: nameField, label: texts.filter, value: shown.text }],
        sort: {
          field: shown.sort,
          direction: shown.direction === 'desc' ? 'DESC' : 'ASC',
          options: [...catalogPicker(catalog).sortOptions],
        },
        resultsId: 'results',
      }}
    />
  );
}

interface Shown {
  text: string;
  sort: string;
  direction: 'asc' | 'desc';
  /** rows on the pages before this one, and on this one at most */
  before: number;
  limit: number;
}

function shownBy(catalog: Catalog, asked: object): Shown {
  const { text = '', sort, direction = 'asc' } = toCatalogQuery(catalog, asked);
  return { text, sort: sortKey(catalog, sort), direction, before: rowsBefore(asked), limit: rowsOn(asked) };
}

interface ResultsProps {
  catalog: Catalog;
  page: CatalogPage;
  shown: Shown;
  /** the page's rows with their figures */
  more: Awaited<ReturnType<typeof figured>>;
}

function Results({ catalog, page, shown, more }: ResultsProps) {
  const { paths, texts } = catalog;
  if (page.total === 0) return <Nothing catalog={catalog} text={shown.text} />;
  const count = shown.before + page.rows.length;
  return (
    <>
      <DataTable
        caption={texts.list}
        className="catalog"
        columns={columnsOf(catalog, shown, more.columns)}
        rows={more.rows}
        rowKey={(row) => row.id}
        rowHref={(row) => `${paths.edit}/${row.id}`}
      />
      <Pager
        shown={count}
        total={page.total}
        noun={page.total === 1 ? texts.one.replace(/^(el|la) /, '') : texts.many}
        href={page.nextCursor && addressOf(catalog, shown, { cursor: page.nextCursor, shown: String(count) })}
      />
    </>
  );
}

const Actions = ({ catalog }: { catalog: Catalog }) => (
  <>
    {catalog === suppliers && <LinkButton href={pages.accounts}>Cuentas bancarias</LinkButton>}
    {catalog === fundingSources && <LinkButton href={pages.pettyCash}>Caja chica</LinkButton>}
    <CreateLink catalog={catalog} />
  </>
);

const CreateLink = ({ catalog: { paths, texts } }: { catalog: Catalog }) => (
  <LinkButton href={paths.create} look="primary" icon="plus" data-new="">
    {texts.create}
  </LinkButton>
);

function Nothing({ catalog, text }: { catalog: Catalog; text: string }) {
  const { paths, texts } = catalog;
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
    <EmptyState title={`Todavía no hay ${texts.many}`} action={<CreateLink catalog={catalog} />}>
      {texts.emptyHint}
    </EmptyState>
  );
}

/** Texts of no certain length: what is read to its end, and what would break within a word or fill many lines. */
const WRAPPED = new Set<CatalogField['type'] | undefined>(['text', 'phone']);
const ONE_LINE = new Set<CatalogField['type'] | undefined>(['email', 'textarea']);

function columnsOf(catalog: Catalog, shown: Shown, more: Column<CatalogRow>[]): Column<CatalogRow>[] {
  const columns = catalog.columns.map(({ name, label, hideOnSmall }): Column<CatalogRow> => {
    const field = catalog.fields.find((one) => one.name === name);
    const isName = name === catalog.nameField;
    return {
      key: name,
      label,
      hideOnSmall,
      link: isName,
      // One line of it is shown, and all of it as its title.
      clip: ONE_LINE.has(field?.type) ? false : undefined,
      className: isName || WRAPPED.has(field?.type) ? 'wraps' : undefined,
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
    className: 'card-side',
    render: (row) => (
      <LinkButton
        href={`${catalog.paths.edit}/${row.id}`}
        look="quiet"
        icon="edit"
        tip={`Editar ${row[catalog.nameField]}`}
      />
    ),
  };
  return [...columns, ...more, edit];
}

/** By the column's own sort field, where it has one. */
function sortOf(catalog: Catalog, column: string, shown: Shown): Column<CatalogRow>['sort'] {
  const key = Object.keys(catalog.sortFields).find((one) => catalog.sortFields[one] === column);
  return key
    ? sortLink(key, shown, (order) =>
        withQuery(catalog.paths.list, { [catalog.nameField]: shown.text, ...order }),
      )
    : undefined;
}

/** A list may be asked for by its name field too, whatever the name's sort field is called. */
function sortKey({ sortFields, foldField, nameField }: Catalog, asked = 'id'): string {
  if (asked !== nameField) return asked;
  return Object.keys(sortFields).find((key) => sortFields[key] === foldField) ?? 'id';
}

function addressOf(
  { paths, nameField }: Catalog,
  { text, sort, direction }: Shown,
  more: Record<string, string> = {},
) {
  return withQuery(paths.list, {
    [nameField]: text,
    sortfield: sort === 'id' ? undefined : sort,
    sorttype: direction === 'desc' ? 'DESC' : undefined,
    ...more,
  });
}
