import type { Schema } from '../../db/schema.ts';
import type { Catalog } from '../../shared/catalogs/catalog.ts';
import type { PlainDate } from '../../shared/dates.ts';
import { requireOrderedPeriod } from '../../shared/periods.ts';
import { keysOf, type RecordField } from '../../shared/record-fields.ts';

type OptionFlag = readonly [flags: string, description: string];

interface FilterBase {
  /** the parameter's name on pages, in the API and in the service; for a period, that of its first day */
  name: string;
  label: string;
  /** used instead of the label in the API's errors and its OpenAPI document */
  apiLabel?: string;
  /** for the OpenAPI document, where the label is not enough; a period may have one for each end */
  description?: string | readonly [from: string, to: string];
  /** the only place where the filter may be set; 'link': pages accept it from links, and show no control for it */
  only?: 'api' | 'command' | 'link';
  /** the filter's name in exported files, if it is not the label; false: exported files do not mention the filter */
  words?: string | false;
  flag?: OptionFlag;
}

export type Filter = FilterBase &
  (
    | { kind: 'text'; max: number }
    /** several texts, each in a parameter of its own */
    | { kind: 'texts'; max: number }
    /** a row of a catalog; where none is chosen, pages show `all`, and with `always` files do too */
    | { kind: 'ref'; catalog: Catalog; all: string; always?: true; none?: string }
    /** a row of another table, by id; exported files name the row by `column` */
    | { kind: 'row'; table: keyof Schema; column: string }
    /** `defaultChoice` applies where nothing is chosen; without it rows of every choice are included */
    | {
        kind: 'choice';
        choices: readonly string[];
        labels: Readonly<Record<string, string>>;
        defaultChoice?: string;
      }
    | { kind: 'date' }
    /** from a first to a last day: `to` is the last day's parameter, `ends` are the labels of both */
    | {
        kind: 'period';
        to: string;
        ends: readonly [from: string, to: string];
        flags?: readonly [from: OptionFlag, to: OptionFlag];
      }
    | { kind: 'number' }
  );

type PeriodFilter = Extract<Filter, { kind: 'period' }>;
export type FilterParameter = Exclude<Filter, PeriodFilter> & { description?: string };

type FilterValue<One extends Filter> = One extends { kind: 'text' }
  ? string
  : One extends { kind: 'texts' }
    ? string[]
    : One extends { kind: 'choice' }
      ? One['choices'][number]
      : One extends { kind: 'date' | 'period' }
        ? PlainDate | null
        : One extends { kind: 'number' }
          ? number
          : number | null;

export type FilterValues<Filters extends readonly Filter[]> = {
  [One in Filters[number] as
    | One['name']
    | (One extends { to: infer To extends string } ? To : never)]?: FilterValue<One>;
};

type FilterOptions = Partial<Omit<FilterBase, 'name' | 'label'>>;

export const textFilter = <
  const Field extends RecordField & { maxLength: number },
  const Own extends FilterOptions,
>(
  { name, label, shortLabel, maxLength }: Field,
  overrides: Own,
) =>
  ({
    kind: 'text',
    name: name as Field['name'],
    label,
    max: maxLength,
    words: `${shortLabel ?? label} con`,
    ...overrides,
  }) as const;

export const choiceFilter = <
  const Name extends string,
  Choice extends string,
  const Own extends FilterOptions & { defaultChoice?: Choice },
>(
  name: Name,
  label: string,
  labels: Readonly<Record<Choice, string>>,
  overrides: Own,
) => ({ kind: 'choice', name, label, choices: keysOf(labels), labels, ...overrides }) as const;

/** A period with the parameters `{name}Desde` and `{name}Hasta`. @param of the words with which the labels of both ends begin */
export const periodFilter = <const Name extends string>(
  name: Name,
  label: string,
  { of = label, ...overrides }: FilterOptions & Pick<PeriodFilter, 'flags'> & { of?: string } = {},
) =>
  ({
    kind: 'period',
    name: `${name}Desde`,
    to: `${name}Hasta`,
    label,
    ends: [`${of} desde`, `${of} hasta`],
    ...overrides,
  }) as const;

export const createPeriodFlags = (description = 'desde ese día, AAAA-MM-DD') =>
  [
    ['--from <fecha>', description],
    ['--to <fecha>', 'hasta ese día'],
  ] as const;

export function listParameters(filter: Filter): readonly FilterParameter[] {
  if (filter.kind !== 'period') return [filter as FilterParameter];
  const { name, to, ends, flags, description = [], only } = filter;
  return [name, to].map((one, end) => ({
    kind: 'date',
    name: one,
    label: ends[end]!,
    description: typeof description === 'string' ? description : description[end],
    only,
    flag: flags?.[end],
  }));
}

/** @throws DomainError malformed, naming both parameters, where a period ends before it begins */
export function requireOrderedPeriods(
  filters: readonly Filter[],
  values: Readonly<Record<string, unknown>>,
): void {
  const inverted = findInvertedPeriod(filters, values);
  if (!inverted) return;
  const { name, to } = inverted;
  requireOrderedPeriod({ from: String(values[name]), to: String(values[to]) }, listParameters(inverted));
}

export const findInvertedPeriod = (
  filters: readonly Filter[],
  values: Readonly<Record<string, unknown>>,
): PeriodFilter | undefined =>
  filters.find((filter): filter is PeriodFilter => {
    if (filter.kind !== 'period') return false;
    const [first, last] = [values[filter.name], values[filter.to]];
    return Boolean(first && last) && String(first) > String(last);
  });
