import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { addDays, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import type { Day } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';

/** Up to where a user has seen what is due: by that day's week, of the invoices up to that one. */
interface Seen {
  day: PlainDate;
  invoiceId: number;
}

/** Counts invoices that time has made due, and those captured since that were due by then. */
export async function sinceSeen(db: Db, seen: Seen, day: Day): Promise<{ late: number; soon: number }> {
  const { today } = day;
  const [from, sunday] = [sundayOf(seen.day), sundayOf(today)];
  const dueAfter = from < today ? today : addDays(from, 1);
  const captured = await capturedQuery(db, seen, today, from).executeTakeFirst();
  const [late, soon] = await Promise.all([
    seen.day < today ? sumInvoices(db, { status: 'vencida', venceDesde: seen.day }, day) : NONE,
    dueAfter <= sunday
      ? sumInvoices(db, { status: 'por-pagar', venceDesde: dueAfter, venceHasta: sunday }, day)
      : NONE,
  ]);
  return { late: late.count + (captured?.late ?? 0), soon: soon.count + (captured?.soon ?? 0) };
}

const NONE = { count: 0 };

const sundayOf = (day: PlainDate): PlainDate => addDays(mondayOf(day), 6);

/** By its id alone, which only the newest have: asked for what is open too, SQLite would go through all of that. */
const capturedQuery = (db: Db, { day, invoiceId }: Seen, today: PlainDate, sunday: PlainDate) => {
  const openWhere = (due: RawBuilder<unknown>) =>
    sql<number>`coalesce(sum(case when "paidCents" < "totalCents" and vence <= ${sunday} and ${due} then 1 else 0 end), 0)`;
  return db
    .selectFrom('invoices')
    .select([openWhere(sql`vence < ${day}`).as('late'), openWhere(sql`vence >= ${today}`).as('soon')])
    .where('id', '>', invoiceId);
};

/** Whatever is captured later has a higher one. */
export async function lastInvoiceId(db: Db): Promise<number> {
  const last = db.selectFrom('invoices').select((eb) => eb.fn.max<number | null>('id').as('id'));
  return (await last.executeTakeFirstOrThrow()).id ?? 0;
}
