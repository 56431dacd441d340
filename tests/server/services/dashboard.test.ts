import { expect, it } from 'vitest';
import type { Db } from '../../../db/schema.ts';
import { readBalances } from '../../../server/services/balances/balances.ts';
import { readDashboard } from '../../../server/services/dashboard.ts';
import { sumInvoices } from '../../../server/services/invoices/sums.ts';
import { changeSetting } from '../../../server/services/settings/settings.ts';
import { pendingOf } from '../../../shared/invoices.ts';
import { describeEachDatabase } from '../../support/databases.ts';
import { actor, addInvoice, addJob, addPayment, addSupplier, addUser, TODAY } from '../../support/rows.ts';

const day = { today: TODAY, timeZone: 'America/Mexico_City' };

/** Invoices due before, in and after the weeks shown, some with a computed due date, some partly paid. */
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
  null, // computed: 2026-10-11
];

describeEachDatabase('the dashboard', (fresh) => {
  it('its weeks are the columns of the balance report, and add up to its Total general', async () => {
    const { db } = fresh;
    await addDue(db, DUES);
    const { weeks, open } = await readDashboard(db, day);
    const report = await readBalances(db, {}, day);
    const shown = weeks.slice(0, -1);
    expect(shown.map(({ column }) => column.key)).toEqual([
      'ANTERIORES',
      'SEM 47',
      'SEM 48',
      'SEM 49',
      'SEM 50',
      'SEM 51',
      'SEM 52',
      'SEM 53',
      'SEM 1 2027',
    ]);
    expect(weeks.at(-1)!.column.key).toBe('SEM 2+ 2027');
    for (const { column, sumCents } of shown) expect(sumCents).toBe(report.total.amounts[column.key] ?? 0);
    const sum = weeks.reduce((total, week) => total + week.sumCents, 0);
    expect(sum).toBe(report.total.totalCents);
    expect(open).toEqual({ count: DUES.length, sumCents: report.total.totalCents });
    expect(weeks.map(({ count }) => count)).toEqual([3, 3, 1, 0, 0, 1, 0, 0, 1, 2]);
  });

  it('its figures are those of the invoice list under the status of the same name', async () => {
    const { db } = fresh;
    await addDue(db, DUES);
    const { open, overdue, undated } = await readDashboard(db, day);
    for (const [figure, status] of [
      [open, 'por-pagar'],
      [overdue, 'vencida'],
      [undated, 'sin-vencimiento'],
    ] as const) {
      const listed = await sumInvoices(db, { status, corte: TODAY }, day);
      expect(figure, status).toEqual({ count: listed.count, sumCents: pendingOf(listed) });
    }
    expect(overdue.count).toBe(4);
    expect(undated).toEqual({ count: 1, sumCents: 127_600 });
  });

  it('what is paid after today is owed today, also of an invoice without an issue date', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    for (const fechaemision of [null, '2026-10-01']) {
      const id = await addInvoice(db, { fechaemision });
      const paid = { facturaproveedorId: id, amountCents: 116_000, userId, paymentdate: '2026-11-21' };
      await addPayment(db, paid);
    }
    const { open } = await readDashboard(db, day);
    const listed = await sumInvoices(db, { status: 'por-pagar', corte: TODAY }, day);
    expect(open).toEqual({ count: 2, sumCents: 232_000 });
    expect(open).toEqual({ count: listed.count, sumCents: pendingOf(listed) });
  });

  it('around New Year its weeks follow the ISO calendar', async () => {
    await addDue(fresh.db, ['2027-01-03', '2027-01-04']);
    const { weeks } = await readDashboard(fresh.db, { ...day, today: '2027-01-01' });
    expect(weeks.slice(0, 4).map(({ column, count }) => [column.key, column.days, count])).toEqual([
      ['ANTERIORES', 'antes del 28 dic', 0],
      ['SEM 53', '28 dic – 3 ene', 1],
      ['SEM 1 2027', '4 – 10 ene', 1],
      ['SEM 2 2027', '11 – 17 ene', 0],
    ]);
  });

  it('shows its eight weeks however many the report is set to, and though nothing is due in them', async () => {
    await addDue(fresh.db, ['2026-11-20']);
    await changeSetting(fresh.db, actor(), 'semanas', '2');
    const { weeks } = await readDashboard(fresh.db, day);
    expect(weeks).toHaveLength(9);
    expect(weeks.filter(({ count }) => count > 0).map(({ column }) => column.key)).toEqual(['SEM 47']);
  });

  it('paid this month is what is dated from the first of the month until today', async () => {
    const { db } = fresh;
    const { id: userId } = await addUser(db);
    const facturaproveedorId = await addInvoice(db, { fechaemision: '2026-10-01' });
    for (const paymentdate of ['2026-10-31', '2026-11-01', TODAY, '2026-11-21']) {
      await addPayment(db, { facturaproveedorId, amountCents: 1_000, userId, paymentdate });
    }
    expect((await readDashboard(db, day)).paidThisMonth).toEqual({ count: 2, sumCents: 2_000 });
  });

  it('an empty company owes nothing', async () => {
    const none = { count: 0, sumCents: 0 };
    expect(await readDashboard(fresh.db, day)).toMatchObject({
      open: none,
      overdue: none,
      undated: none,
      paidThisMonth: none,
    });
  });
});
