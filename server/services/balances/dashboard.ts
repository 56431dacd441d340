import { sql } from 'kysely';
import { daySumsSubquery } from '../../../db/day-sums.ts';
import type { Db } from '../../../db/schema.ts';
import { computeAging } from '../../../shared/aging.ts';
import { buildBalanceColumns } from '../../../shared/balances.ts';
import { addDays, isoWeekOf, type PlainDate, sundayOf } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { lastOverdueDay, sumDueBetween } from '../../../shared/overdue.ts';
import { listLastMonths, monthPeriodOf, type Period, resolvePeriod } from '../../../shared/periods.ts';
import { readJobBudgets } from '../budgets/overview.ts';
import { sumUnappliedCreditNotes } from '../credit-notes/reading.ts';
import { sumOpenByDueDay, sumOpenBySupplier } from '../invoices/open-sums.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { sumInvoicesCapturedSince } from '../invoices/sums.ts';
import { searchPayments } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';
import { sumAwaitedVouchers } from '../petty-cash/searching.ts';
import { readLargestJobs } from '../results-by-job.ts';

const WEEKS_SHOWN = 4;
const MAX_RANKED_ROWS = 10;
const MAX_LISTED_ROWS = 5;

export type Dashboard = Awaited<ReturnType<typeof readDashboard>>;

/** Every figure equals that of an invoice or payment list. All stored payments count, whatever their date. */
export async function readDashboard(db: Db, day: TodayAndTimeZone) {
  const { today } = day;
  const week = { from: today, to: sundayOf(today) };
  const shownUntil = addDays(week.to, 7 * WEEKS_SHOWN);
  // Skips the report's first two columns (ANTERIORES, the current week): `overdue` and `thisWeek` cover their days.
  const [, , ...weeks] = buildBalanceColumns(isoWeekOf(today), shownUntil, 1 + WEEKS_SHOWN);
  const year = resolvePeriod({}, today);
  const yesterday = addDays(today, -1);
  const sumPaidSince = (from: PlainDate, kind: 'pago' | 'credito') =>
    sumPayments(db, { paymentdateDesde: from, paymentdateHasta: today, kind });
  const month = monthPeriodOf(today).from;
  const [
    open,
    paid,
    credited,
    paidNow,
    { late, ...awaited },
    jobs,
    unapplied,
    months,
    suppliers,
    dueSoon,
    last,
    captured,
  ] = await Promise.all([
    sumOpenByDueDay(db),
    sumPaidSince(month, 'pago'),
    sumPaidSince(month, 'credito'),
    sumPaidSince(yesterday, 'pago'),
    sumAwaitedVouchers(db, today),
    readLargestJobsWithBudgets(db, year),
    sumUnappliedCreditNotes(db, { corte: today, estado: 'con-saldo' }),
    readMonthlyTotals(db, today),
    sumOpenBySupplier(db, MAX_RANKED_ROWS),
    readLargestDueInvoices(db, week),
    searchPayments(db, {
      ...{ kind: 'pago', paymentdateHasta: today },
      ...{ sort: 'paymentdate', direction: 'desc', limit: MAX_LISTED_ROWS },
    }),
    sumInvoicesCapturedSince(db, yesterday, day),
  ]);
  const undated = open.filter(({ estimated }) => estimated);
  const sumDueWithin = (from: PlainDate | null, to: PlainDate | null) => ({
    ...sumDueBetween(open, from, to),
    anyEstimated: sumDueBetween(undated, from, to).count > 0,
  });
  return {
    open: sumDueBetween(open, null, null),
    overdue: sumDueWithin(null, lastOverdueDay(today)),
    aging: computeAging(
      open.map(({ vence, sumCents }) => ({ vence, pendingCents: sumCents })),
      today,
    ),
    thisWeek: sumDueWithin(week.from, week.to),
    /** invoices without a due day, which also count in the week of their estimated one */
    undated: sumDueBetween(undated, null, null),
    weeks: weeks.map((column) => ({ column, ...sumDueWithin(column.from, column.to) })),
    later: sumDueBetween(open, addDays(shownUntil, 1), null),
    paidThisMonth: { count: paid.count, sumCents: paid.amountCents },
    creditedThisMonth: { count: credited.count, sumCents: credited.creditCents },
    unapplied,
    /** cash given out of petty cash whose voucher is still missing */
    awaited: { ...awaited, isLate: late.count > 0 },
    months,
    suppliers,
    jobs,
    dueSoon,
    lastPayments: last.rows,
    news: { invoices: captured, payments: { count: paidNow.count, sumCents: paidNow.amountCents } },
  };
}

async function readLargestJobsWithBudgets(db: Db, period: Period) {
  const rows = await readLargestJobs(db, period, MAX_RANKED_ROWS);
  const jobIds = rows.flatMap(({ jobId }) => (jobId > 0 ? [jobId] : []));
  return { period, rows, budgets: await readJobBudgets(db, jobIds) };
}

async function readLargestDueInvoices(db: Db, { from, to }: Period) {
  const { rows } = await sql<{
    id: number;
    numfactura: string;
    suppliername: string;
    vence: PlainDate;
    fechavencimiento: PlainDate | null;
    pendingCents: Cents;
  }>`
    select largest.id, largest.numfactura, suppliers.suppliername, largest.vence, largest.fechavencimiento,
      largest."pendingCents" from (
      select id, numfactura, "supplierId", vence, fechavencimiento, "totalCents" - "paidCents" as "pendingCents"
      from invoices where "paidCents" < "totalCents" and vence between ${from} and ${to}
      order by 6 desc, id limit ${MAX_LISTED_ROWS}) largest
    join suppliers on suppliers.id = largest."supplierId"
    order by largest."pendingCents" desc, largest.id`.execute(db);
  return rows;
}

async function readMonthlyTotals(db: Db, today: PlainDate) {
  const months = listLastMonths(today, 12);
  const from = months[0]!.from;
  const { rows } = await sql<{ month: string; billedCents: Cents; paidCents: Cents }>`
    select month, sum(billed) as "billedCents", sum(paid) as "paidCents" from (
      select substr(cast(day as text), 1, 7) as month, "totalCents" as billed, 0 as paid
        from ${daySumsSubquery(db, 'issued')} where day between ${from} and ${today}
      union all select substr(cast(day as text), 1, 7), 0, "totalCents"
        from ${daySumsSubquery(db, 'payments')} where day between ${from} and ${today} and kind = 'pago') flows
    group by month`.execute(db);
  const flows = new Map(rows.map((row) => [row.month, row]));
  return months.map(({ from: first, to }) => {
    const { billedCents = 0, paidCents = 0 } = flows.get(first.slice(0, 7)) ?? {};
    return { from: first, to: to > today ? today : to, billedCents, paidCents };
  });
}
