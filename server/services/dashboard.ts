import type { Db } from '../../db/schema.ts';
import {
  type BalanceColumn,
  type BalanceRow,
  balanceColumns,
  type CountAndSum,
  columnOfDay,
} from '../../shared/balances.ts';
import { addDays, isoWeekOf, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { readBalances } from './balances/balances.ts';
import type { Day } from './invoices/reading.ts';
import { sumPayments } from './payments/sums.ts';

export interface DueWeek extends CountAndSum {
  column: BalanceColumn;
}

/** Every figure is that of an invoice or payment list; `open` = the weeks. */
export interface Dashboard {
  /** all that is open: the status por-pagar, and the report's Total general */
  open: CountAndSum;
  /** due before today: the status vencida */
  overdue: CountAndSum;
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

/** What is due and when, from the rows of the balance report of today, and what was paid this month. */
export async function readDashboard(db: Db, day: Day): Promise<Dashboard> {
  const { today } = day;
  const { rows } = await readBalances(db, {}, day);
  const open = rows.filter((row) => !row.isSummary);
  const month = { paymentdateDesde: monthStart(today), paymentdateHasta: today };
  const paid = await sumPayments(db, { ...month, kind: 'pago' });
  const credited = await sumPayments(db, { ...month, kind: 'credito' });
  return {
    open: sumOf(open),
    overdue: sumOf(open.filter((row) => dueOf(row) < today)),
    undated: sumOf(open.filter((row) => row.vencimientoEstimado)),
    weeks: dueByWeek(open, today),
    paidThisMonth: { count: paid.count, sumCents: paid.amountCents },
    creditedThisMonth: { count: credited.count, sumCents: credited.creditCents },
  };
}

export const monthStart = (today: PlainDate): PlainDate => `${today.slice(0, 8)}01`;

function dueByWeek(open: readonly BalanceRow[], today: PlainDate): DueWeek[] {
  // At least as far as the last week shown, so that empty weeks at the end keep their place.
  let last = addDays(mondayOf(today), 7 * WEEKS_SHOWN - 1);
  for (const row of open) if (dueOf(row) > last) last = dueOf(row);
  const columns = balanceColumns(isoWeekOf(today), last, WEEKS_SHOWN);
  const weeks = new Map(columns.map((column) => [column.key, { column, count: 0, sumCents: 0 }]));
  for (const row of open) {
    const week = weeks.get(columnOfDay(columns, dueOf(row)).key)!;
    week.count += 1;
    week.sumCents += row.totalCents;
  }
  return [...weeks.values()];
}

const sumOf = (rows: readonly BalanceRow[]): CountAndSum => ({
  count: rows.length,
  sumCents: rows.reduce((sum, row) => sum + row.totalCents, 0),
});

const dueOf = (invoice: BalanceRow): PlainDate => invoice.fechavencimiento!;
