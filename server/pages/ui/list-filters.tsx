import type { z } from 'zod';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { describePeriod, listPresetPeriods } from '../../../shared/periods.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import type { AppContext } from '../../http/session.ts';
import { AS_OF_FILTER } from '../../lists/catalog-filters.ts';
import { describeFilterValue } from '../../lists/describe-filters.ts';
import { type Filter, type FilterParameter, findInvertedPeriod, listParameters } from '../../lists/filter.ts';
import { type List, orderFilters, resolveSortAlias } from '../../lists/list.ts';
import { getPageShape, listReferenceFilters, type PageQuery } from '../../lists/query-shapes.ts';
import { Island } from '../../shell/island.tsx';
import { createSortOptions } from './catalog-controls.ts';
import { listHref, parseListQuery, readValidQuery } from './list-layout.tsx';
import type { ActiveFilter } from './list-parts.tsx';
import { readFilterPicker, resolvePickedId } from './pickers.ts';

type QueryValues = Readonly<Record<string, unknown>>;

type ListWithFilters = Pick<List, 'page' | 'filters' | 'leadingFilters' | 'alwaysVisible'>;

/** Names that users typed without script become ids. @throws DomainError malformed; invalid for an unknown name */
export const readListQuery = async <Filters extends readonly Filter[], Sort extends string>(
  c: AppContext,
  list: List<Filters, Sort>,
): Promise<PageQuery<Filters, Sort>> =>
  resolveTypedNames(c, list, parseListQuery(c, getPageShape(list)) as PageQuery<Filters, Sort>);

export async function resolveTypedNames<Query extends object>(
  c: AppContext,
  list: Pick<List, 'filters'>,
  requested: Query,
): Promise<Query> {
  const query = { ...requested } as Record<string, unknown>;
  const typed = pickTypedNames(list, requested);
  for (const { name, catalog } of listReferenceFilters(list)) {
    delete query[catalog.nameField];
    const picked = query[name] ?? (await resolvePickedId(c.get('deps').db, catalog, name, typed));
    if (picked !== undefined) query[name] = Number(picked) || query[name];
  }
  return query as Query;
}

/** The valid parameters of a refused address, without typed names. */
export function pickValidListParameters(
  c: AppContext,
  list: Pick<List, 'filters'>,
  shape: z.ZodObject,
): QueryValues {
  const query: Record<string, unknown> = { ...readValidQuery(c, shape) };
  for (const { catalog } of listReferenceFilters(list)) delete query[catalog.nameField];
  return query;
}

/** Returns the typed names by field, because without script the picker of a long list is a text field. */
const pickTypedNames = (list: Pick<List, 'filters'>, requested: object): Record<string, string> =>
  Object.fromEntries(
    listReferenceFilters(list).map(({ catalog: { nameField } }) => [
      nameField,
      ((requested as QueryValues)[nameField] as string | undefined) ?? '',
    ]),
  );

/** Returns the filters and the order for the service, without the position in the list. */
export function toFilterAndOrder<Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
  { sortfield, sorttype, cursor: _cursor, shown: _shown, limit: _limit, ...filter }: PageQuery<Filters, Sort>,
) {
  return { ...filter, sort: resolveSortAlias(list, sortfield), direction: sorttype };
}

export async function renderFilterForm(
  c: AppContext,
  list: ListWithFilters & Pick<List, 'sorts' | 'sortAliases' | 'headingSorts' | 'newestFirst'>,
  requested: QueryValues,
  transformFields: (fields: FilterField[]) => FilterField[] = (fields) => fields,
) {
  const { page: action, sorts } = list;
  const options = createSortOptions(sorts).filter(({ value }) => !list.headingSorts?.includes(value));
  const isDescending = requested.sorttype === 'desc' || (list.newestFirst && !requested.sortfield);
  const sort = {
    field: resolveSortAlias(list, requested.sortfield as string | undefined) ?? 'id',
    direction: isDescending ? ('DESC' as const) : ('ASC' as const),
    options,
  };
  const fields = transformFields(
    await describeFilterFields(c, list, requested, { typed: pickTypedNames(list, requested) }),
  );
  const order = options.length > 0 ? sort : undefined;
  return (
    <Island
      component={ListFilter}
      props={{ action, fields, set: countFoldedActiveFilters(fields), sort: order, resultsId: 'results' }}
    />
  );
}

export const countFoldedActiveFilters = (fields: readonly FilterField[]) =>
  fields.filter((field) => field.isFolded && isFieldSet(field)).length;

/** 0 is a value too: `rubroId=0` selects the rows without a rubro. */
const isFieldSet = (field: FilterField): boolean =>
  field.kind === 'range'
    ? Boolean(field.from.value || field.to.value)
    : Boolean(field.value) || field.value === 0;

/** Filters that are not always visible are under "Más filtros"; those that only links set are hidden fields. */
export async function describeFilterFields(
  c: AppContext,
  list: Pick<List, 'filters' | 'leadingFilters' | 'alwaysVisible'>,
  requested: QueryValues,
  { typed = {} }: { typed?: Readonly<Record<string, string>> } = {},
): Promise<FilterField[]> {
  const fields: (FilterField | Promise<FilterField>)[] = [];
  const hidden: FilterField[] = [];
  for (const filter of listPageFilters(list)) {
    const { name, label } = filter;
    const more = isAlwaysVisible(list, filter) ? undefined : true;
    if (filter.only === 'link') {
      for (const one of listParameters(filter).filter((each) => requested[each.name]))
        for (const value of [requested[one.name]].flat())
          hidden.push({ kind: 'hidden', name: one.name, value: String(value) });
    } else if (filter.kind === 'period') {
      const [from, to] = listParameters(filter).map((one) => toTextControl(one, requested[one.name]));
      const period = { kind: 'range', name, label, from: from!, to: to! } as const;
      fields.push({ ...period, presets: listPresetPeriods(c.get('today')), isFolded: more });
    } else
      fields.push(
        describeFilterControl(c, filter as FilterParameter, requested[name], typed).then((field) => ({
          ...field,
          isFolded: more,
        })),
      );
  }
  return Promise.all([...fields, ...hidden]);
}

const toTextControl = ({ name, label }: FilterParameter, value: unknown) => ({
  name,
  label,
  value: String(value ?? ''),
});

const isAlwaysVisible = ({ alwaysVisible }: Pick<List, 'alwaysVisible'>, { name }: Filter): boolean =>
  alwaysVisible?.includes(name) ?? true;

async function describeFilterControl(
  c: AppContext,
  filter: FilterParameter,
  value: unknown,
  typed: Readonly<Record<string, string>>,
): Promise<FilterField> {
  const { name, label } = filter;
  const text = String(value ?? '');
  if (filter.kind === 'ref') {
    const id = (value as number | null | undefined) ?? null;
    return readFilterPicker(c.get('deps').db, filter, id, typed[filter.catalog.nameField]);
  }
  if (filter.kind === 'choice') {
    const { choices, labels, defaultChoice } = filter;
    const options = choices.map((one) => ({ value: one, label: labels[one] ?? one }));
    if (defaultChoice) return { kind: 'select', name, label, value: text || defaultChoice, options };
    return { kind: 'select', name, label, value: text, options: [{ value: '', label: 'Todos' }, ...options] };
  }
  const kind = filter.kind === 'date' ? 'date' : 'text';
  // The control stays empty, because an address saved with today's date would be out of date tomorrow.
  return { kind, name, label: name === AS_OF_FILTER.name ? `${label} (vacío: hoy)` : label, value: text };
}

/** @param wordOverrides descriptions that the page gives instead of the usual ones, by filter */
export async function describeActiveFilters(
  c: AppContext,
  list: ListWithFilters,
  requested: object,
  wordOverrides: Readonly<Record<string, string>> = {},
): Promise<ActiveFilter[]> {
  const words: ActiveFilter[] = [];
  for (const filter of listPageFilters(list)) {
    const { name, label, only } = filter;
    const value =
      wordOverrides[name] ?? (await describeFilterValue(c.get('deps').db, filter, requested as QueryValues));
    if (!value) continue;
    const cleared = Object.fromEntries(listParameters(filter).map((one) => [one.name, undefined]));
    const isUnseen = only === 'link' || !isAlwaysVisible(list, filter) || undefined;
    words.push({
      label,
      value,
      removeAddress: listHref(list, requested, cleared),
      hasNoControl: isUnseen,
    });
  }
  return words;
}

/** Shown instead of rows where a period ends before it begins, with a link that swaps its ends. */
export function renderInvertedPeriod(list: ListWithFilters, requested: object) {
  const inverted = findInvertedPeriod(list.filters, requested as QueryValues);
  if (!inverted) return undefined;
  const { name, to, label } = inverted;
  const values = requested as Record<string, string>;
  const swapped = listHref(list, requested, { [name]: values[to], [to]: values[name] });
  return (
    <EmptyState
      title="El periodo termina antes de empezar"
      action={<LinkButton href={swapped}>Invertir las fechas</LinkButton>}
    >
      {label}: {describePeriod(values[name], values[to])}. Revisa las dos fechas.
    </EmptyState>
  );
}

/** 0 is a value too: `rubroId=0` selects the rows without a rubro. */
export const isFiltered = (list: Pick<List, 'filters'>, requested: object): boolean =>
  list.filters.flatMap(listParameters).some(({ name }) => {
    const value = (requested as QueryValues)[name];
    return Boolean(value) || value === 0;
  });

const listPageFilters = (list: Pick<List, 'filters' | 'leadingFilters'>) =>
  orderFilters(list, 'page').filter(({ only }) => only === undefined || only === 'link');
