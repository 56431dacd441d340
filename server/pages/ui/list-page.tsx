import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { formatCount } from '../../../shared/counts.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager, PrintedRowsNote } from '../../../shared/ui/Pager.tsx';
import type { ExportFormat } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import type { List, ListSum } from '../../lists/list.ts';
import { getPageShape, type PageQuery } from '../../lists/query-shapes.ts';
import { applyOpeningView, findExactViewName, fullListHref } from '../../lists/views.ts';
import { savedRowHrefInMessage } from '../../shell/render.tsx';
import {
  describeActiveFilters,
  isFiltered,
  pickValidListParameters,
  readListQuery,
  renderFilterForm,
  renderInvertedPeriod,
  toFilterAndOrder,
} from './list-filters.tsx';
import {
  addSortLinks,
  countPrintedBefore,
  countRowsBefore,
  listHref,
  pageSize,
  renderListOrFragment,
  showListOrError,
} from './list-layout.tsx';
import { type RefusedStep, RefusedStepNotice } from './refusal-reason.tsx';
import { rememberLastView, renderViewLinks } from './view-links.tsx';

type ListSearch<Filters extends readonly Filter[], Sort extends string> = ReturnType<
  typeof toFilterAndOrder<Filters, Sort>
> & { limit: number; cursor?: string };

interface PageResult<Row> {
  rows: readonly Row[];
  cursor?: string;
  count: number;
  /** the number of counted things on this page, if each has several rows */
  countOnPage?: number;
}

interface EmptyText {
  title: string;
  hint: string;
  action: ReactNode;
}

interface ListPage<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
> {
  caption?: string;
  className?: string;
  loadFailed?: string;
  /** buttons before and after "Exportar"; `create` is shown even where the list cannot be shown */
  actions?: ReactNode;
  secondaryActions?: ReactNode;
  create?: ReactNode;
  first?: ExportFormat;
  /** shown above the filter; `status` is the HTTP status of the answer */
  alert?: () => Promise<ReactNode>;
  status?: ContentfulStatusCode;
  controls?: (fields: FilterField[]) => FilterField[];
  read(
    c: AppContext,
    search: ListSearch<Filters, Sort>,
    query: PageQuery<Filters, Sort>,
  ): Promise<PageResult<Row> & More>;
  /** columns whose key is one of the list's sort fields get a heading that sorts */
  columns(found: PageResult<Row> & More, query: PageQuery<Filters, Sort>): readonly Column<Row>[];
  rowHref?(row: Row): string | undefined;
  rowClass?(row: Row): string | undefined;
  /** reads a row that was just saved; it is shown above the others where the page does not include it */
  findOne?(c: AppContext, id: number): Promise<Row | undefined>;
  /** shown above the rows; `totals` between the rows and the link to more */
  above?(found: PageResult<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  totals?(found: PageResult<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  /** shown after rows and totals; `below` comes last, and is not replaced by a search */
  after?(found: PageResult<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  below?: ReactNode;
  listSum?(found: PageResult<Row> & More): ListSum;
  /** what the rows are, where that depends on what was found */
  noun?(found: PageResult<Row> & More): List['noun'];
  /** texts if the filter finds nothing, or one of the list's views has no rows, with a link to `all` */
  noMatches: {
    title: string | ((query: PageQuery<Filters, Sort>) => string);
    hint: string;
    clear?: string;
    views?: { all: string; titles: Readonly<Record<string, { title: string; hint: string }>> };
  };
  /** texts where the list has no rows at all; `action` is then shown only here */
  empty?: EmptyText;
}

export function showList<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
>(
  c: AppContext,
  list: List<Filters, Sort>,
  page: ListPage<Filters, Sort, Row, More>,
  refused?: RefusedStep,
): Promise<Response> {
  const { loadFailed, create, first = 'xlsx', below, controls, noMatches } = page;
  const status = refused?.status ?? page.status;
  const isList = refused === undefined && page.alert === undefined;
  const options = { title: list.title, actions: create, loadFailed, status, isList };
  const renderReadableFilter = () =>
    renderFilterForm(c, list, pickValidListParameters(c, list, getPageShape(list)), controls);
  return showListOrError(
    c,
    { ...options, address: fullListHref(list), filter: renderReadableFilter },
    async () => {
      const requested = await readListQuery(c, list);
      const query = applyOpeningView(list as List, requested, c.get('today')) as typeof requested;
      if (list.views) await rememberLastView(c, list as List, query);
      const inverted = renderInvertedPeriod(list, query);
      const search = { ...toFilterAndOrder(list, query), cursor: query.cursor, limit: pageSize(query) };
      const found = inverted ? undefined : await page.read(c, search, query);
      const listSum = found && !isFiltered(list, query) ? page.listSum?.(found) : undefined;
      const isEmpty =
        found?.count === 0 &&
        !isFiltered(list, requested) &&
        (query === requested || (await isListEmpty(requested)));
      const empty = isEmpty ? page.empty : undefined;
      // An empty list has nothing to filter, sum or export. The specification's screens show the controls nevertheless.
      const isEmptyPage = empty !== undefined && currentLanguage() === 'es';
      return renderListOrFragment(
        c,
        {
          ...options,
          actions: (
            <>
              {page.actions}
              {!isEmptyPage && <ExportLinks list={list.page} defaultFormat={first} query={query} />}
              {!empty && page.secondaryActions}
              {!empty && create}
            </>
          ),
        },
        {
          views:
            list.views && !isEmptyPage ? () => renderViewLinks(c, list as List, query, listSum) : undefined,
          alert: refused ? <RefusedStepNotice {...refused} action={c.req.path} /> : await page.alert?.(),
          renderFilter: async () => !isEmptyPage && renderFilterForm(c, list, query, controls),
          words: await describeActiveFilters(c, list, query),
          isView: findExactViewName(list as List, query, c.get('today')) !== undefined,
          printed: found && (
            <PrintedRowsNote
              printedCount={countPrintedBefore(c, query) + (found.countOnPage ?? found.rows.length)}
              total={found.count}
              noun={page.noun?.(found) ?? list.noun}
              hasTotals={page.totals !== undefined}
              isExportable
            />
          ),
          results: found ? await renderResults(query, found, empty, isEmptyPage) : inverted,
          below,
        },
      );
    },
  );

  async function isListEmpty(requested: PageQuery<Filters, Sort>): Promise<boolean> {
    return (await page.read(c, { ...toFilterAndOrder(list, requested), limit: 1 }, requested)).count === 0;
  }

  async function describeEmptyView(query: PageQuery<Filters, Sort>): Promise<EmptyText | undefined> {
    const { views } = noMatches;
    const text = views?.titles[findExactViewName(list as List, query, c.get('today')) ?? ''];
    if (!views || !text) return undefined;
    const { count } = await page.read(c, { limit: 1 } as ListSearch<Filters, Sort>, query);
    return {
      ...text,
      action: (
        <LinkButton href={fullListHref(list)}>
          {views.all} ({formatCount(count)})
        </LinkButton>
      ),
    };
  }

  async function findSavedRow(
    query: PageQuery<Filters, Sort>,
    rows: readonly Row[],
  ): Promise<Row | undefined> {
    const saved = savedRowHrefInMessage(c);
    const id = Number(saved?.match(/\d+$/)?.[0]);
    const isOfList = page.findOne && id > 0 && page.rowHref?.({ id } as Row) === saved;
    if (!isOfList || countRowsBefore(query) > 0 || rows.some((row) => row.id === id)) return undefined;
    return page.findOne?.(c, id);
  }

  async function renderResults(
    query: PageQuery<Filters, Sort>,
    found: PageResult<Row> & More,
    empty: EmptyText | undefined,
    isEmptyPage: boolean,
  ) {
    const { rows, cursor, count } = found;
    const savedRow = await findSavedRow(query, rows);
    const shown = countRowsBefore(query) + (found.countOnPage ?? rows.length);
    const emptyView = count === 0 && !empty ? await describeEmptyView(query) : undefined;
    const emptyText = empty ??
      emptyView ?? {
        title: typeof noMatches.title === 'string' ? noMatches.title : noMatches.title(query),
        hint: noMatches.hint,
        action: <LinkButton href={fullListHref(list)}>{noMatches.clear ?? 'Quitar filtros'}</LinkButton>,
      };
    return (
      <>
        {page.above?.(found, query)}
        {(count > 0 || savedRow) && (
          <DataTable
            caption={page.caption ?? list.title}
            heading
            className={page.className}
            columns={addSortLinks(page.columns(found, query), list as List, count, query)}
            rows={savedRow ? [savedRow, ...rows] : rows}
            rowKey={({ id }) => id}
            rowHref={page.rowHref}
            rowClass={(row) => (row === savedRow ? 'apart' : page.rowClass?.(row))}
          />
        )}
        {count === 0 && (
          <EmptyState title={emptyText.title} action={emptyText.action}>
            {emptyText.hint}
          </EmptyState>
        )}
        {!isEmptyPage && page.totals?.(found, query)}
        {count > 0 && (
          <Pager
            shown={shown}
            total={count}
            noun={page.noun?.(found) ?? list.noun}
            href={cursor && listHref(list, query, { cursor, shown })}
          />
        )}
        {page.after?.(found, query)}
      </>
    );
  }
}
