import { requirePeriod } from '../../shared/periods.ts';
import type { ListExport } from '../formats/sheets/list-export.ts';
import { type Filter, invertedPeriod } from './filter.ts';
import type { AskedOf, List, Surroundings } from './list.ts';

/**
 * The list as every format has it, whoever asks: page, API or command line.
 * @throws DomainError as reading it does
 */
export async function readExport<Filters extends readonly Filter[], Sort extends string>(
  list: List<Filters, Sort>,
  asked: AskedOf<Filters, Sort>,
  around: Surroundings,
): Promise<ListExport<unknown>> {
  const { describeFilter } = await import('./words.ts'); // the database's package, which a command needs late
  const whole = list.complete ? { ...asked, ...list.complete(asked, around.today) } : asked;
  requirePeriods(list, whole);
  return list.read(whole, { ...around, facts: await describeFilter(around.db, list, whole) });
}

/** @throws DomainError malformed where one ends before it begins */
function requirePeriods({ filters }: Pick<List, 'filters'>, asked: Readonly<Record<string, unknown>>): void {
  const ends = invertedPeriod(filters, asked);
  if (ends) requirePeriod({ from: String(asked[ends[0].name]), to: String(asked[ends[1].name]) });
}
