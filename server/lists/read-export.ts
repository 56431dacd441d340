import type { ListExport } from '../formats/sheets/sheet.ts';
import { type Filter, requirePeriods } from './filter.ts';
import type { AskedOf, List, Surroundings } from './list.ts';

/** @throws DomainError as reading the list does */
export async function readExport<Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
  asked: AskedOf<Filters, Sort>,
  around: Surroundings,
): Promise<ListExport<unknown>> {
  const { describeFilter } = await import('./words.ts'); // a command loads the database's package late
  const whole = list.complete ? { ...asked, ...list.complete(asked, around.today) } : asked;
  requirePeriods(list.filters, whole);
  const facts = await describeFilter(around.db, list, whole);
  const { title, noun } = list;
  return {
    file: `${title} ${around.today}`,
    title,
    noun,
    filters: facts,
    ...(await list.read(whole, { ...around, facts })),
  };
}
