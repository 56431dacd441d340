import { z } from 'zod';
import {
  choiceField,
  cursorField,
  dateField,
  idField,
  idOrZeroField,
  limitField,
  sortDirectionField,
  textField,
  textsField,
  wholeNumberField,
} from '../shapes/fields.ts';
import { type Filter, type FilterParameter, type FilterValues, listParameters } from './filter.ts';
import type { List } from './list.ts';

/** Pages do not accept filters that are only for the API or the command line. */
type EndpointKind = 'page' | 'api';

const orderAndPageFields = { sorttype: sortDirectionField, limit: limitField, cursor: cursorField };

type ApiQuery<Filters extends readonly Filter[], Sort extends string> = FilterValues<Filters> & {
  sortfield?: Sort;
  sorttype?: z.output<typeof sortDirectionField>;
  limit?: number;
  cursor?: string;
};

export type PageQuery<Filters extends readonly Filter[], Sort extends string> = ApiQuery<Filters, Sort> & {
  shown?: number;
};

export type QueryOf<L> = L extends List<infer Filters, infer Sort> ? PageQuery<Filters, Sort> : never;

/** The members are created in a loop, so their types are derived from the list's definition. */
type ShapeOf<Members> = z.ZodObject<{
  [Name in keyof Members]-?: z.ZodOptional<z.ZodType<Exclude<Members[Name], undefined>>>;
}>;

export const getApiShape = <Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
) => z.strictObject(buildQueryFields(list, 'api')) as unknown as ShapeOf<ApiQuery<Filters, Sort>>;

/**
 * In addition to the filters, a page's address may contain the names that pickers post without script, and the number
 * of rows that were shown (see pageSize). Each list's shape is created once.
 */
export function getPageShape<Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
) {
  const shape = pageShapeCache.get(list) ?? z.strictObject(buildPageQueryFields(list));
  pageShapeCache.set(list, shape);
  return shape as unknown as ShapeOf<PageQuery<Filters, Sort>>;
}

const pageShapeCache = new WeakMap<object, z.ZodObject>();

function buildPageQueryFields(list: List) {
  const typed = listReferenceFilters(list).map(({ catalog: { nameField }, label }) => [
    nameField,
    textField(label, 200, nameField),
  ]);
  const isPaged = Object.keys(list.sorts).length > 0;
  const place = isPaged ? { shown: wholeNumberField('shown', 0, 1_000_000_000) } : {};
  return { ...buildQueryFields(list, 'page'), ...Object.fromEntries(typed), ...place };
}

export const listReferenceFilters = ({ filters }: Pick<List, 'filters'>) =>
  filters.filter((filter): filter is Extract<Filter, { kind: 'ref' }> => filter.kind === 'ref');

function buildQueryFields({ filters, sorts, sortAliases = {}, sortDescription }: List, reader: EndpointKind) {
  const accepted = filters.filter(({ only }) => only === undefined || only === 'link' || only === reader);
  const fields = Object.fromEntries(
    accepted.flatMap(listParameters).map((parameter) => [parameter.name, createParameterShape(parameter)]),
  );
  const names = Object.keys({ ...sorts, ...sortAliases });
  if (names.length === 0) return fields;
  const sortfield = choiceField('sortfield', names);
  return {
    ...fields,
    sortfield: sortDescription ? sortfield.meta({ description: sortDescription }) : sortfield,
    ...orderAndPageFields,
  };
}

function createParameterShape(parameter: FilterParameter): z.ZodType {
  const { description, apiLabel = parameter.label } = parameter;
  const field = createValueShape(parameter, apiLabel);
  return description ? field.meta({ description }) : field;
}

function createValueShape(filter: FilterParameter, label: string) {
  if (filter.kind === 'text') return textField(label, filter.max, filter.name);
  if (filter.kind === 'texts') return textsField(label, filter.max);
  if (filter.kind === 'choice') return choiceField(label, filter.choices);
  if (filter.kind === 'date') return dateField(label);
  if (filter.kind === 'number') return wholeNumberField(label);
  return filter.kind === 'ref' && filter.none ? idOrZeroField(label) : idField(label);
}
