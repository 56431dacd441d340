import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { z } from 'zod';
import { MAX_SORTED_ROWS, type SortDirection } from '../../../db/paging.ts';
import { formatCount } from '../../../shared/counts.ts';
import { DomainError } from '../../../shared/errors.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { withQuery } from '../../../shared/urls.ts';
import { errorBody, explainError } from '../../http/errors.ts';
import { sendJson, sendMarkup } from '../../http/send.ts';
import type { AppContext } from '../../http/session.ts';
import { type List, resolveSortAlias } from '../../lists/list.ts';
import { parseQuery } from '../../shapes/fields.ts';
import { type PageOptions, renderPage } from '../../shell/render.tsx';
import { type ActiveFilter, ActiveFilters, SearchFailure } from './list-parts.tsx';

/** More rows would make the page too large. */
const ROWS_ON_PAGE = 50;

/**
 * The number of rows on a page. With a cursor, the parameter `shown` is the number of rows before this page. Without
 * one, it is how many rows the reader saw before leaving; script then adds the missing ones (islands/loader/pager.ts).
 */
export const pageSize = ({ limit = ROWS_ON_PAGE }: ListPosition): number => Math.min(limit, ROWS_ON_PAGE);

interface ListPosition {
  cursor?: unknown;
  shown?: number;
  limit?: number;
}

export const countRowsBefore = ({ cursor, shown = 0 }: ListPosition): number => (cursor ? shown : 0);

/** Number of rows printed above these: script appends a fragment to the rows already shown; a full page has none. */
export const countPrintedBefore = (c: AppContext, position: ListPosition): number =>
  isFragmentRequest(c) ? countRowsBefore(position) : 0;

interface ListOptions extends PageOptions {
  /** the specification's message for a list that cannot be shown, in a dialog titled Error!; without it, an alert */
  loadFailed?: string;
}

interface ListContent {
  /** views of the list and of the user; at the top of a page, at the end of a fragment */
  views?: () => Promise<ReactNode>;
  alert?: ReactNode;
  /** The filter is rendered only for a full page. */
  renderFilter: () => Promise<ReactNode>;
  words?: readonly ActiveFilter[];
  /** `words` are exactly the filters of the current view */
  isView?: boolean;
  /** shown only in printouts, above the results */
  printed?: ReactNode;
  /** what a new search replaces: rows, totals and pager */
  results: ReactNode;
  /** shown below the results, and not replaced by a search */
  below?: ReactNode;
  problem?: string;
}

/** Renders only the results if script requests just those. */
export async function renderListOrFragment(
  c: AppContext,
  { loadFailed, ...options }: ListOptions,
  { views, alert, renderFilter, words, isView = false, printed, results, below, problem }: ListContent,
): Promise<Response> {
  const region = (
    <div id="results">
      {printed}
      {words && <ActiveFilters c={c} activeFilters={words} isView={isView} />}
      {results}
    </div>
  );
  if (isFragmentRequest(c)) {
    const includesViews = c.req.header(FRAGMENT_HEADER)?.endsWith(' views');
    const viewsMarkup = includesViews && (await views?.());
    return sendMarkup(
      c,
      renderToStaticMarkup(
        <>
          {region}
          {viewsMarkup}
        </>,
      ),
    );
  }
  const [viewLinks, filter] = await Promise.all([views?.(), renderFilter()]);
  return renderPage(
    c,
    { ...options, showsOwnTime: words !== undefined },
    <>
      {viewLinks}
      {alert}
      {filter}
      <SearchFailure loadFailed={loadFailed} message={problem} />
      {region}
      {below}
    </>,
  );
}

interface ListErrorOptions extends ListOptions {
  address: string;
  filter?: () => Promise<ReactNode>;
}

/** Answers an error with the filter and a link to the full list, or with JSON if script asked. */
export async function showListOrError(
  c: AppContext,
  { address, filter, ...options }: ListErrorOptions,
  render: () => Promise<Response>,
): Promise<Response> {
  try {
    return await render();
  } catch (error) {
    if (error instanceof DomainError && ['unauthenticated', 'forbidden'].includes(error.kind)) throw error;
    const { problem, status } = explainError(c, error, options.loadFailed);
    if (isFragmentRequest(c)) return sendJson(c, errorBody(problem), status);
    return renderListOrFragment(
      c,
      { ...options, status },
      {
        // The filter may fail for the same reason, and is left out then.
        renderFilter: async () => filter?.().catch(() => null),
        problem: problem.message,
        results: <LinkButton href={address}>Ver la lista completa</LinkButton>,
      },
    );
  }
}

/** Header of requests by script. `results`: answer only the results; `results views`: also the views. */
const FRAGMENT_HEADER = 'x-fragment';

const isFragmentRequest = (c: AppContext) => c.req.header(FRAGMENT_HEADER)?.startsWith('results') ?? false;

/** Parses the parameters of a page; unknown ones, from old bookmarks and trackers, are ignored. */
export function parseListQuery<S extends z.ZodObject>(c: AppContext, shape: S): z.output<S> {
  return parseQuery(shape, pickKnownParameters(c, shape));
}

export function readValidQuery<S extends z.ZodObject>(c: AppContext, shape: S): z.output<S> {
  const readable = Object.entries(pickKnownParameters(c, shape)).filter(([name, values]) => {
    try {
      parseQuery(shape, { [name]: values });
      return true;
    } catch {
      return false;
    }
  });
  return parseQuery(shape, Object.fromEntries(readable));
}

const pickKnownParameters = (c: AppContext, shape: z.ZodObject) =>
  Object.fromEntries(Object.entries(c.req.queries()).filter(([name]) => Object.hasOwn(shape.shape, name)));

type ListWithSorts = Pick<List, 'page' | 'sorts'> &
  Partial<Pick<List, 'sortAliases' | 'indexedSorts' | 'newestFirst'>>;

interface Order {
  sortfield?: string;
  sorttype?: SortDirection;
}

/** @param count number of rows that the filter finds */
export function addSortLinks<Row>(
  columns: readonly Column<Row>[],
  list: ListWithSorts,
  count: number,
  query: Order,
): Column<Row>[] {
  const { sortfield, sorttype = !sortfield && list.newestFirst ? 'desc' : 'asc' } = query;
  const current = resolveSortAlias(list, sortfield) ?? 'id';
  return columns.map((column) => {
    const field = resolveSortAlias(list, column.key)!;
    if (!Object.hasOwn(list.sorts, field)) return column;
    if (count > MAX_SORTED_ROWS && list.indexedSorts && !list.indexedSorts.includes(field))
      return { ...column, note: `se ordena hasta ${formatCount(MAX_SORTED_ROWS)}` };
    const direction = field === current ? sorttype : undefined;
    const order = { sortfield: field, sorttype: direction === 'asc' ? 'DESC' : undefined };
    return { ...column, sort: { href: listHref(list, query, order), direction } };
  });
}

export function listHref(
  { page }: Pick<List, 'page'>,
  requested: object,
  changedParameters: Record<string, string | number | undefined> = {},
): string {
  const {
    sorttype,
    cursor: _cursor,
    shown: _shown,
    ...filter
  } = requested as Parameters<typeof withQuery>[1];
  return withQuery(page, {
    ...filter,
    sorttype: sorttype === 'desc' ? 'DESC' : undefined,
    ...changedParameters,
  });
}
