import type { Direction } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Area } from '../../shared/roles.ts';
import type { FilterFact, ListRows } from '../formats/sheets/sheet.ts';
import type { Asked, Filter } from './filter.ts';

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
  sortSays?: string;
  /** where the screen is Spanish it opens with a view, and in this order; else whole and by id (specification) */
  opens?: { view?: string; sort: Sort; newestFirst?: true };
  /** the filter that makes everything as of a day, its views too */
  asOf?: Filters[number]['name'];
  /** frequent questions, the whole list first: links above the filter */
  views?: readonly ListView<Filters, Sort>[];
  /** undefined where counting would take long */
  sum?(asked: Asked<Filters>, around: Surroundings): Promise<ListSum | undefined>;
  command: { name: string; says: string };
  /** fills in filters left open, where that does not mean everything */
  complete?(asked: Asked<Filters>, today: PlainDate): Asked<Filters>;
  read(asked: AskedOf<Filters, Sort>, given: Given): Promise<ListRows<unknown>>;
}

interface ListView<Filters extends readonly Filter[], Sort extends string> {
  name: string;
  label: string;
  asked(today: PlainDate): Asked<Filters>;
  sort: Sort;
}

export interface ListSum {
  count: number;
  cents: Cents;
}

export type AskedOf<Filters extends readonly Filter[], Sort extends string = string> = Asked<Filters> & {
  sort?: Sort;
  direction?: Direction;
  limit?: number;
  cursor?: string;
};

export interface Given extends Surroundings {
  facts: readonly FilterFact[];
}

export interface Surroundings {
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
  const placeOf = ({ name }: Filter) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...filters].sort((one, other) => placeOf(one) - placeOf(other));
}

export const sortOf = <Sort extends string>(
  { otherSorts = {} }: Pick<List<readonly Filter[], Sort>, 'otherSorts'>,
  asked: string | undefined,
): Sort | undefined => (asked === undefined ? undefined : (otherSorts[asked] ?? (asked as Sort)));
