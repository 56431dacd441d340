import type { Db } from '../../db/schema.ts';
import { type BalanceColumn, balanceColumns, type CountAndSum, columnOfDay } from '../../shared/balances.ts';
import { addDays, isoWeekOf, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { readBalances } from './balances/balances.ts';
import type { Day } from './invoices/reading.ts';
import { isAsNow, type OpenOfDay, openByDueDay } from './invoices/sums.ts';
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

/** What is due and when, as the balance report of today has it, and what was paid this month. */
export async function readDashboard(db: Db, day: Day): Promise<Dashboard> {
  const { today } = day;
  const open = await readOpen(db, day);
  const month = { paymentdateDesde: monthStart(today), paymentdateHasta: today };
  const paid = await sumPayments(db, { ...month, kind: 'pago' });
  const credited = await sumPayments(db, { ...month, kind: 'credito' });
  return {
    open: sumOf(open),
    overdue: sumOf(open.filter(({ vence }) => vence < today)),
    undated: sumOf(open.filter(({ estimated }) => estimated)),
    weeks: dueByWeek(open, today),
    paidThisMonth: { count: paid.count, sumCents: paid.amountCents },
    creditedThisMonth: { count: credited.count, sumCents: credited.creditCents },
  };
}

export const monthStart = (today: PlainDate): PlainDate => `${today.slice(0, 8)}01`;

/** The sums of now, unless something is dated later: then the report's rows. */
async function readOpen(db: Db, day: Day): Promise<OpenOfDay[]> {
  if (await isAsNow(db, day.today, day)) return openByDueDay(db);
  const { rows } = await readBalances(db, {}, day);
  return rows
    .filter((row) => !row.isSummary)
    .map((row) => ({
      vence: row.fechavencimiento!,
      estimated: row.vencimientoEstimado,
      count: 1,
      sumCents: row.totalCents,
    }));
}

function dueByWeek(open: readonly OpenOfDay[], today: PlainDate): DueWeek[] {
  // At least as far as the last week shown, so that empty weeks at the end keep their place.
  let last = addDays(mondayOf(today), 7 * WEEKS_SHOWN - 1);
  for (const { vence } of open) if (vence > last) last = vence;
  const columns = balanceColumns(isoWeekOf(today), last, WEEKS_SHOWN);
  const weeks = new Map(columns.map((column) => [column.key, { column, count: 0, sumCents: 0 }]));
  for (const { vence, count, sumCents } of open) {
    const week = weeks.get(columnOfDay(columns, vence).key)!;
    week.count += count;
    week.sumCents += sumCents;
  }
  return [...weeks.values()];
}

const sumOf = (open: readonly OpenOfDay[]): CountAndSum => ({
  count: open.reduce((sum, { count }) => sum + count, 0),
  sumCents: open.reduce((sum, { sumCents }) => sum + sumCents, 0),
});
