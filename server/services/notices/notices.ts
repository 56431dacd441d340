import type { Db } from '../../../db/schema.ts';
import { mayEnter } from '../../../shared/roles.ts';
import type { Day } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { documentNotices } from './documents.ts';
import { dueNotices } from './due.ts';
import { firmNotices } from './firm.ts';
import type { Notice } from './notice.ts';

/**
 * All that there is to look after for whoever has these roles; every page asks.
 * @param whole with what a large firm's pages do not count
 */
export async function readNotices(
  db: Db,
  roles: readonly number[],
  day: Day,
  { whole = false } = {},
): Promise<readonly Notice[]> {
  const due = await dueNotices(db, day);
  const documents = await documentNotices(db, day, { whole });
  const ofFirm = mayEnter('admin', roles) ? await firmNotices(db, await readSettings(db), day) : [];
  return [...due, ...documents, ...ofFirm];
}
