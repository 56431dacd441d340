import { expect, it } from 'vitest';
import { openByDueDay } from '../../../../server/services/invoices/open-sums.ts';
import { dueNotices } from '../../../../server/services/notices/notices.ts';
import { markSeen, SEEN_NOTICES, unseenNotices } from '../../../../server/services/notices/seen.ts';
import { readPreference } from '../../../../server/services/preferences/preferences.ts';
import { addDays, type PlainDate } from '../../../../shared/dates.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import { addInvoice, addJob, addPayment, addSupplier, addUser, TODAY } from '../../../support/rows.ts';

// TODAY is a Friday: this week ends on the 22nd.
describeEachDatabase('what the bell counts', (fresh) => {
  const start = async () => {
    const { db } = fresh;
    const parts = { supplierId: await addSupplier(db), jobId: await addJob(db) };
    const { id: userId } = await addUser(db);
    const add = (fechavencimiento: PlainDate) => addInvoice(db, { ...parts, fechavencimiento });
    const unseen = async (today = TODAY) => {
      const day = { today, timeZone: 'America/Mexico_City' };
      const seen = await readPreference(db, userId, SEEN_NOTICES);
      return unseenNotices(db, dueNotices(await openByDueDay(db), day), seen, day);
    };
    const look = async (today = TODAY) => {
      const news = await unseen(today);
      if (news) await markSeen(db, userId, news.until);
    };
    const counted = async (today = TODAY) => {
      const news = await unseen(today);
      return news && [news.count, news.isLate];
    };
    return { userId, add, look, counted };
  };

  it('is all that there is to whoever never looked, and nothing right after', async () => {
    const { add, look, counted } = await start();
    for (const day of ['2025-03-01', '2026-11-19', TODAY, '2026-11-22', '2026-11-23']) await add(day);
    expect(await counted()).toEqual([4, true]);
    await look();
    expect(await counted()).toBeUndefined();
  });

  it('is then what has become overdue, and what is due in a week that was not looked at', async () => {
    const { add, look, counted } = await start();
    for (const day of ['2025-03-01', TODAY, '2026-11-22', '2026-11-25', '2026-12-01']) await add(day);
    await look();
    expect(await counted(addDays(TODAY, 1))).toEqual([1, true]); // what was due today
    expect(await counted('2026-11-23')).toEqual([3, true]); // that, Sunday's, and Wednesday's, due this week
    await look('2026-11-23');
    expect(await counted('2026-11-25')).toBeUndefined();
    expect(await counted('2026-11-26')).toEqual([1, true]);
    expect(await counted('2026-12-01')).toEqual([2, true]);
  });

  it('is what was captured since, where it is due by then, as long as it is not paid', async () => {
    const { userId, add, look, counted } = await start();
    await add('2025-03-01');
    await look();
    const soon = await add(TODAY);
    await add('2026-11-23');
    expect(await counted()).toEqual([1, false]);
    await add('2026-10-01');
    expect(await counted()).toEqual([2, true]);
    await addPayment(fresh.db, { facturaproveedorId: soon, amountCents: 116_000, userId });
    expect(await counted()).toEqual([1, true]);
  });

  it('goes never back to what was looked at, whatever an older page says', async () => {
    const { userId, add, look, counted } = await start();
    await add('2025-03-01');
    await look();
    await markSeen(fresh.db, userId, { day: '2026-01-01', invoiceId: 0 });
    expect(await counted()).toBeUndefined();
  });
});
