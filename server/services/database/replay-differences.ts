import type { Schema } from '../../../db/schema.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Replayed, ReplayedTable } from '../audit/replayed.ts';
import type { StoredRow, StoredState } from '../audit/stored-rows.ts';
import type { Told } from './replay-trail.ts';

/** Words for each difference between a row and what the trail says of it. */
export function differencesBetween(
  { tables }: Replayed,
  { entryId, state: told }: Told,
  found: StoredState | null,
): string[] {
  const [first] = tables;
  const [isTold, isFound] = [told, found].map((state) => Boolean(state?.[first.table]?.length));
  if (isTold && !isFound) return [`falta: el asiento ${entryId} dice que está`];
  if (isFound && !isTold) return [`está, y el asiento ${entryId} dice que se eliminó`];
  return tables.flatMap((table) =>
    rowDifferences(table, table === first, {
      entryId,
      told: told?.[table.table] ?? [],
      found: found?.[table.table] ?? [],
    }),
  );
}

interface Compared {
  entryId: number;
  told: readonly StoredRow[];
  found: readonly StoredRow[];
}

/** Rows are paired by their ids; those that have none are equal or others. */
function rowDifferences(
  table: ReplayedTable,
  isFirst: boolean,
  { entryId, told, found }: Compared,
): string[] {
  const nameOf = keyOf(table.table);
  const before = new Map(told.map((row) => [nameOf(row), row]));
  const now = new Map(found.map((row) => [nameOf(row), row]));
  const where = (row: StoredRow) =>
    isFirst ? '' : `${[table.table.replaceAll('_', '-'), nameOf(row)].filter(Boolean).join(' ')}: `;
  return [
    ...[...before].flatMap(([key, row]) =>
      now.has(key) ? [] : [`${where(row)}falta: el asiento ${entryId} dice que está`],
    ),
    ...[...now].flatMap(([key, row]) => {
      const was = before.get(key);
      if (!was) return [`${where(row)}está de más: el asiento ${entryId} no lo tiene`];
      return columnDifferences(table, was, row).map(
        ({ column, says, stands }) =>
          `${where(row)}${column} es ${stands}; el asiento ${entryId} dice ${says}`,
      );
    }),
  ];
}

/** Tells a row from the others of the same owner. */
const keyOf = (table: keyof Schema) => (row: StoredRow) =>
  table === 'user_roles' ? `rol ${row.roleId}` : String(row.id ?? row.userId ?? row.key ?? '');

interface Difference {
  column: string;
  says: string;
  stands: string;
}

function columnDifferences({ secret = [] }: ReplayedTable, told: StoredRow, found: StoredRow): Difference[] {
  const differences: Difference[] = [];
  for (const column in found) {
    const [was, value] = [told[column], found[column]!];
    if (was === value) continue;
    // A column that the entry does not know came later, and came empty.
    if (was === undefined && isEmpty(value)) continue;
    if (secret.includes(column)) differences.push({ column, says: 'otra cosa', stands: 'otra' });
    else {
      const [says, stands] = [valueText(column, was ?? null, value), valueText(column, value, was ?? null)];
      differences.push({ column, says, stands });
    }
  }
  return differences;
}

const isEmpty = (value: StoredRow[string]): boolean => value === null || value === '' || value === 0;

/** Of a long text the part where the other one begins to differ. */
function valueText(column: string, value: StoredRow[string], other: StoredRow[string]): string {
  if (value === null) return 'nada';
  if (column.endsWith('Cents') && Number.isSafeInteger(value)) return formatMoney(Number(value));
  if (typeof value === 'number') return String(value);
  if (value.length <= SHOWN) return `«${value}»`;
  const against = String(other ?? '');
  let at = 0;
  while (at < value.length && value[at] === against[at]) at++;
  const from = Math.max(0, at - SHOWN / 3);
  const to = from + SHOWN;
  return `«${from > 0 ? '…' : ''}${value.slice(from, to)}${to < value.length ? '…' : ''}»`;
}

/** Characters of a text that are shown of it. */
const SHOWN = 60;
