import type { BalanceReport, CountAndSum } from './balances.ts';
import { addDays, formatDayMonth, mondayOf, type PlainDate } from './dates.ts';
import { type Cents, formatMoney } from './money.ts';

/** A sum of what is due within some days; null where that side has no end. */
export interface DuePart {
  /** "de esta semana" */
  says: string;
  cents: Cents;
  from: PlainDate | null;
  to: PlainDate | null;
}

export interface DueSum {
  whole: DuePart;
  parts: readonly [DuePart, DuePart];
}

/**
 * "Vencido" (due before the corte) and "ANTERIORES" (due before the first week's Monday) differ: where both stand on one
 * page, it says how they add up.
 * @param monday of the first week that is told apart
 */
export function overdueSum(
  corte: PlainDate,
  monday: PlainDate,
  sums: { overdue: Cents; earlier: Cents },
): DueSum {
  const { overdue, earlier } = sums;
  const late = { cents: overdue, from: null, to: addDays(corte, -1) };
  const before = { cents: earlier, from: null, to: addDays(monday, -1) };
  if (monday <= corte) {
    const since = monday === mondayOf(corte) ? 'de esta semana' : `desde el ${formatDayMonth(monday)}`;
    const rest = { says: since, cents: overdue - earlier, from: monday, to: late.to };
    return { whole: { says: 'Vencido', ...late }, parts: [{ says: 'anteriores', ...before }, rest] };
  }
  const says = `por vencer antes del ${formatDayMonth(monday)}`;
  const coming = { says, cents: earlier - overdue, from: corte, to: before.to };
  return { whole: { says: 'Anteriores', ...before }, parts: [{ says: 'vencido', ...late }, coming] };
}

export function overdueOf({ corte, columns, overdue, total }: OverdueReport): DueSum {
  const [earlier, first] = columns;
  const sums = { overdue: overdue.sumCents, earlier: total.amounts[earlier!.key] ?? 0 };
  return overdueSum(corte, first!.from!, sums);
}

type OverdueReport = Pick<BalanceReport, 'corte' | 'columns' | 'overdue' | 'total'>;

/** The parts that add up to the whole: none where the first is all of it, so that no page tells one amount twice. */
export const partsOf = ({ whole, parts }: DueSum): readonly DuePart[] =>
  whole.cents === parts[0].cents ? [] : parts;

/** "Vencido $3.00 = anteriores $2.00 + de esta semana $1.00" */
export function describeSum(sum: DueSum): string {
  const said = ({ says, cents }: DuePart) => `${says} ${formatMoney(cents)}`;
  return [said(sum.whole), partsOf(sum).map(said).join(' + ')].filter(Boolean).join(' = ');
}

export function sumWithin(
  days: readonly (CountAndSum & { vence: PlainDate })[],
  from: PlainDate | null,
  to: PlainDate | null,
): CountAndSum {
  const sum = { count: 0, sumCents: 0 };
  for (const { vence, count, sumCents } of days) {
    if ((from !== null && vence < from) || (to !== null && vence > to)) continue;
    sum.count += count;
    sum.sumCents += sumCents;
  }
  return sum;
}
