import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { formatDayFirst, type PlainDate } from '../../shared/dates.ts';
import type { FilterFact } from '../formats/sheets/list-export.ts';
import { describePeriod } from '../services/exports/filter-words.ts';
import { type Filter, isPeriod } from './filter.ts';
import { filtersFor, type List } from './list.ts';

/** What a list is narrowed by, in the words that its files carry. */
export async function describeFilter(
  db: Db,
  list: Pick<List, 'filters' | 'first'>,
  asked: Readonly<Record<string, unknown>>,
): Promise<FilterFact[]> {
  const facts: FilterFact[] = [];
  const filters = filtersFor(list, 'words');
  for (const filter of filters) {
    const { words = filter.label } = filter;
    if (words === false) continue;
    const value = isPeriod(filter)
      ? periodOf(filter, filters, asked)
      : await valueInWords(db, filter, asked[filter.name]);
    if (value && !facts.some(({ label }) => label === words)) facts.push({ label: words, value });
  }
  return facts;
}

/** Both ends of it, named at the first of them. */
function periodOf({ words }: Filter, filters: readonly Filter[], asked: Readonly<Record<string, unknown>>) {
  const ends = filters.filter((one) => isPeriod(one) && one.words === words);
  const end = (bound: 'from' | 'to') =>
    ends.flatMap((one) => (one.kind === 'date' && one.bound === bound ? [asked[one.name]] : []))[0];
  return describePeriod(end('from') as PlainDate | null, end('to') as PlainDate | null);
}

/** Nothing where it narrows nothing, unless that is always said. */
async function valueInWords(db: Db, filter: Filter, value: unknown): Promise<string | undefined> {
  if (filter.kind === 'ref') {
    const { catalog, none, always, all } = filter;
    if (value === 0 && none) return none;
    if (value) return nameOf(db, catalog.table, catalog.nameField, Number(value));
    return always && all;
  }
  if (!value) return undefined;
  if (filter.kind === 'row') return nameOf(db, filter.table, filter.column, Number(value));
  if (filter.kind === 'choice') return filter.labels[String(value)];
  if (filter.kind === 'date') return formatDayFirst(value as PlainDate);
  return String(value);
}

async function nameOf(db: Db, table: string, column: string, id: number): Promise<string> {
  const { rows } = await sql<{
    name: string;
  }>`select ${sql.ref(column)} as name from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.name || `#${id}`;
}
