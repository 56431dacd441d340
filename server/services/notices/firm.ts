import type { Db } from '../../../db/schema.ts';
import { daysBetween, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import { lastMonths } from '../../../shared/periods.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { ClosingDate } from '../closing/closing.ts';
import { nameOfMonth } from '../closing/month.ts';
import { readLastBackup } from '../database/last-backup.ts';
import { type Day, filterInvoices } from '../invoices/reading.ts';
import type { Settings } from '../settings/definitions.ts';
import type { Notice } from './notice.ts';

/** What administrators look after. */
export async function firmNotices(db: Db, settings: Settings, day: Day): Promise<Notice[]> {
  const backup = await backupNotice(db, Number(settings['respaldo.dias']), day);
  const closing = await closingNotice(db, settings.cierre, day);
  return [backup, closing].filter((one) => one !== undefined);
}

/** Days into a month until the one before should be closed. */
const CLOSING_DAYS = 5;

/** The last month, where anything is in it or before it. */
async function closingNotice(db: Db, closing: ClosingDate, day: Day): Promise<Notice | undefined> {
  const [month] = lastMonths(day.today, 2);
  if (!month || month.to <= closing || Number(day.today.slice(8)) <= CLOSING_DAYS) return undefined;
  const [any] = await filterInvoices(db, { fechaemisionHasta: month.to }, day)
    .select('invoices.id')
    .limit(1)
    .execute();
  if (!any) return undefined;
  const newest = { day: month.to, id: 0 };
  const href = withQuery(pages.closing, { mes: month.from.slice(0, 7) });
  return { key: 'cierre', label: `Falta cerrar ${nameOfMonth(month)}`, href, tone: 'warn', count: 0, newest };
}

/** Where there has never been one, it is counted from the first thing that anybody did. */
async function backupNotice(db: Db, days: number, { today, timeZone }: Day): Promise<Notice | undefined> {
  const last = await readLastBackup(db);
  const at = last?.at ?? (await firstMoment(db));
  if (at === undefined) return undefined;
  const day = plainDateIn(new Date(at), timeZone);
  const age = daysBetween(day, today);
  if (age <= days) return undefined;
  const label = last ? `El último respaldo es de hace ${age} días` : 'Todavía no hay ningún respaldo';
  const newest = { day, id: last?.id ?? 0 };
  return { key: 'respaldo', label, href: `${pages.settings}#respaldos`, tone: 'warn', count: 0, newest };
}

const firstMoment = async (db: Db): Promise<PlainDate | undefined> =>
  (await db.selectFrom('audit').select('at').orderBy('id').limit(1).executeTakeFirst())?.at;
