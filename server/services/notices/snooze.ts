import { type RawBuilder, sql } from 'kysely';
import { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import { addDays, isPlainDate, type PlainDate, sundayOf } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { sumInvoices } from '../invoices/sums.ts';
import { type PreferenceDefinition, readPreference, setPreference } from '../preferences/preferences.ts';
import { type NewestRow, NOTICE_KEYS, type Notice, type NoticeKey, type SnoozableNotice } from './notice.ts';

const daySchema = z.string().refine(isPlainDate);
const newestRowSchema = z.strictObject({ day: daySchema, id: z.int().min(0) });

const snoozeSchema = z.union([
  z.strictObject({ until: daySchema }),
  z.strictObject({ newest: newestRowSchema }),
]);
type Snooze = z.infer<typeof snoozeSchema>;

export const snoozesPreference: PreferenceDefinition<Partial<Record<NoticeKey, Snooze>>> = {
  name: 'notices.put-off',
  schema: z.partialRecord(z.enum(NOTICE_KEYS), snoozeSchema),
};

export async function separateSnoozed(
  db: Db,
  notices: readonly Notice[],
  snoozes: Partial<Record<NoticeKey, Snooze>> | undefined,
  today: TodayAndTimeZone,
): Promise<{ shown: Notice[]; snoozed: Notice[] }> {
  const separated = { shown: [] as Notice[], snoozed: [] as Notice[] };
  for (const notice of notices) {
    const choice = snoozes?.[notice.key];
    const isHidden = choice !== undefined && (await isSnoozed(db, notice, choice, today));
    separated[isHidden ? 'snoozed' : 'shown'].push(notice);
  }
  return separated;
}

async function isSnoozed(db: Db, notice: Notice, choice: Snooze, today: TodayAndTimeZone): Promise<boolean> {
  if ('until' in choice) return today.today < choice.until;
  const { day: last, id } = choice.newest;
  if (notice.newest) return notice.newest.day <= last && notice.newest.id <= id;
  const since = await countInvoicesDueSinceSeen(db, { day: last, invoiceId: id }, today);
  return (notice.key === 'vencidas' ? since.late : since.soon) === 0;
}

export async function addNewestRow(
  db: Db,
  notices: readonly Notice[],
  today: PlainDate,
): Promise<SnoozableNotice[]> {
  const ofDue = { day: today, id: notices.every(({ newest }) => newest) ? 0 : await readLastInvoiceId(db) };
  return notices.map((notice) => ({ ...notice, newest: notice.newest ?? ofDue }));
}

/** @throws DomainError malformed */
export function parseNewestRow({ dia, id }: Record<string, string | undefined>): NewestRow {
  const read = newestRowSchema.safeParse({ day: dia, id: Number(id) });
  if (!read.success) throw new DomainError('malformed', 'No se entiende hasta qué se pospone.');
  return read.data;
}

export async function snoozeNotice(
  db: Db,
  userId: number,
  today: PlainDate,
  key: NoticeKey,
  snoozeExtent: 'day' | NewestRow | undefined,
): Promise<void> {
  const snoozes = { ...(await readPreference(db, userId, snoozesPreference)) };
  for (const [name, choice] of Object.entries(snoozes))
    if ('until' in choice && choice.until <= today) delete snoozes[name as NoticeKey];
  if (snoozeExtent === undefined) delete snoozes[key];
  else snoozes[key] = snoozeExtent === 'day' ? { until: addDays(today, 1) } : { newest: snoozeExtent };
  await setPreference(db, userId, snoozesPreference, Object.keys(snoozes).length > 0 ? snoozes : undefined);
}

/** The user has seen the invoices with ids up to `invoiceId` that are due by the end of the week of `day`. */
interface SeenPosition {
  day: PlainDate;
  invoiceId: number;
}

/** Counts the invoices that became due after `seen`, and those captured after it with a due day that `seen` covers. */
async function countInvoicesDueSinceSeen(
  db: Db,
  seen: SeenPosition,
  day: TodayAndTimeZone,
): Promise<{ late: number; soon: number }> {
  const { today } = day;
  const [from, sunday] = [sundayOf(seen.day), sundayOf(today)];
  const dueAfter = from < today ? today : addDays(from, 1);
  const captured = await buildCapturedSinceSeenQuery(db, seen, today, from).executeTakeFirst();
  const [late, soon] = await Promise.all([
    seen.day < today ? sumInvoices(db, { status: 'vencida', venceDesde: seen.day }, day) : NO_INVOICES,
    dueAfter <= sunday
      ? sumInvoices(db, { status: 'por-pagar', venceDesde: dueAfter, venceHasta: sunday }, day)
      : NO_INVOICES,
  ]);
  return { late: late.count + (captured?.late ?? 0), soon: soon.count + (captured?.soon ?? 0) };
}

const NO_INVOICES = { count: 0 };

/** Filters by id only. With a condition on open invoices too, SQLite would go through all open ones. */
const buildCapturedSinceSeenQuery = (
  db: Db,
  { day, invoiceId }: SeenPosition,
  today: PlainDate,
  sunday: PlainDate,
) => {
  const countOpenWhere = (due: RawBuilder<unknown>) =>
    sql<number>`coalesce(sum(case when "paidCents" < "totalCents" and vence <= ${sunday} and ${due} then 1 else 0 end), 0)`;
  return db
    .selectFrom('invoices')
    .select([
      countOpenWhere(sql`vence < ${day}`).as('late'),
      countOpenWhere(sql`vence >= ${today}`).as('soon'),
    ])
    .where('id', '>', invoiceId);
};

async function readLastInvoiceId(db: Db): Promise<number> {
  const last = db.selectFrom('invoices').select((eb) => eb.fn.max<number | null>('id').as('id'));
  return (await last.executeTakeFirstOrThrow()).id ?? 0;
}
