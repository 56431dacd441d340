import { sql } from 'kysely';
import { addDaysExpression } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { LOOKALIKE_DAYS } from './book.ts';

/**
 * The condition that the supplier has another invoice of the same total issued within some days. Open invoices are
 * selected first, in the order of the index of totals, since they are few.
 */
export function looksLikeAnother(db: Db, ofOpen: boolean) {
  const alike = (table: 'invoices' | 'open') => {
    const one = (column: string) => sql.ref(`${table}.${column}`);
    const away = (days: number) => addDaysExpression(db, one('fechaemision'), sql`${days}`);
    return sql<boolean>`exists (select 1 from invoices other where other."supplierId" = ${one('supplierId')}
      and other."totalCents" = ${one('totalCents')} and other.id <> ${one('id')}
      and other.fechaemision between ${away(-LOOKALIKE_DAYS)} and ${away(LOOKALIKE_DAYS)})`;
  };
  if (!ofOpen) return alike('invoices');
  // Only columns of the index of open invoices are used: with others SQLite would scan all invoices.
  return sql<boolean>`invoices.id in (with open as materialized (
      select id, "supplierId", "totalCents", fechaemision, vence, numfactura
      from invoices where "paidCents" < "totalCents" order by "totalCents" + 0)
    select open.id from open where ${alike('open')})`;
}
