import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { rolledRows } from '../../../db/rolled-sums.ts';
import type { Db } from '../../../db/schema.ts';
import { endOfDay, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Day } from './reading.ts';
import { isAsNow, OPEN } from './sums.ts';

/** A part of what is open and due on one day. */
interface OpenOfDay {
  vence: PlainDate;
  /** the day is estimated */
  estimated: 0 | 1;
  /** negative where something is taken off again */
  count: number;
  sumCents: Cents;
}

/**
 * All that is open as of today, by the day on which it is due, several of one day in no order: what is rolled up, less the
 * invoices that are issued later, and what later payments have taken off. Who asks adds up anyway, where SQLite would
 * have to sort for it.
 */
export async function openByDueDay(db: Db, { today, timeZone }: Day): Promise<OpenOfDay[]> {
  const open = rolledRows('invoice_due_sums', {}, sql<SqlBool>`${OPEN}`);
  const due = sql`cast(i.vence as text), case when i.fechavencimiento is null then 1 else 0 end`;
  const later = await datedLater(db, due, { today, timeZone });
  const { rows } = await sql<OpenOfDay>`
    select vence, estimado as estimated, count, "totalCents" - "paidCents" as "sumCents" from ${open} open ${later}`.execute(
    db,
  );
  return rows;
}

/** Those that are owed most as of today, the most first: what is rolled up of each, with the same taken off. */
export async function openBySupplier(
  db: Db,
  { today, timeZone }: Day,
  most: number,
): Promise<{ supplierId: number; suppliername: string; sumCents: Cents }[]> {
  // What is settled in all adds nothing.
  const each = sql<SqlBool>`"supplierId" >= 0 and "totalCents" <> "paidCents"`;
  const open = rolledRows('invoice_sums', { jobId: undefined }, each);
  const later = await datedLater(db, sql`i."supplierId"`, { today, timeZone });
  const { rows } = await sql<{ supplierId: number; suppliername: string; sumCents: Cents }>`
    select owed."supplierId", suppliers.suppliername, owed."sumCents" from (
      select "supplierId", sum("sumCents") as "sumCents" from (
        select "supplierId", count, "totalCents" - "paidCents" as "sumCents" from ${open} open ${later}) owed
      group by "supplierId" having sum("sumCents") > 0 order by sum("sumCents") desc, "supplierId" limit ${most}) owed
    join suppliers on suppliers.id = owed."supplierId"
    order by owed."sumCents" desc, owed."supplierId"`.execute(db);
  return rows;
}

/**
 * What the sums of now have from days after this one, the other way round, to add to rows of the same columns.
 * @param by the first of them, of `i`, an invoice
 */
export async function datedLater(db: Db, by: RawBuilder<unknown>, { today, timeZone }: Day) {
  if (await isAsNow(db, today, { today, timeZone })) return sql``;
  const before = endOfDay(today, timeZone);
  const later = sql`(i.fechaemision > ${today} or (i.fechaemision is null and i."createdAt" >= ${before}))`;
  return sql`
    union all select ${by}, -1, i."paidCents" - i."totalCents" from invoices i
      where ${later} and i."paidCents" < i."totalCents"
    union all select ${by}, case when i."paidCents" < i."totalCents" then 0 else 1 end, p.cents
      from (select "facturaproveedorId" as id, sum("amountCents") as cents from payments
        where paymentdate > ${today} group by "facturaproveedorId") p
      cross join invoices i where i.id = p.id and ${later} is not true`; // without an issue date it is null
}
