import type { ListExport } from '../formats/sheets/sheet.ts';
import { type Filter, requireOrderedPeriods } from './filter.ts';
import type { List, ListContext, ListQuery } from './list.ts';

/** @throws DomainError as reading the list does */
export async function readExport<Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
  query: ListQuery<Filters, Sort>,
  context: ListContext,
): Promise<ListExport<unknown>> {
  // Imported here, so that a command does not load the database's package when it starts.
  const { describeFilters } = await import('./describe-filters.ts');
  const filter = list.completeFilter ? { ...query, ...list.completeFilter(query, context.today) } : query;
  requireOrderedPeriods(list.filters, filter);
  const facts = await describeFilters(context.db, list, filter);
  const { title, noun } = list;
  return {
    file: `${title} ${context.today}`,
    title,
    noun,
    filters: facts,
    ...(await list.readExport(filter, { ...context, appliedFilters: facts })),
  };
}
