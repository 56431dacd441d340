import { type SqlBool, sql } from 'kysely';
import type { PlainDate } from '../shared/dates.ts';
import type { Fault } from './integrity.ts';
import { dialectOf } from './open.ts';
import type { Db } from './schema.ts';

/**
 * Of all payments those that may lack a receipt (REP), cancelled ones and those later than `corte` not counted: on SQLite
 * triggers keep the payments of PPD invoices that no receipt states in full, so that the others need not be read.
 */
export const mayLackReceipt = (db: Db, payments: string, corte: PlainDate = '9999-12-31') =>
  dialectOf(db) === 'postgres'
    ? sql<SqlBool>`true`
    : sql<SqlBool>`${sql.ref(`${payments}.id`)} in (select "paymentId" from payments_without_receipt
        union all select lines."paymentId" from payment_receipts receipts
          cross join payment_receipt_lines lines on lines."receiptId" = receipts.id
        where receipts.fecha > ${corte}
          or receipts.uuid in (select uuid from sat_documents where "canceladoVisto" is not null))`;

export async function findWrongPaymentsWithoutReceipt(db: Db): Promise<Fault[]> {
  if (dialectOf(db) === 'postgres') return [];
  const { rows } = await sql<{ id: number }>`
    select id, sum(kept) from (select "paymentId" as id, 1 as kept from payments_without_receipt
      union all select p.id, -1 from payments p join invoices i on i.id = p."facturaproveedorId"
        where p.kind = 'pago' and i.metodopago = 'PPD' and not exists (select 1 from payment_receipt_lines lines
          where lines."paymentId" = p.id and lines."amountCents" >= coalesce(p."importebancoCents", p."amountCents")))
    group by id having sum(kept) <> 0 order by id`.execute(db);
  return rows.map(({ id }) => ({
    table: 'payments',
    id,
    problem: 'está entre los que esperan REP y no le falta, o le falta y no está',
  }));
}
