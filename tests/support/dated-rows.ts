import type { Db } from '../../db/schema.ts';
import { rowsOf } from './stored.ts';

const DATED = ['invoices', 'payments', 'credit_notes', 'petty_cash_movements'] as const;

/** Everything that a closed period may hold, as it is stored: what refuses to change it leaves it as it was. */
export async function readDated(db: Db): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const table of DATED) rows[table] = await db.selectFrom(table).selectAll().orderBy('id').execute();
  // That an expense is asked for, or no longer, has the day of what it is asked with.
  rows.petty_cash_movements = rows.petty_cash_movements!.map((row) => ({
    ...row,
    replenishmentId: undefined,
  }));
  // Of a box the day it began, and what leaves it: whose it is has no day.
  rows.petty_cash_funds = await rowsOf(db, 'petty_cash_funds', {}, ['id', 'openedOn', 'pagosOrigenId']);
  return rows;
}

/** The last closed day, set as if by nobody. */
export async function closeUntil(db: Db, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: 'cierre', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
