import { sql } from 'kysely';
import { addDaysExpression } from '../../../db/expressions.ts';
import { dialectOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { LOOKALIKE_DAYS } from './invoice-book.ts';

/**
 * With `isOpenOnly`, SQLite first collects the open invoices, which are few. Then it looks for lookalikes of each, in
 * the order of the index of totals. PostgreSQL joins them by itself, which is faster.
 */
export function lookalikeCondition(db: Db, isOpenOnly: boolean) {
  const hasLookalike = (table: 'invoices' | 'open') => {
    const rowColumn = (column: string) => sql.ref(`${table}.${column}`);
    const daysFrom = (days: number) => addDaysExpression(db, rowColumn('fechaemision'), sql`${days}`);
    return sql<boolean>`exists (select 1 from invoices other where other."supplierId" = ${rowColumn('supplierId')}
      and other."totalCents" = ${rowColumn('totalCents')} and other.id <> ${rowColumn('id')}
      and other.fechaemision between ${daysFrom(-LOOKALIKE_DAYS)} and ${daysFrom(LOOKALIKE_DAYS)})`;
  };
  if (!isOpenOnly || dialectOf(db) === 'postgres') return hasLookalike('invoices');
  // Only columns of the index of open invoices are used: with others SQLite would scan all invoices.
  return sql<boolean>`invoices.id in (with open as materialized (
      select id, "supplierId", "totalCents", fechaemision, vence, numfactura
      from invoices where "paidCents" < "totalCents" order by "totalCents" + 0)
    select open.id from open where ${hasLookalike('open')})`;
}
