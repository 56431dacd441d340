import type { Db } from '../../db/schema.ts';
import { readRows } from './stored.ts';

const DATED_TABLES = ['invoices', 'payments', 'credit_notes', 'petty_cash_movements'] as const;

export async function readDatedRows(db: Db): Promise<Record<string, object[]>> {
  const rows: Record<string, object[]> = {};
  for (const table of DATED_TABLES)
    rows[table] = await db.selectFrom(table).selectAll().orderBy('id').execute();
  // The replenishment of an expense is dated by its own request, not by the expense.
  rows.petty_cash_movements = rows.petty_cash_movements!.map((row) => ({
    ...row,
    replenishmentId: undefined,
  }));
  // Only a fund's opening day and withdrawals are dated; its holder has no date.
  rows.petty_cash_funds = await readRows(db, 'petty_cash_funds', {}, ['id', 'openedOn', 'pagosOrigenId']);
  return rows;
}

export async function setClosingDate(db: Db, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key: 'cierre', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();
}
