import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { datedLater } from '../invoices/open-sums.ts';
import type { Day } from '../invoices/reading.ts';
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
