import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Db } from '../../../../db/schema.ts';
import { readDashboard } from '../../../../server/services/balances/dashboard.ts';
import { sumInvoices, sumInvoicesCapturedSince } from '../../../../server/services/invoices/sums.ts';
import { sumPayments } from '../../../../server/services/payments/sums.ts';
import { changeSetting } from '../../../../server/services/settings/settings.ts';
import { pendingOf } from '../../../../shared/invoices.ts';
import { describeEachDatabase } from '../../../support/databases.ts';
import {
  addInvoice,
  addJob,
  addPayment,
  addSupplier,
  addUser,
  createActor,
  TODAY,
} from '../../../support/rows.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

/** Stores invoices due before, in and after the shown weeks, some with an estimated due day, some partly paid. */
async function addDue(db: Db, dues: readonly (string | null)[]) {
  const supplierId = await addSupplier(db, { diascredito: 10 });
  const jobId = await addJob(db);
  const { id: userId } = await addUser(db);
  for (const [index, fechavencimiento] of dues.entries()) {
    const invoiceId = await addInvoice(db, {
      supplierId,
      jobId,
      fechaemision: '2026-10-01',
      fechavencimiento,
      subtotalCents: 100_000 + 1_000 * index,
    });
    if (index % 2 === 1) {
      await addPayment(db, { facturaproveedorId: invoiceId, amountCents: 1_234, userId, paymentdate: TODAY });
    }
  }
}

const DUES = [
  '2026-10-30',
  '2026-11-15', // Sunday before this week
  '2026-11-16', // Monday of this week, overdue by now
  '2026-11-20', // today
  '2026-11-22',
  '2026-11-23',
  '2026-12-20',
  '2027-01-10', // last day of the eighth week
  '2027-01-11',
  '2027-06-01',
  null, // estimated: 2026-10-11
];

describeEachDatabase('the dashboard', (fresh) => {
  // due-day.test.ts compares these figures with the lists for arbitrary invoices.
  it('sums overdue invoices, those due this week and in the next four, and later ones', async () => {
    await addDue(fresh.db, DUES);
    const { weeks, open, overdue, thisWeek, later } = await readDashboard(fresh.db, day);
    expect(weeks.map(({ column }) => column.key)).toEqual(['SEM 48', 'SEM 49', 'SEM 50', 'SEM 51']);
    const counts = [open, overdue, thisWeek, ...weeks, later].map(({ count }) => count);
    expect(counts).toEqual([DUES.length, 4, 2, 1, 0, 0, 1, 3]);
  });

  it('sums overdue invoices by age', async () => {
    const { db } = fresh;
    const days = '2026-11-20 2026-11-19 2026-10-21 2026-10-20 2026-09-21 2026-08-22 2026-08-21';
    await addDue(db, days.split(' '));
    const { aging, overdue, open } = await readDashboard(db, day);
    const { notDueCents, ...late } = aging;
    expect(Object.values(late).reduce((sum, cents) => sum + cents, 0)).toBe(overdue.sumCents);
    expect(notDueCents).toBe(open.sumCents - overdue.sumCents);
    const total = (index: number, paid = 0) => ((100_000 + 1_000 * index) * 116) / 100 - paid;
    expect(late).toEqual({
      to30Cents: total(1, 1_234) + total(2),
      to60Cents: total(3, 1_234) + total(4),
      to90Cents: total(5, 1_234),
      beyond90Cents: total(6),
    });
  });

  it('names the suppliers with the largest debts, as the list shows them, and the largest due this week', async () => {
    const { db } = fresh;
    for (let index = 0; index < 12; index++)
      await addDue(db, ['2026-11-20', '2026-11-21', '2026-12-24'].slice(index % 3));
    // Paid and issued later: both count.
    const last = await addInvoice(db, { supplierId: 1, fechaemision: '2026-12-01' });
    const { id: userId } = await addUser(db);
    await addPayment(db, { facturaproveedorId: 1, amountCents: 500, userId, paymentdate: '2026-12-01' });
    expect(last).toBeGreaterThan(1);
    const { suppliers, dueSoon } = await readDashboard(db, day);
    expect(suppliers).toHaveLength(10);
    for (const { supplierId, sumCents } of suppliers)
      expect(sumCents).toBe(pendingOf(await sumInvoices(db, { supplierId, status: 'por-pagar' }, day)));
    expect(suppliers.map(({ sumCents }) => sumCents)).toEqual(
      suppliers.map(({ sumCents }) => sumCents).sort((a, b) => b - a),
    );
    expect(dueSoon).toHaveLength(5);
    expect(dueSoon.every(({ vence }) => vence >= TODAY && vence <= '2026-11-22')).toBe(true);
    expect(dueSoon.map(({ pendingCents }) => pendingCents)).toEqual(
      dueSoon.map(({ pendingCents }) => pendingCents).sort((a, b) => b - a),
    );
  });

  it('shows the billed and paid sums of twelve months as the lists do, the current month until today', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const days = ['2025-11-30', '2025-12-01', '2026-02-28', '2026-11-20', '2026-11-21'];
    for (const [index, day] of days.entries()) {
      const facturaproveedorId = await addInvoice(db, { fechaemision: day, subtotalCents: 50_000 + index });
      await addPayment(db, { facturaproveedorId, amountCents: 10_000 + index, userId, paymentdate: day });
    }
    const { months } = await readDashboard(db, day);
    expect([months.length, months[0]?.from, months.at(-3)?.from]).toEqual([12, '2025-12-01', '2026-09-01']);
    expect(months.at(-1)).toMatchObject({ from: '2026-11-01', to: TODAY });
    for (const { from, to, billedCents, paidCents } of months) {
      const billed = await sumInvoices(db, { fechaemisionDesde: from, fechaemisionHasta: to }, day);
      expect([from, billedCents]).toEqual([from, billed.totalCents]);
      const paid = await sumPayments(db, { paymentdateDesde: from, paymentdateHasta: to, kind: 'pago' });
      expect([from, paidCents]).toEqual([from, paid.amountCents]);
    }
    expect(months.filter(({ billedCents }) => billedCents > 0)).toHaveLength(3);
  });

  it('reports what is new since yesterday', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const id = await addInvoice(db, { createdAt: '2026-11-19T06:00:00.000Z' });
    expect((await readDashboard(db, day)).news.invoices.count, 'all on file are new').toBe(0);
    await addInvoice(db, { createdAt: '2026-11-19T05:59:59.999Z' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 700, userId, paymentdate: '2026-11-18' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 900, userId, paymentdate: '2026-11-19' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 500, userId, paymentdate: '2026-11-10' });
    await addPayment(db, { facturaproveedorId: id, amountCents: 300, userId, paymentdate: '2026-11-21' });
    const { news, lastPayments } = await readDashboard(db, day);
    expect(news.invoices.count).toBe(1);
    expect(news.payments).toEqual({ count: 1, sumCents: 900 });
    expect(lastPayments.map(({ amountCents }) => amountCents)).toEqual([900, 700, 500]);
  });

  it.each([
    ['none of many', '2026-11-19T12:00:00.000Z', '2026-11-20'],
    ['nearly all', '2026-11-20T12:00:00.000Z', '2026-11-20'],
    ['half of many', '2026-11-20T12:00:00.000Z', '2026-11-20', 1_500],
  ])('shows what was captured as its list does: %s', async (_, imported, since, earlier = 0) => {
    const { db } = fresh;
    const first = await addInvoice(db, { createdAt: '2026-11-02T12:00:00.000Z' });
    const last = await addInvoice(db, { createdAt: imported });
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
      insert into invoices ("supplierId", "jobId", numfactura, "numfacturaFold", "numfacturaKey", vence, fechacaptura,
        "subtotalCents", tasa, "ivaCents", "totalCents", comments, "createdAt", "updatedAt")
      select "supplierId", "jobId", 'L-' || i, 'l-' || i, 'l' || i, vence, fechacaptura, 100 + i, 0, 0, 100 + i, '',
        "createdAt", "updatedAt"
      from invoices, n where invoices.id = ${last} or (invoices.id = ${first} and i <= ${earlier})`.execute(
      db,
    );
    const captured = await sumInvoices(db, { capturaDesde: since }, day);
    expect(await sumInvoicesCapturedSince(db, since, day)).toEqual({
      count: captured.count,
      sumCents: captured.totalCents,
    });
    expect(captured.count).toBe(imported < since ? 0 : 1_501);
  });

  it('follows the ISO calendar around New Year', async () => {
    await addDue(fresh.db, ['2027-01-03', '2027-01-04']);
    const { weeks, thisWeek } = await readDashboard(fresh.db, { ...day, today: '2027-01-01' });
    expect(thisWeek.count).toBe(1);
    expect(weeks.slice(0, 2).map(({ column, count }) => [column.key, column.days, count])).toEqual([
      ['SEM 1 2027', '4 – 10 ene', 1],
      ['SEM 2 2027', '11 – 17 ene', 0],
    ]);
  });

  it('shows its four weeks whatever number the report is set to, even if nothing is due in them', async () => {
    await addDue(fresh.db, ['2026-11-20']);
    await changeSetting(fresh.db, createActor(), 'semanas', '2');
    const { weeks, later } = await readDashboard(fresh.db, day);
    expect(weeks.map(({ count }) => count)).toEqual([0, 0, 0, 0]);
    expect(later.count).toBe(0);
  });

  it('counts payments dated from the first of the month until today as paid this month', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const facturaproveedorId = await addInvoice(db, { fechaemision: '2026-10-01' });
    for (const paymentdate of ['2026-10-31', '2026-11-01', TODAY, '2026-11-21']) {
      await addPayment(db, { facturaproveedorId, amountCents: 1_000, userId, paymentdate });
    }
    expect((await readDashboard(db, day)).paidThisMonth).toEqual({ count: 2, sumCents: 2_000 });
  });
});
