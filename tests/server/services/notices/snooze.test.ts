import { describe, expect, it } from 'vitest';
import type { NoticeKey } from '../../../../server/services/notices/notice.ts';
import { readNotices } from '../../../../server/services/notices/notices.ts';
import {
  addNewestRow,
  separateSnoozed,
  snoozeNotice,
  snoozesPreference,
} from '../../../../server/services/notices/snooze.ts';
import { readPreference } from '../../../../server/services/preferences/preferences.ts';
import { changeSetting, readSettings } from '../../../../server/services/settings/settings.ts';
import { addDays, type PlainDate } from '../../../../shared/dates.ts';
import { lastPaymentDayWithRepDue } from '../../../../shared/payments.ts';
import { createTestApp } from '../../../support/app.ts';
import { useFreshDatabase } from '../../../support/databases.ts';
import { describeOneDatabase } from '../../../support/proofs.ts';
import {
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  createActor,
  TODAY,
} from '../../../support/rows.ts';

const timeZone = 'America/Mexico_City';

describeOneDatabase('a notice', (fresh) => {
  const start = async () => {
    const { db } = fresh;
    const parts = { supplierId: await addSupplier(db), jobId: await addJob(db) };
    const { id: userId } = await addUser(db);
    const shown = async (today: PlainDate = TODAY, roles = [3]) => {
      const day = { today, timeZone };
      const chosen = await readPreference(db, userId, snoozesPreference);
      return (
        await separateSnoozed(db, await readNotices(db, roles, await readSettings(db), day), chosen, day)
      ).shown;
    };
    const keys = async (today?: PlainDate, roles?: number[]) =>
      (await shown(today, roles)).map(({ key }) => key);
    const snooze = async (key: NoticeKey, how: 'day' | 'rows', today: PlainDate = TODAY) => {
      const notice = (await addNewestRow(db, await shown(today), today)).find((one) => one.key === key)!;
      await snoozeNotice(db, userId, today, key, how === 'day' ? 'day' : notice.newest);
    };
    const add = (fechavencimiento: PlainDate, more = {}) =>
      addInvoice(db, { ...parts, fechavencimiento, ...more });
    return { db, userId, parts, shown, keys, snooze, add };
  };

  it('that was snoozed for a day is back the next day, and is forgotten once another is snoozed', async () => {
    const { db, userId, keys, snooze, add } = await start();
    await add('2026-11-01');
    expect(await keys()).toEqual(['vencidas']);
    await snooze('vencidas', 'day');
    expect(await keys()).toEqual([]);
    expect(await keys(addDays(TODAY, 1))).toEqual(['vencidas']);
    await add(addDays(TODAY, 1));
    await snooze('esta-semana', 'day', addDays(TODAY, 1));
    expect(await readPreference(db, userId, snoozesPreference)).toEqual({
      'esta-semana': { until: addDays(TODAY, 2) },
    });
  });

  it('that was snoozed for its rows is back with the first new one, however late', async () => {
    const { keys, snooze, add } = await start();
    await add('2026-11-01');
    await add('2026-11-25');
    await snooze('vencidas', 'rows');
    expect(await keys()).toEqual([]);
    expect(await keys('2026-11-25')).toEqual(['esta-semana']);
    expect(await keys('2026-11-26')).toEqual(['vencidas']);
    await add('2026-10-01');
    expect(await keys()).toEqual(['vencidas']);
  });

  it('reports invoices that look like another as long as they are unpaid, as their list does', async () => {
    const { db, parts, shown, keys, snooze, add } = await start();
    await add('2026-12-31', { fechaemision: '2026-10-01' });
    const second = await add('2026-12-31', { fechaemision: '2026-10-08' });
    await addInvoice(db, { ...parts, fechaemision: '2026-10-30', fechavencimiento: '2026-12-31' });
    const [notice] = (await shown()).filter(({ key }) => key === 'parecidas');
    expect(notice).toMatchObject({ count: 2, label: '2 facturas por pagar se parecen a otra' });
    const ana = await createTestApp({ db }).as(2);
    const page = await (await ana.get(notice!.href)).text();
    expect(
      new Set([...page.matchAll(/href="\/editinvoicepage\/(\d+)"/g)].map((match) => match[1])).size,
    ).toBe(2);
    await snooze('parecidas', 'rows');
    expect(await keys()).not.toContain('parecidas');
    await addPayment(db, {
      facturaproveedorId: second,
      amountCents: 116_000,
      userId: (await addUser(db)).id,
    });
    expect(await keys()).not.toContain('parecidas');
    await add('2026-12-31', { fechaemision: '2026-10-05' });
    expect(await keys()).toContain('parecidas');
  });

  it('reports missing receipts, as their list does', async () => {
    const { db, shown, add } = await start();
    const id = await add('2026-12-31', { totalCents: 116_000 });
    await db.updateTable('invoices').set({ metodopago: 'PPD' }).where('id', '=', id).execute();
    const { id: userId } = await addUser(db);
    for (const paymentdate of ['2026-10-31', '2026-11-01'])
      await addPayment(db, { facturaproveedorId: id, amountCents: 100, userId, paymentdate });
    const late = async (today: PlainDate) =>
      (await shown(today)).flatMap(({ key, count, href }) => (key === 'rep' ? [[count, href]] : []));
    const list = (until: PlainDate) =>
      `/pagos-proveedores?rep=sin&paymentdateHasta=${until}&sortfield=paymentdate`;
    expect(await late('2026-11-05')).toEqual([]);
    expect(await late('2026-11-06')).toEqual([[1, list('2026-10-31')]]);
    expect(await late('2026-12-06')).toEqual([[2, list('2026-11-30')]]);
  });

  it('tells administrators of a backup that is too old, until there is a newer one', async () => {
    const { db, keys, snooze, shown } = await start();
    await changeSetting(db, createActor(), 'respaldo.dias', '3');
    expect(await keys(addDays(TODAY, 3))).toEqual([]);
    expect(await keys(addDays(TODAY, 4), [1, 2])).toEqual([]);
    expect((await shown(addDays(TODAY, 4))).map(({ label }) => label)).toEqual([
      'Todavía no hay ningún respaldo',
    ]);
    await snooze('respaldo', 'rows', addDays(TODAY, 4));
    expect(await keys(addDays(TODAY, 40))).toEqual([]);
  });

  it('tells administrators of a month that is not closed, from its sixth day on', async () => {
    const { db, keys, shown, snooze } = await start();
    await addInvoice(db, { fechaemision: '2026-10-20', fechavencimiento: '2027-10-20' });
    expect(await keys('2026-11-05')).toEqual([]);
    expect((await shown('2026-11-06')).map(({ label, href }) => [label, href])).toEqual([
      ['Falta cerrar octubre de 2026', '/cierre?mes=2026-10'],
    ]);
    expect(await keys('2026-11-06', [1])).toEqual([]);
    await snooze('cierre', 'rows', '2026-11-06');
    expect(await keys('2026-11-30')).toEqual([]);
    expect(await keys('2026-12-06')).toEqual(['cierre']);
    await changeSetting(db, createActor({ roles: [3], today: '2026-12-06' }), 'cierre', '2026-11-30');
    expect(await keys('2026-12-06')).not.toContain('cierre');
  });
});

describe('the bell', () => {
  const fresh = useFreshDatabase('sqlite');

  it('hides notices that this user snoozed, and shows them again, without a script', async () => {
    await addInvoice(fresh.db, { fechavencimiento: '2026-11-01' });
    const ana = await createTestApp({ db: fresh.db }).as(4);
    expect(await (await ana.get('/notificaciones/campana')).text()).toContain('1 factura vencida');
    const page = await (await ana.get('/notificaciones')).text();
    const form = /action="\/notificaciones\/posponer".*?<\/form>/s.exec(page)![0];
    const fields = Object.fromEntries(
      [...form.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!]),
    );
    const headers = { referer: 'http://saldo.test/notificaciones' };
    const put = await ana.form('/notificaciones/posponer', { ...fields, hasta: 'otra' }, { headers });
    expect([put.status, put.headers.get('location')]).toEqual([303, '/notificaciones']);
    expect(await (await ana.get('/notificaciones/campana')).text()).not.toContain('1 factura vencida');
    const own = await (await ana.get('/notificaciones')).text();
    expect(own).toContain('Mostrar otra vez: 1 factura vencida');
    await ana.form('/notificaciones/posponer', { aviso: 'vencidas', hasta: 'nada' });
    expect(await (await ana.get('/notificaciones/campana')).text()).toContain('1 factura vencida');
    const luis = await createTestApp({ db: fresh.db }).as(4);
    expect(await (await luis.get('/notificaciones/campana')).text()).toContain('1 factura vencida');
  });

  it.each([
    { aviso: 'otra', hasta: 'manana' },
    { aviso: 'vencidas', hasta: 'siempre' },
    { aviso: 'vencidas', hasta: 'otra', dia: 'hoy', id: '1' },
    { aviso: 'vencidas', hasta: 'otra', dia: '2026-11-20', id: '-1' },
  ])('refuses what it does not offer: %o', async (fields) => {
    const ana = await createTestApp({ db: fresh.db }).as(4);
    expect((await ana.form('/notificaciones/posponer', fields)).status).toBe(400);
  });
});

it.each([
  ['2026-11-05', '2026-09-30'],
  ['2026-11-06', '2026-10-31'],
  ['2027-01-05', '2026-11-30'],
  ['2027-01-06', '2026-12-31'],
])('reports receipts on %s as late for payments until %s', (today, until) => {
  expect(lastPaymentDayWithRepDue(today)).toBe(until);
});
