import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import type { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import type { Column } from '../../../shared/ui/DataTable.tsx';
import { errorBody, explain } from '../../http/errors.ts';
import type { AppContext } from '../../http/session.ts';
import { parseQuery } from '../../shapes/fields.ts';
import { type PageOptions, renderPage, sendMarkup } from '../../shell/render.tsx';
import { type FilterWord, FilterWords, SearchFailure } from './list-parts.tsx';

/** Of rows as long as these can be, more would not fit on a page. */
const ROWS_ON_PAGE = 50;

/**
 * The number of rows on a page. With a cursor `shown` is the number of those before it; without one it is the number
 * that showed when the reader left, and script adds the rest of them (islands/loader/pager.ts).
 */
export const rowsOn = ({ limit = ROWS_ON_PAGE }: Place): number => Math.min(limit, ROWS_ON_PAGE);

interface Place {
  cursor?: unknown;
  shown?: number;
  limit?: number;
}

export const rowsBefore = ({ cursor, shown = 0 }: Place): number => (cursor ? shown : 0);

interface ListOptions extends PageOptions {
  /** where the list can't be shown: a dialog titled Error! says so, or this; an alert in other lists */
  loadFailed?: string;
}

interface ListParts {
  /** its views and the user's own: above all else, or with the results of another filter below them */
  views?: () => Promise<ReactNode>;
  alert?: ReactNode;
  /** made only for a whole page */
  filter: () => Promise<ReactNode>;
  words?: readonly FilterWord[];
  /** rows, totals and pager: all that a new search replaces */
  results: ReactNode;
  /** under them, and left alone by a search */
  below?: ReactNode;
  /** why there is nothing else to show */
  problem?: string;
}

/** A list's page, or its results alone where script asks for no more. */
export async function renderList(
  c: AppContext,
  { loadFailed, ...options }: ListOptions,
  { views, alert, filter, words, results, below, problem }: ListParts,
): Promise<Response> {
  const region = (
    <div id="results">
      {words && <FilterWords c={c} words={words} />}
      {results}
    </div>
  );
  if (isFragment(c)) {
    const isOfOther = c.req.header(FRAGMENT)?.endsWith(' views');
    const above = isOfOther && (await views?.());
    return sendMarkup(
      c,
      renderToStaticMarkup(
        <>
          {region}
          {above}
        </>,
      ),
    );
  }
  return renderPage(
    c,
    options,
    <>
      {await views?.()}
      {alert}
      {await filter()}
      <SearchFailure loadFailed={loadFailed} message={problem} />
      {region}
      {below}
    </>,
  );
}

interface Fallback extends ListOptions {
  address: string;
  /** with what of the address can be read */
  filter?: () => Promise<ReactNode>;
}

/** A list that can't be shown says why, with its filter and the way to the whole list; to script it says so as JSON. */
export async function answerList(
  c: AppContext,
  { address, filter, ...options }: Fallback,
  show: () => Promise<Response>,
): Promise<Response> {
  try {
    return await show();
  } catch (error) {
    if (error instanceof DomainError && ['unauthenticated', 'forbidden'].includes(error.kind)) throw error;
    const { problem, status } = explain(c, error, options.loadFailed);
    if (isFragment(c)) return c.json(errorBody(problem), status);
    return renderList(
      c,
      { ...options, status },
      {
        // The filter may fail for the same reason; the page is then without it.
        filter: async () => filter?.().catch(() => null),
        problem: problem.message,
        results: <LinkButton href={address}>Ver la lista completa</LinkButton>,
      },
    );
  }
}

/** "results", for more rows of the same; "results views" for another filter, with what stands above it. */
const FRAGMENT = 'x-fragment';

const isFragment = (c: AppContext) => c.req.header(FRAGMENT)?.startsWith('results') ?? false;

/** The page's parameters; what the list does not know is left out, as old bookmarks and trackers bring it. */
export function parseListQuery<S extends z.ZodObject>(c: AppContext, shape: S): z.output<S> {
  return parseQuery(shape, knownOf(c, shape));
}

/** The parameters that can be read, for the filter of a page that can't be shown. */
export function readableQuery<S extends z.ZodObject>(c: AppContext, shape: S): z.output<S> {
  const readable = Object.entries(knownOf(c, shape)).filter(([name, values]) => {
    try {
      parseQuery(shape, { [name]: values });
      return true;
    } catch {
      return false;
    }
  });
  return parseQuery(shape, Object.fromEntries(readable));
}

const knownOf = (c: AppContext, shape: z.ZodObject) =>
  Object.fromEntries(Object.entries(c.req.queries()).filter(([name]) => Object.hasOwn(shape.shape, name)));

/** The header's link: by this column, or the other way round where the list is sorted by it already. */
export function sortLink(
  field: string,
  current: { sort: string; direction: 'asc' | 'desc' },
  addressOf: (sort: { sortfield: string; sorttype?: 'DESC' }) => string,
): Column<unknown>['sort'] {
  const isCurrent = current.sort === field;
  const descends = isCurrent && current.direction === 'asc';
  return {
    href: addressOf({ sortfield: field, sorttype: descends ? 'DESC' : undefined }),
    direction: isCurrent ? current.direction : undefined,
  };
}
