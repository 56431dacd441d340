import type { ReactNode } from 'react';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { Pager } from '../../../shared/ui/Pager.tsx';
import type { AppContext } from '../../http/session.ts';
import type { Filter } from '../../lists/filter.ts';
import { type List, sortOf } from '../../lists/list.ts';
import type { PageQuery } from '../../lists/shapes.ts';
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

type Search<Filters extends readonly Filter[], Sort extends string> = ReturnType<
  typeof searchOf<Filters, Sort>
> & { limit: number; cursor?: string };

/** A page of a list's rows, and what all rows of its filter come to. */
export interface Found<Row> {
  rows: readonly Row[];
  cursor?: string;
  count: number;
}

interface Nothing {
  title: string;
  hint: string;
}

/** What the page of a list has beside its definition. */
export interface ListPage<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
> {
  /** what is counted: "factura", "facturas" */
  noun: readonly [one: string, many: string];
  /** of the table, where that is not the list's title */
  caption?: string;
  className?: string;
  /** buttons before "Exportar" and after it; `create` stands also above a list that can't be shown */
  actions?: ReactNode;
  also?: ReactNode;
  create?: ReactNode;
  read(c: AppContext, search: Search<Filters, Sort>): Promise<Found<Row> & More>;
  columns(
    sort: (field: Sort) => Column<Row>['sort'],
    found: Found<Row> & More,
    query: PageQuery<Filters, Sort>,
  ): readonly Column<Row>[];
  rowHref(row: Row): string;
  /** under the rows */
  totals?(found: Found<Row> & More, query: PageQuery<Filters, Sort>): ReactNode;
  /** where the filter finds nothing, and where there is nothing at all */
  unfound: Nothing;
  empty: Nothing & { action: ReactNode };
}

/** The page of a list: its filter, its rows, what they come to, and the way to more of them. */
export function showList<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
>(c: AppContext, list: List<Filters, Sort>, page: ListPage<Filters, Sort, Row, More>): Promise<Response> {
  const options = { title: list.title, actions: page.create };
  const filter = () => renderFilter(c, list, readableListQuery(c, list));
  return answerList(c, { ...options, address: list.page, filter }, async () => {
    const query = await readListQuery(c, list);
    const actions = (
      <>
        {page.actions}
        <ExportLinks list={list.page} first="xlsx" query={query} />
        {page.also}
        {page.create}
      </>
    );
    return renderList(
      c,
      { ...options, actions },
      {
        filter: () => renderFilter(c, list, query),
        words: await filterWords(c, list, query),
        results: invertedResults(list, query) ?? (await renderRows(c, list, page, query)),
      },
    );
  });
}

async function renderRows<
  Filters extends readonly Filter[],
  Sort extends string,
  Row extends { id: number },
  More extends object,
>(
  c: AppContext,
  list: List<Filters, Sort>,
  page: ListPage<Filters, Sort, Row, More>,
  query: PageQuery<Filters, Sort>,
) {
  const found = await page.read(c, { ...searchOf(list, query), cursor: query.cursor, limit: rowsOn(query) });
  if (found.count === 0) {
    const { title, hint, action } = isFiltered(list, query)
      ? { ...page.unfound, action: <LinkButton href={list.page}>Quitar filtros</LinkButton> }
      : page.empty;
    return (
      <EmptyState title={title} action={action}>
        {hint}
      </EmptyState>
    );
  }
  const current = { sort: sortOf(list, query.sortfield) ?? 'id', direction: query.sorttype ?? 'asc' };
  const sort = (field: Sort) => sortLink(field, current, (by) => listAddress(list, query, by));
  const shown = rowsBefore(query) + found.rows.length;
  return (
    <>
      <DataTable
        caption={page.caption ?? list.title}
        className={page.className}
        columns={page.columns(sort, found, query)}
        rows={found.rows}
        rowKey={({ id }) => id}
        rowHref={page.rowHref}
      />
      {page.totals?.(found, query)}
      <Pager
        shown={shown}
        total={found.count}
        noun={page.noun[found.count === 1 ? 0 : 1]}
        href={found.cursor && listAddress(list, query, { cursor: found.cursor, shown })}
      />
    </>
  );
}
