import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { language } from '../../shared/language.ts';
import { withQuery } from '../../shared/urls.ts';
import { parseQuery } from '../shapes/fields.ts';
import type { List } from './list.ts';
import { type PageQuery, pageShape } from './shapes.ts';

export interface View {
  name: string;
  label: string;
  asked: Readonly<Record<string, string | number>>;
  order: Order;
}

interface Order {
  sortfield?: string;
  sorttype?: 'DESC';
}

/** A filter that a user named; `query` is from the list's address. */
export interface OwnView {
  name: string;
  query: string;
}

interface Left extends Order {
  view: string;
}

/** The list's own views come first, then the user's that it still understands. */
export function viewsOf(
  list: List,
  own: readonly OwnView[],
  today: PlainDate,
  asked: View['asked'] = {},
): View[] {
  const day = dayIn(list, asked);
  const asOf: View['asked'] = day === undefined ? {} : { [list.asOf!]: day };
  const common = (list.views ?? []).map(({ name, label, asked: ask, sort }) => ({
    name,
    label,
    asked: { ...asFilter(ask(day ?? today)), ...asOf },
    order: orderOf(list, sort),
  }));
  const others = own.flatMap(({ name, query }) => viewOf(list, name, query) ?? []);
  return [...common, ...others.map((view) => ({ ...view, asked: { ...asOf, ...view.asked } }))];
}

/** A view's order, or that of a filter without one. In Spanish the list's opening order replaces the order by id. */
function orderOf({ opens }: Pick<List, 'opens'>, sort = 'id'): Order {
  if (language() !== 'es' || !opens || (sort !== 'id' && sort !== opens.sort)) return { sortfield: sort };
  return { sortfield: opens.sort, sorttype: opens.newestFirst && 'DESC' };
}

/** Without an order an address gets the list's opening order, and without anything the opening view's filter too. */
export function openedWith(list: List, read: object, today: PlainDate): object {
  const { asked, order } = splitQuery(read);
  if (language() !== 'es' || !list.opens || order.sortfield || order.sorttype) return read;
  const views = viewsOf(list, [], today, asked);
  const isBare = Object.keys(asked).length === 0;
  const view = isBare ? views.find(({ name }) => name === list.opens?.view) : viewIn(list, views, asked);
  const { sortfield, sorttype } = view?.order ?? orderOf(list);
  return { ...read, ...(isBare && view?.asked), sortfield, sorttype: sorttype && 'desc' };
}

/** Shows all rows, even where the list's plain address opens a view. */
export const wholeAddress = (list: Pick<List, 'page' | 'opens'>): string =>
  language() === 'es' && list.opens?.view
    ? viewAddress(list, { asked: {}, order: orderOf(list) })
    : list.page;

export function dayIn({ asOf }: List, asked: View['asked']): PlainDate | undefined {
  const day = asOf && asked[asOf];
  return day ? String(day) : undefined;
}

/** @returns nothing where the list no longer has one of its filters */
function viewOf(list: List, label: string, query: string): View | undefined {
  try {
    const values = Object.entries(Object.fromEntries(new URLSearchParams(query)));
    const read = parseQuery(pageShape(list), Object.fromEntries(values.map(([name, one]) => [name, [one]])));
    return { name: ownName(label), label, ...splitQuery(read) };
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** A colon keeps it apart from the names of the list's own views. */
const ownName = (label: string): string => `:${label}`;

export function splitQuery(read: object): Pick<View, 'asked' | 'order'> {
  const { sortfield, sorttype, cursor: _, shown: __, limit: ___, ...asked } = read as PageQuery<[], string>;
  return { asked: asFilter(asked), order: { sortfield, sorttype: sorttype === 'desc' ? 'DESC' : undefined } };
}

const asFilter = (asked: object): View['asked'] =>
  Object.fromEntries(
    Object.entries(asked).filter(([, value]) => value !== undefined && value !== null && value !== ''),
  );

export const viewAddress = ({ page }: Pick<List, 'page'>, { asked, order }: Pick<View, 'asked' | 'order'>) =>
  withQuery(page, { ...asked, ...order });

/** A filter may narrow a view further; the whole list contains no other view. */
export function viewIn(
  { asOf }: Pick<List, 'asOf'>,
  views: readonly View[],
  asked: View['asked'],
): View | undefined {
  const isPart = (view: View) =>
    Object.entries(view.asked).every(([name, value]) => String(asked[name]) === String(value));
  const sizeOf = (view: Pick<View, 'asked'>) =>
    Object.keys(view.asked).filter((name) => name !== asOf).length;
  const whole = sizeOf({ asked }) === 0;
  return views
    .filter((view) => whole === (sizeOf(view) === 0) && isPart(view))
    .reduce<View | undefined>(
      (best, view) => (best && sizeOf(best) >= sizeOf(view) ? best : view),
      undefined,
    );
}

export function leftAddress(list: List, views: readonly View[], { view, sortfield, sorttype }: Left): string {
  const left = views.find(({ name }) => name === view);
  return left ? viewAddress(list, { ...left, order: { sortfield, sorttype } }) : list.page;
}
