import { expect, it } from 'vitest';
import { sumOpenByDueDay } from '../../../../server/services/invoices/open-sums.ts';
import { createDueNotices } from '../../../../server/services/notices/notices.ts';
import { createTestApp } from '../../../support/app.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import {
  addFundingSource,
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  TODAY,
} from '../../../support/rows.ts';

const DAY = { today: TODAY, timeZone: 'America/Mexico_City' };

// TODAY is a Friday: what is due until Sunday the 22nd is due this week.
describeEachDatabase('the due invoices on the bell', (fresh) => {
  const addDue = async (...days: (string | null)[]) => {
    const { db } = fresh;
    const parts = { supplierId: await addSupplier(db), jobId: await addJob(db) };
    const ids: number[] = [];
    for (const fechavencimiento of days) ids.push(await addInvoice(db, { ...parts, fechavencimiento }));
    return ids;
  };

  it('are none if nothing is due', async () => {
    await addDue('2026-11-23');
    expect(createDueNotices(await sumOpenByDueDay(fresh.db), DAY)).toEqual([]);
  });

  it('are the invoices overdue and due this week, with their pending amounts', async () => {
    const [first] = await addDue('2026-11-19', '2025-01-01', TODAY, '2026-11-22', '2026-11-23');
    await addPayment(fresh.db, {
      facturaproveedorId: first!,
      amountCents: 16_000,
      userId: (await addUser(fresh.db)).id,
    });
    const notices = createDueNotices(await sumOpenByDueDay(fresh.db), DAY);
    expect(notices.map(({ label, count, tone }) => [label, count, tone])).toEqual([
      ['2 facturas vencidas por $2,160.00', 2, 'danger'],
      ['2 facturas vencen esta semana por $2,320.00', 2, 'warn'],
    ]);
  });

  it('are worded in the singular for one, and lead to a list of exactly those', async () => {
    await addDue('2026-11-19', null); // due when it was captured, today
    const notices = createDueNotices(await sumOpenByDueDay(fresh.db), DAY);
    expect(notices.map(({ label }) => label)).toEqual([
      '1 factura vencida por $1,160.00',
      '1 factura vence esta semana por $1,160.00*',
    ]);
    const ana = await createTestApp({ db: fresh.db }).as(2);
    for (const { href } of notices) {
      const page = await (await ana.get(href)).text();
      const ids = [...page.matchAll(/href="\/editinvoicepage\/(\d+)"/g)].map((match) => match[1]);
      expect(new Set(ids).size).toBe(1);
    }
  });

  it('are read again after a change', async () => {
    const [id] = await addDue('2026-11-19');
    const source = await addFundingSource(fresh.db);
    const ana = await createTestApp({ db: fresh.db }).as(2);
    const bell = async () =>
      (await (await ana.get('/notificaciones/campana')).text()).includes('1 factura vencida');
    expect(await bell()).toBe(true);
    const paid = await ana.form('/new-payment', {
      facturaproveedorId: id,
      origenderecursoId: source,
      paymentamount: '1160',
    });
    expect(paid.status).toBe(303);
    expect(await bell()).toBe(false);
  });
});
