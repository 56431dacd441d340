import { addDays, formatDate, type PlainDate } from './dates.ts';
import { DomainError } from './errors.ts';

export interface Period {
  from: PlainDate;
  to: PlainDate;
}

/** The period asked for: until today unless it says otherwise, from the beginning of that year. */
export function periodOf(
  { desde, hasta }: { desde?: PlainDate | null; hasta?: PlainDate | null },
  today: PlainDate,
): Period {
  const to = hasta ?? today;
  return { from: desde ?? `${to.slice(0, 4)}-01-01`, to };
}

/** "Sun, 01 Nov 2026 – Mon, 30 Nov 2026", or its one end. */
export function describePeriod(from: PlainDate | null | undefined, to: PlainDate | null | undefined) {
  if (from && to) return `${formatDate(from)} – ${formatDate(to)}`;
  if (from) return `desde ${formatDate(from)}`;
  return to ? `hasta ${formatDate(to)}` : undefined;
}

/**
 * @param ends the fields that say both, and what they are called where there may be several periods
 * @throws DomainError malformed, naming both, where the period ends before it begins
 */
export function requirePeriod(
  { from, to }: Period,
  ends: readonly { name: string; label?: string }[] = [{ name: 'desde' }, { name: 'hasta' }],
): void {
  if (from <= to) return;
  const labels = ends.flatMap(({ label }) => label ?? []).join(', ');
  const message = `El periodo termina antes de empezar: revisa las dos fechas${labels && ` (${labels})`}.`;
  const fields = Object.fromEntries(ends.map(({ name }) => [name, message]));
  throw new DomainError('malformed', message, { code: 'bad_period', fields });
}

/** From its first to its last day. */
export const monthOf = (day: PlainDate): Period => {
  const from = `${day.slice(0, 8)}01`;
  return { from, to: addDays(nextMonth(from), -1) };
};

/** The first day of the month after a day's. */
const nextMonth = (day: PlainDate): PlainDate => `${addDays(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`;

/** The month of a day and those before it, whole, the day's own last. */
export function lastMonths(day: PlainDate, count: number): Period[] {
  const months = [monthOf(day)];
  while (months.length < count) months.unshift(monthOf(addDays(months[0]!.from, -1)));
  return months;
}

/** The months that a period touches, each with those of its days that are in it. */
export function monthsOf({ from, to }: Period): Period[] {
  const months: Period[] = [];
  for (let day = from; day <= to; day = nextMonth(day)) {
    const end = monthOf(day).to;
    months.push({ from: day, to: end < to ? end : to });
  }
  return months;
}

/** How many rows there are of some days. */
export type CountOfDays = (days: Period) => number;

/**
 * A period as months, with the days that stand beside them and those that are to be taken off: of a month that it has
 * in part whichever are fewer rows.
 */
export function roundToMonths(
  period: Period,
  countOf: CountOfDays,
): { months: Period; more: Period[]; less: Period[] } {
  const more: Period[] = [];
  const less: Period[] = [];
  const months = monthsOf(period).filter((part) => {
    const outside = daysAround(part, monthOf(part.from));
    const isTaken = outside.length === 0 || sumOf(outside, countOf) < countOf(part);
    if (isTaken) less.push(...outside);
    else more.push(part);
    return isTaken;
  });
  const [first, last] = [months[0]?.from ?? '-', months.at(-1)?.from ?? '-'];
  return { months: { from: first.slice(0, 7), to: last.slice(0, 7) }, more, less };
}

/** The days of a month before and after some of it. */
const daysAround = ({ from, to }: Period, month: Period): Period[] => [
  ...(month.from < from ? [{ from: month.from, to: addDays(from, -1) }] : []),
  ...(to < month.to ? [{ from: addDays(to, 1), to: month.to }] : []),
];

const sumOf = (periods: readonly Period[], countOf: CountOfDays): number =>
  periods.reduce((sum, days) => sum + countOf(days), 0);
