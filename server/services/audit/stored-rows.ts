import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { compileOncePerKey } from '../../../db/compile-once.ts';
import { dialectOf } from '../../../db/open.ts';
import type { Db, Schema } from '../../../db/schema.ts';
import type { ReplayDefinition, ReplayedTable } from './replay-definitions.ts';

/** A row in JSON values: moments as text in UTC, booleans as 1 and 0. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

/** The rows that belong to one id of an entity, by table. An id without a row in the first table does not exist. */
export type EntityState = Partial<Record<keyof Schema, StoredRow[]>>;

const OWNER_ID_ALIAS = 'rowOf';

/** The rows of these ids, without derived columns. Ids without rows are left out. */
export async function readEntityStates(
  db: Db,
  definition: ReplayDefinition,
  ids: readonly (number | string)[],
): Promise<Map<string, EntityState>> {
  const states = new Map<string, EntityState>();
  for (const table of definition.tables)
    for (const [id, row] of await readStoredRows(db, table, ids)) {
      const state = states.get(id) ?? {};
      const rows = state[table.table] ?? [];
      rows.push(row);
      state[table.table] = rows;
      states.set(id, state);
    }
  return states;
}

export async function readStoredRows(
  db: Db,
  table: ReplayedTable,
  ids: readonly (number | string)[],
): Promise<[id: string, row: StoredRow][]> {
  const select = ids.some((id) => typeof id === 'string') ? selectWithTextIds : selectWithIds;
  const rows = await select(table, db, JSON.stringify(ids));
  const found = rows.map(({ [OWNER_ID_ALIAS]: id, ...row }): [string, StoredRow] => [
    String(id),
    toStoredRow(table, row),
  ]);
  // Rows of the further tables are sorted, so that they can be compared; the first table has one row for each id.
  return table.key === 'id' ? found : found.sort(([, a], [, b]) => compareRows(a, b));
}

const compileSelection = (idType: 'bigint' | 'text') =>
  compileOncePerKey((table: ReplayedTable, db, ids: string) => {
    const key = typeof table.key === 'string' ? sql.ref(`t.${table.key}`) : table.key;
    const among =
      dialectOf(db) === 'postgres'
        ? sql`(select cast(value as ${sql.raw(idType)}) from json_array_elements_text(${ids}::json))`
        : sql`(select value from json_each(${ids}))`;
    return sql<Record<string, unknown>>`select t.*, ${key} as ${sql.ref(OWNER_ID_ALIAS)}
      from ${sql.table(table.table)} t where ${key} in ${among} and ${table.where ?? sql`true`}`;
  });

const [selectWithIds, selectWithTextIds] = [compileSelection('bigint'), compileSelection('text')];

function compareRows(a: StoredRow, b: StoredRow): number {
  if (a.id !== undefined || b.id !== undefined) return Number(a.id) - Number(b.id);
  return JSON.stringify(a) < JSON.stringify(b) ? -1 : 1;
}

function toStoredRow(
  { derivedColumns = [], secretColumns = [] }: ReplayedTable,
  row: Record<string, unknown>,
): StoredRow {
  const stored: Record<string, string | number | null> = {};
  for (const name in row) {
    if (derivedColumns.includes(name)) continue;
    const plain = toPlainValue(row[name]);
    stored[name] = secretColumns.includes(name) && plain !== null ? sha256Of(String(plain)) : plain;
  }
  return stored;
}

function toPlainValue(value: unknown): string | number | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'boolean') return Number(value);
  if (typeof value === 'number' || typeof value === 'string') return value;
  throw new TypeError(`a ${typeof value} in a row that the audit trail keeps`);
}

export const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Leaves out the values of the first table's row that the entry's `after` has too, so that they are stored once. */
export function omitAfterValues(
  { tables: [firstTable] }: ReplayDefinition,
  state: EntityState,
  after: object | undefined,
): EntityState {
  const [row] = state[firstTable.table] ?? [];
  if (!row || !after) return state;
  const stated = after as Readonly<Record<string, unknown>>;
  const rest = Object.entries(row).filter(([name, value]) => stated[name] !== value);
  return { ...state, [firstTable.table]: [Object.fromEntries(rest)] };
}

export function mergeAfterValues(
  { tables: [firstTable] }: ReplayDefinition,
  partialState: EntityState,
  after: StoredRow | null,
): EntityState {
  const [row] = partialState[firstTable.table] ?? [];
  return row ? { ...partialState, [firstTable.table]: [{ ...after, ...row }] } : partialState;
}
