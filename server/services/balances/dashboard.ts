import { sql } from 'kysely';
import { daySums } from '../../../db/day-sums.ts';
import type { Db } from '../../../db/schema.ts';
import { type BalanceColumn, balanceColumns, type CountAndSum } from '../../../shared/balances.ts';
import { addDays, isoWeekOf, mondayOf, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { sumWithin } from '../../../shared/overdue.ts';
import type { Payment } from '../../../shared/payments.ts';
import { lastMonths, monthOf, type Period, periodOf } from '../../../shared/periods.ts';
import { type Aging, agingOf } from '../../../shared/statements.ts';
import { type JobBudget, readJobBudgets } from '../budgets/overview.ts';
import { openByDueDay, openBySupplier } from '../invoices/open-sums.ts';
import type { Day } from '../invoices/reading.ts';
import { sumCaptured } from '../invoices/sums.ts';
import { sumUnapplied } from '../payments/credit-notes.ts';
import { searchPayments } from '../payments/reading.ts';
import { sumPayments } from '../payments/sums.ts';
import { sumAwaited } from '../petty-cash/searching.ts';
import { readLargestJobs } from '../results-by-job.ts';
import { type DueInvoice, largestDue } from './due-soon.ts';

interface DueSum extends CountAndSum {
  /** a day of one of its invoices is estimated */
  anyEstimated: boolean;
}

interface DueWeek extends DueSum {
  column: BalanceColumn;
}

/** The running month counts until today. */
interface MonthFlow extends Period {
  billedCents: Cents;
  /** in money, as it left the bank */
  paidCents: Cents;
}

/** Every figure is that of an invoice or payment list; `open` = overdue + this week + weeks + later. */
export interface Dashboard {
  /** all that is open: the status por-pagar */
  open: CountAndSum;
  /** due before today: the status vencida */
  overdue: DueSum;
  /** the same by how long it has been due */
  aging: Aging;
  /** due from today to Sunday */
  thisWeek: DueSum;
  /** the status sin-vencimiento: in the weeks in which they are estimated to be due */
  undated: CountAndSum;
  /** the four after this one */
  weeks: readonly DueWeek[];
  /** due after those */
  later: CountAndSum;
  /** in money, by the payments' own dates, from the first of the month until today */
  paidThisMonth: CountAndSum;
  /** what credit notes covered in those days */
  creditedThisMonth: CountAndSum;
  /** what credit notes have left to apply */
  unapplied: CountAndSum;
  /** given out of cash boxes, and to be proved; of it what is late */
  awaited: CountAndSum & { isLate: boolean };
  /** the last twelve, the running one last */
  months: readonly MonthFlow[];
  /** those that most is owed to */
  suppliers: Awaited<ReturnType<typeof openBySupplier>>;
  /** what this year's largest obras cost, as Resultados has it */
  jobs: {
    period: Period;
    rows: Awaited<ReturnType<typeof readLargestJobs>>;
    /** of those that have one */
    budgets: ReadonlyMap<number, JobBudget>;
  };
  /** the largest of this week */
  dueSoon: readonly DueInvoice[];
  lastPayments: readonly Payment[];
  /** invoices captured, and payments dated, yesterday or today */
  news: { invoices: CountAndSum; payments: CountAndSum };
}

/** After the running one. */
const WEEKS_SHOWN = 4;
const ROWS_OF_NAMES = 10;
const ROWS_SHOWN = 5;

/** Amounts are those of the lists: every payment on file counts, whatever its date. */
export async function readDashboard(db: Db, day: Day): Promise<Dashboard> {
  const { today } = day;
  const open = await openByDueDay(db);
  const month = { paymentdateDesde: monthOf(today).from, paymentdateHasta: today };
  const paid = await sumPayments(db, { ...month, kind: 'pago' });
  const credited = await sumPayments(db, { ...month, kind: 'credito' });
  const week = { from: today, to: addDays(mondayOf(today), 6) };
  const undated = open.filter(({ estimated }) => estimated);
  const dueWithin = (from: PlainDate | null, to: PlainDate | null): DueSum => ({
    ...sumWithin(open, from, to),
    anyEstimated: sumWithin(undated, from, to).count > 0,
  });
  const shownUntil = addDays(week.to, 7 * WEEKS_SHOWN);
  // As the report names them: ANTERIORES and the running week come first.
  const [, , ...weeks] = balanceColumns(isoWeekOf(today), shownUntil, 1 + WEEKS_SHOWN);
  const year = periodOf({}, today);
  const yesterday = addDays(today, -1);
  const paidSince = await sumPayments(db, {
    paymentdateDesde: yesterday,
    paymentdateHasta: today,
    kind: 'pago',
  });
  const { late, ...awaited } = await sumAwaited(db, today);
  const largestJobs = await readLargestJobs(db, year, ROWS_OF_NAMES);
  return {
    open: sumWithin(open, null, null),
    overdue: dueWithin(null, addDays(today, -1)),
    aging: agingOf(
      open.map(({ vence, sumCents }) => ({ vence, pendingCents: sumCents })),
      today,
    ),
    thisWeek: dueWithin(week.from, week.to),
    undated: sumWithin(undated, null, null),
    weeks: weeks.map((column) => ({ column, ...dueWithin(column.from, column.to) })),
    later: sumWithin(open, addDays(shownUntil, 1), null),
    paidThisMonth: { count: paid.count, sumCents: paid.amountCents },
    creditedThisMonth: { count: credited.count, sumCents: credited.creditCents },
    unapplied: await sumUnapplied(db, { corte: today }),
    awaited: { ...awaited, isLate: late.count > 0 },
    months: await readMonths(db, today),
    suppliers: await openBySupplier(db, ROWS_OF_NAMES),
    jobs: { period: year, rows: largestJobs, budgets: await readJobBudgets(db, idsOf(largestJobs)) },
    dueSoon: await largestDue(db, week, ROWS_SHOWN),
    lastPayments: (await searchPayments(db, { kind: 'pago', direction: 'desc', limit: ROWS_SHOWN })).rows,
    news: {
      invoices: await sumCaptured(db, yesterday, day),
      payments: { count: paidSince.count, sumCents: paidSince.amountCents },
    },
  };
}

const idsOf = (rows: readonly { jobId: number }[]): number[] =>
  rows.flatMap(({ jobId }) => (jobId > 0 ? [jobId] : []));

async function readMonths(db: Db, today: PlainDate): Promise<MonthFlow[]> {
  const months = lastMonths(today, 12);
  const from = months[0]!.from;
  const { rows } = await sql<{ month: string; billedCents: Cents; paidCents: Cents }>`
    select month, sum(billed) as "billedCents", sum(paid) as "paidCents" from (
      select substr(cast(day as text), 1, 7) as month, "totalCents" as billed, 0 as paid
        from ${daySums(db, 'issued')} where day between ${from} and ${today}
      union all select substr(cast(day as text), 1, 7), 0, "totalCents"
        from ${daySums(db, 'payments')} where day between ${from} and ${today} and kind = 'pago') flows
    group by month`.execute(db);
  const flows = new Map(rows.map((row) => [row.month, row]));
  return months.map(({ from: first, to }) => {
    const { billedCents = 0, paidCents = 0 } = flows.get(first.slice(0, 7)) ?? {};
    return { from: first, to: to > today ? today : to, billedCents, paidCents };
  });
}
