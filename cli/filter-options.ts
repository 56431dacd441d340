import { Option } from 'commander';
import type { Db } from '../db/schema.ts';
import { type Filter, type FilterParameter, listParameters } from '../server/lists/filter.ts';
import { type List, type ListQuery, orderFilters } from '../server/lists/list.ts';
import type { Catalog } from '../shared/catalogs/catalog.ts';
import { parsePlainDate } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';

export function createListOptions(list: List): Option[] {
  const options = orderFilters(list, 'command')
    .flatMap(listParameters)
    .flatMap((parameter) => {
      if (!parameter.flag) return [];
      const option = new Option(...parameter.flag);
      return [parameter.kind === 'choice' ? option.choices(parameter.choices) : option];
    });
  const sorts = Object.keys(list.sorts);
  if (sorts.length === 0) return options;
  const sort = new Option('--sort <campo>', 'orden').choices(sorts);
  return [...options, sort, new Option('--desc', 'de mayor a menor')];
}

/** @throws DomainError malformed, not-found, conflict ambiguous_name */
export async function readListOptions<Filters extends readonly Filter[], Sort extends string>(
  db: Db,
  list: List<Filters, Sort>,
  options: object,
): Promise<ListQuery<Filters, Sort>> {
  const { sort, desc, ...typed } = options as Partial<Record<string, string>> & { desc?: boolean };
  const query: Record<string, unknown> = {};
  for (const filter of orderFilters(list, 'command').flatMap(listParameters)) {
    if (!filter.flag) continue;
    const option = new Option(...filter.flag);
    const text = typed[option.attributeName()];
    if (text !== undefined) query[filter.name] = await parseFilterValue(db, filter, option.long!, text);
  }
  return { ...query, sort, direction: desc ? 'desc' : 'asc' } as ListQuery<Filters, Sort>;
}

function parseFilterValue(db: Db, filter: FilterParameter, option: string, text: string) {
  if (filter.kind === 'ref')
    return filter.none && text.trim() === '0' ? 0 : getRowId(db, filter.catalog, text);
  if (filter.kind === 'date') return parsePlainDate(text, option);
  if (filter.kind === 'number' || filter.kind === 'row') return parseWholeNumber(option, text);
  return text;
}

export async function getRowId(db: Db, catalog: Catalog, nameOrId: string): Promise<number> {
  const { getRowByNameOrId } = await import('../server/services/catalogs/reading.ts');
  return (await getRowByNameOrId(db, catalog, nameOrId)).id;
}

function parseWholeNumber(option: string, text: string): number {
  if (/^\d{1,15}$/.test(text.trim())) return Number(text);
  throw new DomainError('malformed', `${option}: no es un número.`);
}
