import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { ReactNode } from 'react';
import type { FilterField } from '../../../islands/ListFilter.tsx';
import { language } from '../../../shared/language.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import type { ExportFormat } from '../../../shared/urls.ts';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { findSort, type List, type ListSum } from '../../lists/list.ts';
import { type PageQuery, pageShape } from '../../lists/shapes.ts';
import { fullListAddress, withOpeningView } from '../../lists/views.ts';
import { savedAddress } from '../../shell/render.tsx';
import { Refusal, type RefusedStep } from './closed-period.tsx';
import {
  filterWords,
  invertedResults,
  isFiltered,
  listAddress,
  readableListQuery,
  readListQuery,
  renderFilter,
  searchOf,
} from './list-filters.tsx';
import { answerList, renderList, rowsBefore, rowsOn, sortLink } from './lists.tsx';
import { drawViews, rememberLeft } from './views.tsx';

type Search<Filters extends readonly Filter[], Sort extends string> = ReturnType<
  typeof searchOf<Filters, Sort>
> & { limit: number; cursor?: string };

/** A page of rows, and the count of all rows of the filter. */
interface Found<Row> {
  rows: readonly Row[];
  cursor?: string;
  count: number;
}

interface Nothing {
  title: string;
  hint: string;
  action: ReactNode;
}

/** What a list's page adds to its definition. `More` is read for all rows of the filter. */
interface ListPage<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
> {
  /** of the table, where that is not the list's title */
  caption?: string;
  className?: string;
  loadFailed?: string;
  /** buttons before "Exportar" and after it; `create` also stands above a list that can't be shown */
  actions?: ReactNode;
  also?: ReactNode;
  create?: ReactNode;
  /** the format that "Exportar" gives by default */
  first?: ExportFormat;
  /** above the filter, with the status of the answer */
  alert?: () => Promise<ReactNode>;
  status?: ContentfulStatusCode;
  /** the controls, where there are more than the filters' */
  controls?: (fields: FilterField[]) => FilterField[];
  read(
    c: AppContext,
    search: Search<Filters, Sort>,
    query: PageQuery<Filters, Sort>,
  ): Promise<Found<Row> & More>;
  columns(
    sort: (field: Sort) => Column<Row>['sort'],
    found: Found<Row> & More,
    query: PageQuery<Filters, Sort>,
  ): readonly Column<Row>[];
  rowHref?(row: Row): string;
  /** the row of an id that was just saved; where the page does not show it among the others, it stands above them */
  one?(c: AppContext, id: number): Promise<Row | undefined>;
  /** above the rows, and between them and the link to more */
  above?(found: Found<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  totals?(found: Found<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  /** after all of these, and below what a search replaces */
  after?(found: Found<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  below?: ReactNode;
  /** the sum of the whole list, for its first view */
  whole?(found: Found<Row> & More): ListSum;
  /** where the filter finds nothing, and where there is nothing at all */
  unfound: { title: string | ((query: PageQuery<Filters, Sort>) => string); hint: string; clear?: string };
  /** its `action` is the first thing to do, and then stands nowhere else */
  empty?: Nothing;
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
  const { loadFailed, create, first = 'xlsx', below, controls, unfound } = page;
  const status = refused?.status ?? page.status;
  const options = { title: list.title, actions: create, loadFailed, status };
  const readable = () => renderFilter(c, list, readableListQuery(c, list, pageShape(list)), controls);
  return answerList(c, { ...options, address: fullListAddress(list), filter: readable }, async () => {
    const asked = await readListQuery(c, list);
    const query = withOpeningView(list as List, asked, c.get('today')) as typeof asked;
    if (list.views) await rememberLeft(c, list as List, query);
    const inverted = invertedResults(list, query);
    const search = { ...searchOf(list, query), cursor: query.cursor, limit: rowsOn(query) };
    const found = inverted ? undefined : await page.read(c, search, query);
    const whole = found && !isFiltered(list, query) ? page.whole?.(found) : undefined;
    const isEmpty =
      found?.count === 0 && !isFiltered(list, asked) && (query === asked || (await hasNothing(asked)));
    const empty = isEmpty ? page.empty : undefined;
    // With no rows there is nothing to filter, sum or export; the specification's own screens show it all the same.
    const isBare = empty !== undefined && language() === 'es';
    return renderList(
      c,
      {
        ...options,
        actions: (
          <>
            {page.actions}
            {!isBare && <ExportLinks list={list.page} first={first} query={query} />}
            {!empty && page.also}
            {!empty && create}
          </>
        ),
      },
      {
        views: list.views && !isBare ? () => drawViews(c, list as List, query, whole) : undefined,
        alert: refused ? <Refusal {...refused} action={c.req.path} /> : await page.alert?.(),
        filter: async () => !isBare && renderFilter(c, list, query, controls),
        words: await filterWords(c, list, query),
        results: found ? await results(query, found, empty, isBare) : inverted,
        below,
      },
    );
  });

  /** The view that the list opens on has no rows: nor has the whole list. */
  async function hasNothing(asked: PageQuery<Filters, Sort>): Promise<boolean> {
    return (await page.read(c, { ...searchOf(list, asked), limit: 1 }, asked)).count === 0;
  }

  /** The row that was just saved, where it is not among the rows. */
  async function savedApart(query: PageQuery<Filters, Sort>, rows: readonly Row[]): Promise<Row | undefined> {
    const saved = savedAddress(c);
    const id = Number(saved?.match(/\d+$/)?.[0]);
    const isOfList = page.one && id > 0 && page.rowHref?.({ id } as Row) === saved;
    if (!isOfList || rowsBefore(query) > 0 || rows.some((row) => row.id === id)) return undefined;
    return page.one?.(c, id);
  }

  async function results(
    query: PageQuery<Filters, Sort>,
    found: Found<Row> & More,
    empty: Nothing | undefined,
    isBare: boolean,
  ) {
    const { rows, cursor, count } = found;
    const apart = await savedApart(query, rows);
    const current = { sort: findSort(list, query.sortfield) ?? 'id', direction: query.sorttype ?? 'asc' };
    const sort = (field: Sort) => sortLink(field, current, (by) => listAddress(list, query, by));
    const shown = rowsBefore(query) + rows.length;
    const nothing = empty ?? {
      title: typeof unfound.title === 'string' ? unfound.title : unfound.title(query),
      hint: unfound.hint,
      action: <LinkButton href={fullListAddress(list)}>{unfound.clear ?? 'Quitar filtros'}</LinkButton>,
    };
    return (
      <>
        {page.above?.(found, query)}
        {(count > 0 || apart) && (
          <DataTable
            caption={page.caption ?? list.title}
            className={page.className}
            columns={page.columns(sort, found, query)}
            rows={apart ? [apart, ...rows] : rows}
            rowKey={({ id }) => id}
            rowHref={page.rowHref}
            rowClass={(row) => (row === apart ? 'apart' : undefined)}
          />
        )}
        {count === 0 && (
          <EmptyState title={nothing.title} action={nothing.action}>
            {nothing.hint}
          </EmptyState>
        )}
        {!isBare && page.totals?.(found, query)}
        {count > 0 && (
          <Pager
            shown={shown}
            total={count}
            noun={list.noun}
            href={cursor && listAddress(list, query, { cursor, shown })}
          />
        )}
        {page.after?.(found, query)}
      </>
    );
  }
}
