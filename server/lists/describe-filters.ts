import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { formatDate } from '../../shared/dates.ts';
import { describePeriod } from '../../shared/periods.ts';
import type { AppliedFilter } from '../formats/sheets/sheet.ts';
import type { Filter } from './filter.ts';
import { type List, orderFilters } from './list.ts';

type QueryValues = Readonly<Record<string, unknown>>;

export async function describeFilters(
  db: Db,
  list: Pick<List, 'filters' | 'leadingFilters'>,
  values: QueryValues,
): Promise<AppliedFilter[]> {
  const facts: AppliedFilter[] = [];
  for (const filter of orderFilters(list, 'words')) {
    const { words = filter.label } = filter;
    if (words === false) continue;
    const unchosen = filter.kind === 'ref' && filter.always ? filter.all : undefined;
    const value = (await describeFilterValue(db, filter, values)) ?? unchosen;
    if (value) facts.push({ label: words, value });
  }
  return facts;
}

export async function describeFilterValue(
  db: Db,
  filter: Filter,
  values: QueryValues,
): Promise<string | undefined> {
  const value = values[filter.name];
  if (filter.kind === 'period')
    return describePeriod(value as string | null, values[filter.to] as string | null);
  if (filter.kind === 'ref' && value === 0) return filter.none;
  if (!value) return undefined;
  if (filter.kind === 'ref')
    return readName(db, filter.catalog.table, filter.catalog.nameField, Number(value));
  if (filter.kind === 'row') return readName(db, filter.table, filter.column, Number(value));
  if (filter.kind === 'choice') return filter.labels[String(value)];
  return filter.kind === 'date' ? formatDate(String(value)) : String(value);
}

async function readName(db: Db, table: string, column: string, id: number): Promise<string> {
  const { rows } = await sql<{
    name: string;
  }>`select ${sql.ref(column)} as name from ${sql.table(table)} where id = ${id}`.execute(db);
  return rows[0]?.name || `#${id}`;
}
