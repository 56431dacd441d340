import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import { addDays, isPlainDate, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Day } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { type Preference, readPreference, setPreference } from '../preferences/preferences.ts';
import type { Notice } from './notice.ts';

/** Up to where a user has looked: what was due by that day's week, of the invoices up to that one. */
export interface Seen {
  day: PlainDate;
  invoiceId: number;
}

const seenShape = z.strictObject({ day: z.string().refine(isPlainDate), invoiceId: z.int().min(0) });

export const SEEN_NOTICES: Preference<Seen> = { name: 'notices.seen', shape: seenShape };

export interface Unseen {
  /** invoices that have become overdue, or due this week, since the user last looked */
  count: number;
  /** one of them is overdue */
  isLate: boolean;
  /** what is seen once this is looked at */
  until: Seen;
}

/** The bell counts them; undefined where all was looked at before. */
export async function unseenNotices(
  db: Db,
  notices: readonly Notice[],
  seen: Seen | undefined,
  day: Day,
): Promise<Unseen | undefined> {
  const [overdue, due] = ['vencidas', 'esta-semana'].map((key) => notices.find((one) => one.key === key));
  if (!overdue && !due) return undefined;
  const since = seen && (await sinceSeen(db, seen, day));
  const late = overdue ? (since?.late ?? overdue.count) : 0;
  const soon = due ? (since?.soon ?? due.count) : 0;
  if (late + soon === 0) return undefined;
  const until = { day: day.today, invoiceId: await lastInvoiceId(db) };
  return { count: late + soon, isLate: late > 0, until };
}

/** As the bell's address has it. @throws DomainError malformed */
export function seenIn({ day, invoiceId }: Record<string, string | undefined>): Seen {
  const seen = seenShape.safeParse({ day, invoiceId: Number(invoiceId) });
  if (!seen.success) throw new DomainError('malformed', 'No se entiende hasta dónde se vio.');
  return seen.data;
}

/** Never back to what was looked at before: an older page may say so late. */
export async function markSeen(db: Db, userId: number, { day, invoiceId }: Seen): Promise<void> {
  const seen = await readPreference(db, userId, SEEN_NOTICES);
  const next = {
    day: seen && seen.day > day ? seen.day : day,
    invoiceId: Math.max(seen?.invoiceId ?? 0, invoiceId),
  };
  await setPreference(db, userId, SEEN_NOTICES, next);
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
