import type { PlainDate } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { withQuery } from '../../shared/urls.ts';
import { parseQuery } from '../shapes/fields.ts';
import type { List } from './list.ts';
import { type PageQuery, pageShape } from './shapes.ts';

/** A view as a user has it, on one day. */
export interface View {
  name: string;
  label: string;
  /** its filters, by name */
  asked: Readonly<Record<string, string | number>>;
  order: Order;
}

/** As the list's address has it. */
interface Order {
  sortfield?: string;
  sorttype?: 'DESC';
}

/** A filter that a user gave a name; `query` is what the list's address had. */
export interface OwnView {
  name: string;
  query: string;
}

/** What a user left a list with. */
interface Left extends Order {
  view: string;
}

/** Those of the list, then the user's own that it still understands; as of the day that is asked for, where one is. */
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
    order: { sortfield: sort },
  }));
  const others = own.flatMap(({ name, query }) => viewOf(list, name, query) ?? []);
  return [...common, ...others.map((view) => ({ ...view, asked: { ...asOf, ...view.asked } }))];
}

/** As of which day a list is asked for, where that is not now. */
export function dayIn({ asOf }: List, asked: View['asked']): PlainDate | undefined {
  const day = asOf && asked[asOf];
  return day ? String(day) : undefined;
}

/** Nothing where a filter of it is no more. */
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

/** Apart from the names of those that everybody has. */
const ownName = (label: string): string => `:${label}`;

/** What an address asks for, without its place in the list. */
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

/** The view that a filter is, or is narrowed further from; the whole list is only itself. */
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

/** Where the menu leads: the list as it was left. */
export function leftAddress(list: List, views: readonly View[], { view, sortfield, sorttype }: Left): string {
  const left = views.find(({ name }) => name === view);
  return left ? viewAddress(list, { ...left, order: { sortfield, sorttype } }) : list.page;
}
