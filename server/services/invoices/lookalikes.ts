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
  const lookalikeExistsCondition = (table: 'invoices' | 'open') => {
    const rowColumnReference = (column: string) => sql.ref(`${table}.${column}`);
    const addDaysToIssueExpression = (days: number) =>
      addDaysExpression(db, rowColumnReference('fechaemision'), sql`${days}`);
    return sql<boolean>`exists (select 1 from invoices other where other."supplierId" = ${rowColumnReference('supplierId')}
      and other."totalCents" = ${rowColumnReference('totalCents')} and other.id <> ${rowColumnReference('id')}
      and other.fechaemision between ${addDaysToIssueExpression(-LOOKALIKE_DAYS)} and ${addDaysToIssueExpression(LOOKALIKE_DAYS)})`;
  };
  if (!isOpenOnly || dialectOf(db) === 'postgres') return lookalikeExistsCondition('invoices');
  // Only columns of the index of open invoices are used: with others SQLite would scan all invoices.
  return sql<boolean>`invoices.id in (with open as materialized (
      select id, "supplierId", "totalCents", fechaemision, vence, numfactura
      from invoices where "paidCents" < "totalCents" order by "totalCents" + 0)
    select open.id from open where ${lookalikeExistsCondition('open')})`;
}
