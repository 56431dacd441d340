import { addDays, formatDate, formatShortDayMonth, mondayOf, type PlainDate } from './dates.ts';
import { DomainError } from './errors.ts';

export interface Period {
  from: PlainDate;
  to: PlainDate;
}

/** A period ends today by default, and begins on the first day of the year in which it ends. */
export function resolvePeriod(
  { desde, hasta }: { desde?: PlainDate | null; hasta?: PlainDate | null },
  today: PlainDate,
): Period {
  const to = hasta ?? today;
  return { from: desde ?? `${to.slice(0, 4)}-01-01`, to };
}

export function describePeriod(from: PlainDate | null | undefined, to: PlainDate | null | undefined) {
  if (from && to) return `${formatDate(from)} – ${formatDate(to)}`;
  if (from) return `desde ${formatDate(from)}`;
  return to ? `hasta ${formatDate(to)}` : undefined;
}

/** Formats "1 ene – 30 nov 2026", or "1 dic 2025 – 31 ene 2026" across years. */
export function formatShortPeriod({ from, to }: Period): string {
  const [first, last] = [from.slice(0, 4), to.slice(0, 4)];
  const start = formatShortDayMonth(from) + (first === last ? '' : ` ${first}`);
  return `${start} – ${formatShortDayMonth(to)} ${last}`;
}

export const INVERTED_PERIOD_TEXT = 'El periodo termina antes de empezar: revisa las dos fechas.';

/** @throws DomainError malformed, naming both fields, where the period ends before it begins */
export function requireOrderedPeriod(
  { from, to }: Period,
  endFields: readonly { name: string; label?: string }[] = [{ name: 'desde' }, { name: 'hasta' }],
): void {
  if (from <= to) return;
  const labels = endFields.flatMap(({ label }) => label ?? []).join(', ');
  const message = labels ? `${INVERTED_PERIOD_TEXT.slice(0, -1)} (${labels}).` : INVERTED_PERIOD_TEXT;
  const fields = Object.fromEntries(endFields.map(({ name }) => [name, message]));
  throw new DomainError('malformed', message, { code: 'bad_period', fields });
}

export const monthPeriodOf = (day: PlainDate): Period => {
  const [year, month] = [Number(day.slice(0, 4)), Number(day.slice(5, 7))];
  const last = new Date(Date.UTC(year, month, 0)).getUTCDate();
  return { from: `${day.slice(0, 8)}01`, to: `${day.slice(0, 8)}${last}` };
};

/** @param text 2026-11 */
export const parseMonth = (text: string | undefined): Period | undefined =>
  /^(19|20|21)\d\d-(0[1-9]|1[0-2])$/.test(text ?? '') ? monthPeriodOf(`${text}-01`) : undefined;

const getFirstOfNextMonth = (day: PlainDate): PlainDate =>
  `${addDays(`${day.slice(0, 8)}28`, 4).slice(0, 8)}01`;

export function listLastMonths(day: PlainDate, count: number): Period[] {
  const months = [monthPeriodOf(day)];
  while (months.length < count) months.unshift(monthPeriodOf(addDays(months[0]!.from, -1)));
  return months;
}

export function splitIntoMonths({ from, to }: Period): Period[] {
  const months: Period[] = [];
  for (let day = from; day <= to; day = getFirstOfNextMonth(day)) {
    const end = monthPeriodOf(day).to;
    months.push({ from: day, to: end < to ? end : to });
  }
  return months;
}

/** Whole weeks, months and years: their last day may be in the future. */
export function listPresetPeriods(today: PlainDate): (Period & { name: string })[] {
  const monday = mondayOf(today);
  const month = monthPeriodOf(today);
  const year = today.slice(0, 4);
  return [
    { name: 'Hoy', from: today, to: today },
    { name: 'Esta semana', from: monday, to: addDays(monday, 6) },
    { name: 'Este mes', ...month },
    { name: 'Mes pasado', ...monthPeriodOf(addDays(month.from, -1)) },
    { name: 'Este año', from: `${year}-01-01`, to: `${year}-12-31` },
  ];
}
