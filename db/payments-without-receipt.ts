import { type SqlBool, sql } from 'kysely';
import type { PlainDate } from '../shared/dates.ts';
import type { Fault } from './integrity.ts';
import type { Db } from './schema.ts';

/**
 * Selects the payments that may lack a receipt (REP); cancelled receipts and those later than `corte` do not count.
 * Triggers list the payments of PPD invoices that no receipt states in full, so that the others need not be read.
 */
export const mayLackReceiptCondition = (paymentsAlias: string, corte: PlainDate = '9999-12-31') =>
  sql<SqlBool>`${sql.ref(`${paymentsAlias}.id`)} in (select "paymentId" from payments_without_receipt
    union all select lines."paymentId" from payment_receipts receipts cross join payment_receipt_lines lines
      where receipts.fecha > ${corte} and lines."receiptId" = receipts.id
    union all select lines."paymentId" from sat_documents cancelled cross join payment_receipts receipts
      cross join payment_receipt_lines lines where cancelled."canceladoVisto" is not null
        and receipts.uuid = cancelled.uuid and lines."receiptId" = receipts.id)`;

export async function findWrongPaymentsWithoutReceipt(db: Db): Promise<Fault[]> {
  const { rows } = await sql<{ id: number }>`
    select id from (select "paymentId" as id, 1 as kept from payments_without_receipt
      union all select p.id, -1 from payments p join invoices i on i.id = p."facturaproveedorId"
        where p.kind = 'pago' and i.metodopago = 'PPD' and not exists (select 1 from payment_receipt_lines lines
          where lines."paymentId" = p.id and lines."amountCents" >= coalesce(p."importebancoCents", p."amountCents"))) compared
    group by id having sum(kept) <> 0 order by id`.execute(db);
  return rows.map(({ id }) => ({
    table: 'payments',
    id,
    problem: 'está entre los que esperan REP y no le falta, o le falta y no está',
  }));
}
