import type { Schema } from '../../db/schema.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { requirePeriod } from '../../shared/periods.ts';

interface FilterFacts {
  /** the parameter's name on page and API, which is the service's own */
  name: string;
  /** on screen, and where nothing else is said in errors and in the document of the API */
  label: string;
  /** there, where that is not the label */
  asked?: string;
  /** its description there, where the label does not say it all */
  says?: string;
  /** who may set it, where that is not everybody: programs, the command line; 'link': pages keep it without a control */
  only?: 'api' | 'command' | 'link';
  /** what a file that was narrowed by it calls it, where that is not the label; false: it is not named */
  words?: string | false;
  /** the option of `saldo export`, where it has one */
  flag?: readonly [flags: string, says: string];
}

/** One thing that a list may be narrowed by: page, API, exports and command line read it here. */
export type Filter = FilterFacts &
  (
    | { kind: 'text'; max: number }
    /** a row of a catalog; `all` is said where none is chosen, in files too where `always` */
    | { kind: 'ref'; catalog: Catalog; all: string; always?: true; none?: string }
    /** a row of another table, by its id; files name it by that column */
    | { kind: 'row'; table: keyof Schema; column: string }
    /** `usual`: what holds where nothing is chosen; else that all are wanted */
    | {
        kind: 'choice';
        choices: readonly string[];
        labels: Readonly<Record<string, string>>;
        usual?: string;
      }
    /** the first or the last day of a period, which files name as one, or a day by itself */
    | { kind: 'date'; bound?: 'from' | 'to' }
    | { kind: 'number' }
  );

type PeriodEnd = Extract<Filter, { kind: 'date' }> & { bound: 'from' | 'to' };

const isPeriod = (filter: Filter): filter is PeriodEnd =>
  filter.kind === 'date' && filter.bound !== undefined;

type Value<One extends Filter> = One extends { kind: 'text' }
  ? string
  : One extends { kind: 'choice' }
    ? One['choices'][number]
    : One extends { kind: 'date' }
      ? PlainDate | null
      : One extends { kind: 'number' }
        ? number
        : number | null;

/** What is asked of a list: its filters' values by name. */
export type Asked<Filters extends readonly Filter[]> = {
  [One in Filters[number] as One['name']]?: Value<One>;
};

/** A period's beginning with its end, every other filter by itself. */
export const inPairs = (filters: readonly Filter[]): [Filter, Filter?][] =>
  filters.flatMap((filter): [Filter, Filter?][] => {
    if (!isPeriod(filter)) return [[filter]];
    if (filter.bound === 'to') return [];
    return [[filter, filters.find((one) => isEndOf(one, filter))]];
  });

const isEndOf = (one: Filter, { words }: Filter) =>
  isPeriod(one) && one.bound === 'to' && one.words === words;

/** @throws DomainError malformed, naming both its ends, where a period ends before it begins */
export function requirePeriods(filters: readonly Filter[], asked: Readonly<Record<string, unknown>>): void {
  const ends = invertedPeriod(filters, asked);
  if (ends) requirePeriod({ from: String(asked[ends[0].name]), to: String(asked[ends[1].name]) }, ends);
}

/** The ends of a period that ends before it begins, where such a one is asked for. */
export const invertedPeriod = (
  filters: readonly Filter[],
  asked: Readonly<Record<string, unknown>>,
): readonly [from: Filter, to: Filter] | undefined => {
  for (const [from, to] of inPairs(filters)) {
    const [first, last] = [asked[from.name], to && asked[to.name]];
    if (to && first && last && String(first) > String(last)) return [from, to];
  }
  return undefined;
};
