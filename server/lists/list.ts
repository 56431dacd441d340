import type { Direction } from '../../db/paging.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import type { Area } from '../../shared/roles.ts';
import type { FilterFact, ListRows } from '../formats/sheets/sheet.ts';
import type { Asked, Filter } from './filter.ts';

/**
 * A list or a report, as plain data with one function: page, API, exports, command line, menu, help and access rules
 * read it here. A page's own table and controls are written there.
 */
export interface List<Filters extends readonly Filter[] = readonly Filter[], Sort extends string = string> {
  title: string;
  /** one of its rows and several: "factura", "facturas" */
  noun: readonly [one: string, many: string];
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
  /** its page shows it in parts although its order is its own */
  isPaged?: true;
  /** names by which a sort is asked for too */
  otherSorts?: Readonly<Record<string, Sort>>;
  sortSays?: string;
  /**
   * How it opens where the screen is Spanish: by one of its views, where it has any, and in this order instead of that
   * of the ids. Elsewhere it opens whole and by id, as the specification has it.
   */
  opens?: { view?: string; sort: Sort; newestFirst?: true };
  /** the filter by which all of it is as of a day, its views then too */
  asOf?: Filters[number]['name'];
  /** what is often asked of it, the whole list first: links above its filter */
  views?: readonly ListView<Filters, Sort>[];
  /** nothing where counting would take long */
  sum?(asked: Asked<Filters>, around: Surroundings): Promise<ListSum | undefined>;
  /** `saldo export {name}`, and what that exports */
  command: { name: string; says: string };
  /** fills in what was left open, where that does not mean everything */
  complete?(asked: Asked<Filters>, today: PlainDate): Asked<Filters>;
  read(asked: AskedOf<Filters, Sort>, given: Given): Promise<ListRows<unknown>>;
}

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

export type AskedOf<Filters extends readonly Filter[], Sort extends string = string> = Asked<Filters> & {
  sort?: Sort;
  direction?: Direction;
  limit?: number;
  cursor?: string;
};

export interface Given extends Surroundings {
  /** the filter in words */
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

/** A sort may be asked for by another name than its own. */
export const sortOf = <Sort extends string>(
  { otherSorts = {} }: Pick<List<readonly Filter[], Sort>, 'otherSorts'>,
  asked: string | undefined,
): Sort | undefined => (asked === undefined ? undefined : (otherSorts[asked] ?? (asked as Sort)));
