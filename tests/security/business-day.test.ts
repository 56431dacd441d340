import { expect, it } from 'vitest';
import { isoWeekOf } from '../../shared/dates.ts';
import { createTestApp } from '../support/app.ts';
import { describeEachInLongLane } from '../support/proofs.ts';
import { addInvoice, addJob, addSupplier } from '../support/rows.ts';
import { readRow } from '../support/stored.ts';

/** 18:30 on 20 November in Mexico City; already 21 November in UTC and east of it. */
const EVENING = '2026-11-21T00:30:00.000Z';

describeEachInLongLane('a business day', (fresh) => {
  it('T41 · is the day at the place of the business, wherever the server is', async () => {
    const { zone, offset } = here();
    if (process.env.TZ) expect(zone).toBe(process.env.TZ);
    expect(offset[zone as keyof typeof offset] ?? offset.now).toBe(offset.now);
    const { db } = fresh;
    const ana = await createTestApp({ db, now: EVENING }).as([1, 3]);
    expect(await (await ana.get('/invoices')).text()).toContain('20-11-2026');

    const facturaproveedorId = await addInvoice(db, { fechavencimiento: '2026-11-20' });
    const paid = await ana.post('/api/payments/newpayment', { facturaproveedorId, paymentamount: 1 });
    expect(await paid.json()).toMatchObject({ paymentdate: '2026-11-20' });
    const stored = await db.selectFrom('payments').select('paymentdate').executeTakeFirstOrThrow();
    expect(stored).toEqual({ paymentdate: '2026-11-20' });

    const late = await addInvoice(db, { fechavencimiento: '2026-11-19' });
    const read = async (id: number) => (await ana.get(`/api/facturaproveedores/${id}`)).json();
    expect(await read(facturaproveedorId)).toMatchObject({
      status: 'parcial',
      vencimientoTexto: 'Vence hoy',
    });
    expect(await read(late)).toMatchObject({ status: 'vencida', vencimientoTexto: 'Vencida hace 1 día' });
  });

  it.each([
    ['2026-11-21T05:59:59.999Z', '20-11-2026'],
    ['2026-11-21T06:00:00.000Z', '21-11-2026'],
    ['2027-01-01T05:59:59.999Z', '31-12-2026'],
    ['2027-01-01T06:00:00.000Z', '01-01-2027'],
  ])('T41 · ends at midnight in the zone of the business: at %s it is %s', async (now, day) => {
    const ana = await createTestApp({ db: fresh.db, now }).as([1, 3]);
    expect(await (await ana.get('/invoices')).text()).toContain(day);
  });

  it('T41 · is stored and read as the same ten characters, also when clocks change', async () => {
    const { db } = fresh;
    const ana = await createTestApp({ db, now: EVENING }).as([1, 3]);
    const [supplierId, jobId] = [await addSupplier(db), await addJob(db)];
    for (const [n, date] of DAYS.entries()) {
      const draft = { supplierId, jobId, subtotal: 1 + n, fechaemision: date, fechavencimiento: date };
      const made = await ana.post('/api/facturaproveedores/newfacturaproveedor', draft);
      const { id, fechaemision } = (await made.json()) as { id: number; fechaemision: string };
      expect(fechaemision).toBe(date);
      const row = await readRow(db, 'invoices', { id }, ['fechaemision', 'fechavencimiento']);
      expect(row).toEqual({ fechaemision: date, fechavencimiento: date });
      const filter = `fechaemisionDesde=${date}&fechaemisionHasta=${date}`;
      const found = await (await ana.get(`/api/facturaproveedores/search?${filter}`)).json();
      expect((found as { id: number }[]).map((one) => one.id)).toEqual([id]);
    }
  });

  it('T41 · belongs to the ISO week of its Thursday', () => {
    expect(isoWeekOf('2027-01-01')).toEqual({ year: 2026, week: 53 });
    expect(isoWeekOf('2025-12-29')).toEqual({ year: 2026, week: 1 });
  });
});

/** Around New Year, leap days, and the nights when clocks change in Mexico, Spain and elsewhere. */
const DAYS = [
  '2024-02-29',
  '2025-12-31',
  '2026-01-01',
  '2026-03-29',
  '2026-04-05',
  '2026-10-25',
  '2026-12-31',
  '2027-01-01',
];

/** Reads this process's time zone, and its UTC offset at EVENING. */
function here() {
  const now = new Date(EVENING).getTimezoneOffset();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return {
    zone,
    offset: { UTC: 0, 'America/Mexico_City': 360, 'Europe/Madrid': -60, 'Pacific/Kiritimati': -840, now },
  };
}
