import { sql } from 'kysely';
import { daysAfter } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import { LOOKALIKE_DAYS } from './book.ts';

/**
 * The condition that another invoice of the supplier has the same total and was issued within some days of it. For
 * open invoices these are found first, in the order of the index of totals, since they are few.
 */
export function looksLikeAnother(db: Db, ofOpen: boolean) {
  const alike = (table: 'invoices' | 'open') => {
    const one = (column: string) => sql.ref(`${table}.${column}`);
    const away = (days: number) => daysAfter(db, one('fechaemision'), sql`${days}`);
    return sql<boolean>`exists (select 1 from invoices other where other."supplierId" = ${one('supplierId')}
      and other."totalCents" = ${one('totalCents')} and other.id <> ${one('id')}
      and other.fechaemision between ${away(-LOOKALIKE_DAYS)} and ${away(LOOKALIKE_DAYS)})`;
  };
  if (!ofOpen) return alike('invoices');
  // Uses only columns of the index of open invoices: with others SQLite would go through all invoices.
  return sql<boolean>`invoices.id in (with open as materialized (
      select id, "supplierId", "totalCents", fechaemision, vence, numfactura
      from invoices where "paidCents" < "totalCents" order by "totalCents" + 0)
    select open.id from open where ${alike('open')})`;
}
