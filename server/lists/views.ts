import type { PlainDate } from '../../shared/dates.ts';
import { catchDomainError } from '../../shared/errors.ts';
import { currentLanguage } from '../../shared/language.ts';
import { withQuery } from '../../shared/urls.ts';
import { parseQuery } from '../shapes/fields.ts';
import type { List } from './list.ts';
import { getPageShape, type PageQuery } from './query-shapes.ts';

export interface View {
  name: string;
  label: string;
  filter: Readonly<Record<string, string | number>>;
  order: ViewOrder;
}

interface ViewOrder {
  sortfield?: string;
  sorttype?: 'DESC';
}

/** A filter that a user saved under a name; `query` is the query string of the list's address. */
export interface UserView {
  name: string;
  query: string;
}

interface LastView extends ViewOrder {
  view: string;
}

/** Returns the list's views, then the user's, except those whose filters no longer exist. */
export function listViews(
  list: List,
  userViews: readonly UserView[],
  today: PlainDate,
  filter: View['filter'] = {},
): View[] {
  const day = readAsOfDay(list, filter);
  const asOf: View['filter'] = day === undefined ? {} : { [list.asOf!]: day };
  const ownViews = (list.views ?? []).map(({ name, label, filter: filterFor, sort }) => ({
    name,
    label,
    filter: { ...dropEmptyValues(filterFor(day ?? today)), ...asOf },
    order: resolveOrder(list, sort),
  }));
  const restored = userViews.flatMap(({ name, query }) => parseUserView(list, name, query) ?? []);
  const views = [...ownViews, ...restored.map((view) => ({ ...view, filter: { ...asOf, ...view.filter } }))];
  return views.filter((view) => !(readAsOfDay(list, view.filter) && hasCurrentOnlyFilter(list, view.filter)));
}

const hasCurrentOnlyFilter = ({ currentOnlyFilter = {} }: List, filter: View['filter']): boolean =>
  Object.entries(currentOnlyFilter).some(([name, value]) => filter[name] === value);

/** The order of a view, or of a filter alone. On Spanish screens the list's opening order replaces the order by id. */
function resolveOrder({ openingView }: Pick<List, 'openingView'>, sort = 'id'): ViewOrder {
  if (currentLanguage() !== 'es' || !openingView || (sort !== 'id' && sort !== openingView.sort))
    return { sortfield: sort };
  return { sortfield: openingView.sort, sorttype: openingView.newestFirst && 'DESC' };
}

/** Adds the opening order to a query without an order, and the opening view's filter to an empty query. */
export function applyOpeningView(list: List, query: object, today: PlainDate): object {
  const { filter, order } = splitFilterAndOrder(query);
  if (currentLanguage() !== 'es' || !list.openingView || order.sortfield || order.sorttype) return query;
  const views = listViews(list, [], today, filter);
  const isBare = Object.keys(filter).length === 0;
  const view = isBare
    ? views.find(({ name }) => name === list.openingView?.view)
    : findView(list, views, filter);
  const { sortfield, sorttype } = view?.order ?? resolveOrder(list);
  return { ...query, ...(isBare && view?.filter), sortfield, sorttype: sorttype && 'desc' };
}

/** The address that shows all rows, even where the list's plain address opens a view. */
export const fullListHref = (list: Pick<List, 'page' | 'openingView'>): string =>
  currentLanguage() === 'es' && list.openingView?.view
    ? viewHref(list, { filter: {}, order: resolveOrder(list) })
    : list.page;

export function readAsOfDay({ asOf }: List, filter: View['filter']): PlainDate | undefined {
  const day = asOf && filter[asOf];
  return day ? String(day) : undefined;
}

function parseUserView(list: List, label: string, query: string): View | undefined {
  return catchDomainError(() => {
    const values = Object.entries(Object.fromEntries(new URLSearchParams(query)));
    const read = parseQuery(
      getPageShape(list),
      Object.fromEntries(values.map(([name, one]) => [name, [one]])),
    );
    return { name: prefixUserViewName(label), label, ...splitFilterAndOrder(read) };
  });
}

/** The colon distinguishes a user's view from the list's own views. */
const prefixUserViewName = (label: string): string => `:${label}`;

export function splitFilterAndOrder(query: object): Pick<View, 'filter' | 'order'> {
  const { sortfield, sorttype, cursor: _, shown: __, limit: ___, ...filter } = query as PageQuery<[], string>;
  return {
    filter: dropEmptyValues(filter),
    order: { sortfield, sorttype: sorttype === 'desc' ? 'DESC' : undefined },
  };
}

const dropEmptyValues = (filter: object): View['filter'] =>
  Object.fromEntries(
    Object.entries(filter).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );

export const viewHref = ({ page }: Pick<List, 'page'>, { filter, order }: Pick<View, 'filter' | 'order'>) =>
  withQuery(page, { ...filter, ...order });

/**
 * Finds the view that has the most filters in common with `filter`, and none that `filter` lacks. An empty `filter`
 * finds only the view of all rows.
 */
export function findView(
  { asOf }: Pick<List, 'asOf'>,
  views: readonly View[],
  filter: View['filter'],
): View | undefined {
  const isContained = (view: View) =>
    Object.entries(view.filter).every(([name, value]) => String(filter[name]) === String(value));
  const countFilters = (view: Pick<View, 'filter'>) =>
    Object.keys(view.filter).filter((name) => name !== asOf).length;
  const isFullList = countFilters({ filter }) === 0;
  return views
    .filter((view) => isFullList === (countFilters(view) === 0) && isContained(view))
    .reduce<View | undefined>(
      (best, view) => (best && countFilters(best) >= countFilters(view) ? best : view),
      undefined,
    );
}

export function findExactViewName(list: List, query: object, today: PlainDate): string | undefined {
  const { filter } = splitFilterAndOrder(query);
  const view = findView(list, listViews(list, [], today, filter), filter);
  return view && Object.keys(view.filter).length === Object.keys(filter).length ? view.name : undefined;
}

export function lastViewHref(
  list: List,
  views: readonly View[],
  { view, sortfield, sorttype }: LastView,
): string {
  const lastView = views.find(({ name }) => name === view);
  return lastView ? viewHref(list, { ...lastView, order: { sortfield, sorttype } }) : list.page;
}
