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
  return tables.flatMap((table) => {
    const before = byKey(table.table, told);
    const now = byKey(table.table, found);
    const where = (key: string) =>
      table === first ? '' : `${[table.table.replaceAll('_', '-'), key].filter(Boolean).join(' ')}: `;
    const missing = [...before.keys()].filter((key) => !now.has(key));
    return [
      ...missing.map((key) => `${where(key)}falta: el asiento ${entryId} dice que está`),
      ...[...now].flatMap(([key, row]) => {
        const was = before.get(key);
        if (!was) return [`${where(key)}está de más: el asiento ${entryId} no lo tiene`];
        return columnDifferences(table, was, row).map(
          ([column, stands, says]) =>
            `${where(key)}${column} es ${stands}; el asiento ${entryId} dice ${says}`,
        );
      }),
    ];
  });
}

/** Rows are told from the others of the same owner by their ids; those that have none are equal or others. */
const byKey = (table: keyof Schema, state: StoredState | null): Map<string, StoredRow> =>
  new Map(
    (state?.[table] ?? []).map((row) => [
      table === 'user_roles' ? `rol ${row.roleId}` : String(row.id ?? row.userId ?? row.key ?? ''),
      row,
    ]),
  );

type Difference = [column: string, stands: string, says: string];

function columnDifferences({ secret = [] }: ReplayedTable, told: StoredRow, found: StoredRow): Difference[] {
  return Object.entries(found).flatMap(([column, value]): Difference[] => {
    const was = told[column];
    // A column that the entry does not know came later, and came empty.
    if (was === value || (was === undefined && isEmpty(value))) return [];
    if (secret.includes(column)) return [[column, 'otra', 'otra cosa']];
    return [[column, valueText(column, value, was ?? null), valueText(column, was ?? null, value)]];
  });
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
