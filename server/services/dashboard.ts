import type { Db } from '../../db/schema.ts';
import { type BalanceColumn, balanceColumns, type CountAndSum, columnOfDay } from '../../shared/balances.ts';
import { addDays, isoWeekOf, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { sumWithin } from '../../shared/overdue.ts';
import type { Day } from './invoices/reading.ts';
import { type OpenOfDay, openByDueDay } from './invoices/sums.ts';
import { sumPayments } from './payments/sums.ts';

export interface DueWeek extends CountAndSum {
  column: BalanceColumn;
  /** a day of one of its invoices is estimated */
  anyEstimated: boolean;
}

/** Every figure is that of an invoice or payment list; `open` = the weeks. */
export interface Dashboard {
  /** all that is open: the status por-pagar, and the report's Total general */
  open: CountAndSum;
  /** due before today: the status vencida */
  overdue: CountAndSum;
  /** due from today to Sunday */
  thisWeek: CountAndSum & { anyEstimated: boolean };
  /** the status sin-vencimiento: in the weeks in which they are estimated to be due */
  undated: CountAndSum;
  /** ANTERIORES, this week and the seven after it, and where there is such what is due later */
  weeks: readonly DueWeek[];
  /** in money, by the payments' own dates, from the first of the month until today */
  paidThisMonth: CountAndSum;
  /** what credit notes covered in those days */
  creditedThisMonth: CountAndSum;
}

/** This week and the seven after it. */
const WEEKS_SHOWN = 8;

/** What is due and when, as the balance report of today has it, and what was paid this month. */
export async function readDashboard(db: Db, day: Day): Promise<Dashboard> {
  const { today } = day;
  const open = await openByDueDay(db, day);
  const month = { paymentdateDesde: monthStart(today), paymentdateHasta: today };
  const paid = await sumPayments(db, { ...month, kind: 'pago' });
  const credited = await sumPayments(db, { ...month, kind: 'credito' });
  const sunday = addDays(mondayOf(today), 6);
  const undated = open.filter(({ estimated }) => estimated);
  return {
    open: sumWithin(open, null, null),
    overdue: sumWithin(open, null, addDays(today, -1)),
    thisWeek: {
      ...sumWithin(open, today, sunday),
      anyEstimated: sumWithin(undated, today, sunday).count > 0,
    },
    undated: sumWithin(undated, null, null),
    weeks: dueByWeek(open, today),
    paidThisMonth: { count: paid.count, sumCents: paid.amountCents },
    creditedThisMonth: { count: credited.count, sumCents: credited.creditCents },
  };
}

export const monthStart = (today: PlainDate): PlainDate => `${today.slice(0, 8)}01`;

function dueByWeek(open: readonly OpenOfDay[], today: PlainDate): DueWeek[] {
  // At least as far as the last week shown, so that empty weeks at the end keep their place.
  let last = addDays(mondayOf(today), 7 * WEEKS_SHOWN - 1);
  for (const { vence } of open) if (vence > last) last = vence;
  const columns = balanceColumns(isoWeekOf(today), last, WEEKS_SHOWN);
  const weeks = new Map(
    columns.map((column) => [column.key, { column, count: 0, sumCents: 0, anyEstimated: false }]),
  );
  for (const { vence, count, sumCents, estimated } of open) {
    const week = weeks.get(columnOfDay(columns, vence).key)!;
    week.count += count;
    week.sumCents += sumCents;
    week.anyEstimated ||= estimated;
  }
  return [...weeks.values()];
}
