import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { endOfDay, type PlainDate } from '../../../shared/dates.ts';
import type { Day } from '../invoices/reading.ts';
import { isAsNow } from '../invoices/sums.ts';
import type { Owing } from './layout.ts';

/**
 * What is owed to each supplier at the end of a day, added up by when it is due and whether that was worked out; in the
 * order in which an index has what is open, with what days after that one have changed taken off.
 * @param apartFrom days from which on what is due is told apart from what was due before
 */
export async function sumOwing(
  db: Db,
  { exceptSupplierId, jobId }: { exceptSupplierId?: number | null; jobId?: number | null },
  day: Day,
  apartFrom: readonly PlainDate[],
): Promise<Owing[]> {
  const columns = sql`i."supplierId", i."jobId", i.vence, i.fechavencimiento`;
  const later = await datedLater(db, columns, day);
  const days = [...new Set(apartFrom)].sort();
  const places = days.map((from, place) => sql`when vence < ${from} then ${sql.lit(place)}`);
  const { rows } = await sql<Owing>`
    select "supplierId", min(vence) as vence, min(fechavencimiento) as fechavencimiento, sum(count) as count,
      sum(cents) as "pendingCents"
    from (select ${columns}, 1 as count, i."totalCents" - i."paidCents" as cents from invoices i
      where i."paidCents" < i."totalCents" ${later}) open
    where true
      ${exceptSupplierId ? sql`and "supplierId" <> ${exceptSupplierId}` : sql``}
      ${jobId ? sql`and "jobId" = ${jobId}` : sql``}
    group by "supplierId", case ${sql.join(places, sql` `)} else ${sql.lit(days.length)} end, fechavencimiento is null
    having sum(count) > 0`.execute(db);
  return rows;
}

/**
 * What the sums of now have from days after this one, the other way round, to add to rows of the same columns.
 * @param by the first of them, of `i`, an invoice
 */
async function datedLater(db: Db, by: RawBuilder<unknown>, { today, timeZone }: Day) {
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
