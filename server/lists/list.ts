import type { Direction } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Area } from '../../shared/roles.ts';
import type { FilterFact, ListRows } from '../formats/sheets/sheet.ts';
import type { Asked, Filter } from './filter.ts';

/**
 * A list or a report, as plain data with one function: what page, API, exports, command line, menu, help and
 * access rules say of it, they read here. What a page alone has (its table, its own controls) is written there.
 */
export interface List<Filters extends readonly Filter[] = readonly Filter[], Sort extends string = string> {
  /** of its exports, and where it has one word of its page */
  title: string;
  /** one of its rows and several: "factura", "facturas" */
  noun: readonly [one: string, many: string];
  /** its address; the exports stand below it */
  page: string;
  area: Area;
  /** the page of the guide about it: "/help/facturas" */
  help: string;
  /** a report's entry in the menu, and its place among them */
  menu?: { label: string; icon: string; place: number };
  /** in the order of the API's document */
  filters: Filters;
  /** filters that come first on the page, among the options, in the words of a file; the others follow in their order */
  first?: Partial<Record<'page' | 'command' | 'words', readonly Filters[number]['name'][]>>;
  /** the controls in sight above it, the others being behind "Más filtros"; all where it has few */
  inSight?: readonly Filters[number]['name'][];
  /** what it may be sorted by, and what the page calls that; empty where its order is its own */
  sorts: Readonly<Record<Sort, string>>;
  /** names by which a sort is asked for too */
  otherSorts?: Readonly<Record<string, Sort>>;
  sortSays?: string;
  /** the filter by which all of it is as of a day, its views then too */
  asOf?: Filters[number]['name'];
  /** what is often asked of it, the whole list first: links above its filter */
  views?: readonly ListView<Filters, Sort>[];
  /** how many rows an answer has, and the money that they stand for; nothing where that would take long */
  sum?(asked: Asked<Filters>, around: Surroundings): Promise<ListSum | undefined>;
  /** `saldo export {name}`, and what that exports */
  command: { name: string; says: string };
  /** says what was left open, where that is not everything */
  complete?(asked: Asked<Filters>, today: PlainDate): Asked<Filters>;
  read(asked: AskedOf<Filters, Sort>, given: Given): Promise<ListRows<unknown>>;
}

/** A filter with a name, in the order in which it is read. */
interface ListView<Filters extends readonly Filter[], Sort extends string> {
  /** stored as what a user left the list with */
  name: string;
  label: string;
  asked(today: PlainDate): Asked<Filters>;
  sort: Sort;
}

export interface ListSum {
  count: number;
  cents: Cents;
}

/** Filters, order, and where less than the whole is wanted the part. */
export type AskedOf<Filters extends readonly Filter[], Sort extends string = string> = Asked<Filters> & {
  sort?: Sort;
  direction?: Direction;
  limit?: number;
  cursor?: string;
};

/** What reading a list takes beside what is asked of it. */
export interface Given extends Surroundings {
  /** what is asked, in words */
  facts: readonly FilterFact[];
}

export interface Surroundings {
  db: Db;
  today: PlainDate;
  timeZone: string;
  now: Date;
}

/** The filters in the order of one reader. */
export function filtersFor(
  { filters, first }: Pick<List, 'filters' | 'first'>,
  reader: 'page' | 'command' | 'words',
): Filter[] {
  const names = first?.[reader] ?? [];
  const placeOf = ({ name }: Filter) => (names.includes(name) ? names.indexOf(name) : names.length);
  return [...filters].sort((one, other) => placeOf(one) - placeOf(other));
}

/** The sort by its own name, also where it was asked for by another. */
export const sortOf = <Sort extends string>(
  { otherSorts = {} }: Pick<List<readonly Filter[], Sort>, 'otherSorts'>,
  asked: string | undefined,
): Sort | undefined => (asked === undefined ? undefined : (otherSorts[asked] ?? (asked as Sort)));
