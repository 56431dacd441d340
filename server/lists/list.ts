import type { SortDirection } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Area } from '../../shared/roles.ts';
import type { AppliedFilter, PartialListExport } from '../formats/sheets/sheet.ts';
import type { Filter, FilterValues } from './filter.ts';

/** The definition of a list. Page, API, exports, command line, menu, help and access rules derive from it. */
export interface List<Filters extends readonly Filter[] = readonly Filter[], Sort extends string = string> {
  title: string;
  noun: readonly [one: string, many: string];
  page: string;
  area: Area;
  help: string;
  menu?: { label: string; icon: string; place: number };
  filters: Filters;
  /** Filters that come first on the page, among the command's options, or in the words of exported files. */
  leadingFilters?: Partial<Record<'page' | 'command' | 'words', readonly Filters[number]['name'][]>>;
  /** filters whose controls are always visible; the others are under "Más filtros"; absent: all are visible */
  alwaysVisible?: readonly Filters[number]['name'][];
  /** the columns to sort by, with their names on the page; empty where the order is fixed */
  sorts: Readonly<Record<Sort, string>>;
  /** sorts with an index; others are refused for more than MAX_SORTED_ROWS rows. Absent: the list never has so many */
  indexedSorts?: readonly Sort[];
  newestFirst?: true;
  /** sorts offered only in a column's heading and not in the select next to the filter, as the column may be hidden */
  headingSorts?: readonly Sort[];
  sortAliases?: Readonly<Record<string, Sort>>;
  sortDescription?: string;
  /** view and order with which the list opens on Spanish screens; otherwise it shows all rows by id (specification) */
  openingView?: { view?: string; sort: Sort; newestFirst?: true };
  /** the filter that shows everything as of a day, which is kept when the view changes */
  asOf?: Filters[number]['name'];
  /** a filter that cannot be as of an earlier day; views with it are left out where the list is */
  currentOnlyFilter?: Readonly<Record<string, string>>;
  /** links above the filter for frequent questions; the first one shows all rows */
  views?: readonly ListView<Filters, Sort>[];
  /** @returns undefined where counting would take long */
  sum?(filter: FilterValues<Filters>, context: ListContext): Promise<ListSum | undefined>;
  command: { name: string; description: string; otherFormats?: readonly ['hledger'] };
  /** fills in defaults, for lists where a filter that is not set does not mean all rows */
  completeFilter?(filter: FilterValues<Filters>, today: PlainDate): FilterValues<Filters>;
  readExport(query: ListQuery<Filters, Sort>, context: ReadContext): Promise<PartialListExport<unknown>>;
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
  /** says which rows of the view neither `count` nor `cents` includes */
  note?: string;
}

export type ListQuery<
  Filters extends readonly Filter[],
  Sort extends string = string,
> = FilterValues<Filters> & {
  sort?: Sort;
  direction?: SortDirection;
  limit?: number;
  cursor?: string;
};

export interface ReadContext extends ListContext {
  appliedFilters: readonly AppliedFilter[];
}

export interface ListContext {
  db: Db;
  today: PlainDate;
  timeZone: string;
  now: Date;
}

export function orderFilters(
  { filters, leadingFilters }: Pick<List, 'filters' | 'leadingFilters'>,
  target: 'page' | 'command' | 'words',
): Filter[] {
  const names = leadingFilters?.[target] ?? [];
  const rankOfFilter = ({ name }: Filter) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...filters].sort((one, other) => rankOfFilter(one) - rankOfFilter(other));
}

export const resolveSortAlias = <Sort extends string>(
  { sortAliases = {} }: Pick<List<readonly Filter[], Sort>, 'sortAliases'>,
  sortfield: string | undefined,
): Sort | undefined =>
  sortfield === undefined ? undefined : (sortAliases[sortfield] ?? (sortfield as Sort));
