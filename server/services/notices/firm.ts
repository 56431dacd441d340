import { cachedAnswer } from '../../../db/answer-cache.ts';
import type { Db } from '../../../db/schema.ts';
import { daysBetween, type PlainDate, plainDateIn } from '../../../shared/dates.ts';
import { pages } from '../../../shared/urls.ts';
import { readLastBackup } from '../database/last-backup.ts';
import type { Day } from '../invoices/reading.ts';
import type { Settings } from '../settings/definitions.ts';
import type { Notice } from './notice.ts';

/** What administrators look after. */
export async function firmNotices(db: Db, settings: Settings, day: Day): Promise<Notice[]> {
  return [await backupNotice(db, Number(settings['respaldo.dias']), day)].filter((one) => one !== undefined);
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
  (
    await cachedAnswer(db, 'first entry', async () => ({
      ...(await db.selectFrom('audit').select('at').orderBy('id').limit(1).executeTakeFirst()),
    }))
  ).at;
