import type { Direction } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Area } from '../../shared/roles.ts';
import type { FilterFact, ListRows } from '../formats/sheets/sheet.ts';
import type { Filter, FilterValues } from './filter.ts';

/** Plain data with one function, which page, API, exports, command line, menu, help and access rules read. */
export interface List<Filters extends readonly Filter[] = readonly Filter[], Sort extends string = string> {
  title: string;
  noun: readonly [one: string, many: string];
  page: string;
  area: Area;
  help: string;
  menu?: { label: string; icon: string; place: number };
  filters: Filters;
  /** filters that come first on the page, among the options, or in the words of a file; the others keep their order */
  first?: Partial<Record<'page' | 'command' | 'words', readonly Filters[number]['name'][]>>;
  /** the controls always in sight, the others being behind "Más filtros"; all where there are few */
  inSight?: readonly Filters[number]['name'][];
  /** what it may be sorted by, with the page's names; empty for a fixed order */
  sorts: Readonly<Record<Sort, string>>;
  /** its page is paged although its order is fixed */
  isPaged?: true;
  otherSorts?: Readonly<Record<string, Sort>>;
  sortDescription?: string;
  /** where the screen is Spanish it opens with a view, and in this order; else whole and by id (specification) */
  opens?: { view?: string; sort: Sort; newestFirst?: true };
  /** the filter that makes everything as of a day, its views too */
  asOf?: Filters[number]['name'];
  /** frequent questions, the whole list first: links above the filter */
  views?: readonly ListView<Filters, Sort>[];
  /** undefined where counting would take long */
  sum?(sortfield: FilterValues<Filters>, context: ListContext): Promise<ListSum | undefined>;
  command: { name: string; description: string };
  /** fills in filters left open, where that does not mean everything */
  completeFilter?(sortfield: FilterValues<Filters>, today: PlainDate): FilterValues<Filters>;
  read(sortfield: ListQuery<Filters, Sort>, context: ReadContext): Promise<ListRows<unknown>>;
}

interface ListView<Filters extends readonly Filter[], Sort extends string> {
  name: string;
  label: string;
  filter(today: PlainDate): FilterValues<Filters>;
  sort: Sort;
}

export interface ListSum {
  count: number;
  cents: Cents;
}

export type ListQuery<
  Filters extends readonly Filter[],
  Sort extends string = string,
> = FilterValues<Filters> & {
  sort?: Sort;
  direction?: Direction;
  limit?: number;
  cursor?: string;
};

export interface ReadContext extends ListContext {
  facts: readonly FilterFact[];
}

export interface ListContext {
  db: Db;
  today: PlainDate;
  timeZone: string;
  now: Date;
}

export function filtersFor(
  { filters, first }: Pick<List, 'filters' | 'first'>,
  reader: 'page' | 'command' | 'words',
): Filter[] {
  const names = first?.[reader] ?? [];
  const indexOf = ({ name }: Filter) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...filters].sort((one, other) => indexOf(one) - indexOf(other));
}

export const findSort = <Sort extends string>(
  { otherSorts = {} }: Pick<List<readonly Filter[], Sort>, 'otherSorts'>,
  sortfield: string | undefined,
): Sort | undefined => (sortfield === undefined ? undefined : (otherSorts[sortfield] ?? (sortfield as Sort)));
