import { type BalanceColumn, type BalanceRow, type CountAndSum, EARLIER_WEEKS_KEY } from './balances.ts';
import { addDays, formatShortDayMonth, mondayOf, type PlainDate } from './dates.ts';
import { type Cents, formatMoney } from './money.ts';

/** The sum of what is due between two days; a day is null where the range is open. */
interface LabeledDueSum {
  /** "de esta semana" */
  label: string;
  cents: Cents;
  from: PlainDate | null;
  to: PlainDate | null;
}

interface OverdueReport {
  corte: PlainDate;
  columns: readonly BalanceColumn[];
  overdue: CountAndSum;
  total: Pick<BalanceRow, 'amounts'>;
}

/** Overdue is what was due until this day, the one before the corte. */
export const lastOverdueDay = (corte: PlainDate): PlainDate => addDays(corte, -1);

/**
 * Explains "Vencido" (due before the corte) by "ANTERIORES" (due before the report's first Monday), or the reverse if
 * that Monday comes after the corte: one, the other, and the difference. @returns only the first where both are equal
 */
export function listOverdueParts({
  corte,
  columns: weekColumns,
  overdue,
  total,
}: OverdueReport): LabeledDueSum[] {
  const monday = weekColumns[1]!.from!;
  const late = { cents: overdue.sumCents, from: null, to: lastOverdueDay(corte) };
  const before = { cents: total.amounts[EARLIER_WEEKS_KEY] ?? 0, from: null, to: addDays(monday, -1) };
  const since = monday === mondayOf(corte) ? 'de esta semana' : `desde el ${formatShortDayMonth(monday)}`;
  const parts: LabeledDueSum[] =
    monday <= corte
      ? [
          { label: 'Vencido', ...late },
          { label: 'anteriores', ...before },
          { label: since, cents: late.cents - before.cents, from: monday, to: late.to },
        ]
      : [
          { label: 'Anteriores', ...before },
          { label: 'vencido', ...late },
          {
            label: `por vencer antes del ${formatShortDayMonth(monday)}`,
            cents: before.cents - late.cents,
            from: corte,
            to: before.to,
          },
        ];
  return parts[0]!.cents === parts[1]!.cents ? parts.slice(0, 1) : parts;
}

export const DUE_SUM_SEPARATORS = ['', ' = ', ' + '];

/** "Vencido $3.00 = anteriores $2.00 + de esta semana $1.00" */
export const describeOverdue = (report: OverdueReport): string =>
  listOverdueParts(report)
    .map(({ label, cents }, index) => `${DUE_SUM_SEPARATORS[index]}${label} ${formatMoney(cents)}`)
    .join('');

export function sumDueBetween(
  dueSums: readonly (CountAndSum & { vence: PlainDate })[],
  from: PlainDate | null,
  to: PlainDate | null,
): CountAndSum {
  const sum = { count: 0, sumCents: 0 };
  for (const { vence, count, sumCents } of dueSums) {
    if ((from !== null && vence < from) || (to !== null && vence > to)) continue;
    sum.count += count;
    sum.sumCents += sumCents;
  }
  return sum;
}
