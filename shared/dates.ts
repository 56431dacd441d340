import { pluralize } from './counts.ts';
import { DomainError } from './errors.ts';
import { currentLanguage } from './language.ts';

/** YYYY-MM-DD, a date without time zone (ISO 8601). Plain dates are compared as text. */
export type PlainDate = string;

/** A moment in UTC, in the format of new Date().toISOString(). */
export type Instant = string;

export const HOME_ZONE = 'America/Mexico_City';

const DAY_MS = 86_400_000;
const SHORT_ENGLISH_WEEKDAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const SHORT_ENGLISH_MONTHS = [
  'Jan',
  'Feb',
  'Mar',
  'Apr',
  'May',
  'Jun',
  'Jul',
  'Aug',
  'Sep',
  'Oct',
  'Nov',
  'Dec',
];
const SHORT_SPANISH_WEEKDAYS = ['dom', 'lun', 'mar', 'mié', 'jue', 'vie', 'sáb'];
const SHORT_SPANISH_MONTHS = [
  'ene',
  'feb',
  'mar',
  'abr',
  'may',
  'jun',
  'jul',
  'ago',
  'sep',
  'oct',
  'nov',
  'dic',
];
const LONG_SPANISH_WEEKDAYS = ['domingo', 'lunes', 'martes', 'miércoles', 'jueves', 'viernes', 'sábado'];
const LONG_SPANISH_MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

/** The calendar repeats every 400 years, so an equivalent year is checked: JavaScript reads 0 to 99 as 1900 to 1999. */
export function isPlainDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const equivalent = `${2000 + (Number(text.slice(0, 4)) % 400)}${text.slice(4)}`;
  return fromDayNumber(toDayNumber(equivalent)) === equivalent;
}

/** Only dates from 2000 to 2099 are stored; any other year is a typing error. */
export const isOfThisCentury = (day: PlainDate): boolean => day.startsWith('20');

/**
 * Parses "2026-11-20", or a timestamp, of which the day counts.
 * @throws DomainError malformed, or invalid (another century)
 */
export function parsePlainDate(value: unknown, label: string, field = label): PlainDate {
  const text = typeof value === 'string' ? value.trim() : '';
  const isStamp = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}[\d:.]*(Z|[+-]\d{2}:?\d{2})?$/.test(text);
  const day = isStamp ? dayOfTimestamp(text.slice(0, 10), text.slice(11)) : text;
  if (!isPlainDate(day)) {
    const message = `${label}: no es una fecha (AAAA-MM-DD).`;
    throw new DomainError('malformed', message, { fields: { [field]: message } });
  }
  if (!isOfThisCentury(day)) {
    const message = `${label}: ${describeOtherCentury(day)}`;
    throw new DomainError('invalid', message, { code: 'bad_value', fields: { [field]: message } });
  }
  return day;
}

export const describeOtherCentury = (day: PlainDate): string => `${day} está fuera de 2000 a 2099.`;

export let businessZone = (): string => HOME_ZONE;

export function setBusinessZoneSource(readZone: () => string): void {
  businessZone = readZone;
}

/**
 * Returns the day of a timestamp. A time with Z or an offset is a moment, whose day depends on the business's zone.
 * Midnight in UTC is an exception, because programs write it for a day without a time.
 * @param time the text after the day: "14:30", "02:30:00.000Z", "21:00 -0700"
 */
export function dayOfTimestamp(day: string, time: string): string {
  const [, clock = '', zone = ''] = TIME_WITH_ZONE_PATTERN.exec(time.trim()) ?? [];
  const offset = zone.replace(/^(Z|UTC|GMT|[+-]00:?00)$/i, 'Z').replace(/(\d{2})(\d{2})$/, '$1:$2');
  if (!zone || !isPlainDate(day) || (offset === 'Z' && /^[0:.]+$/.test(clock))) return day;
  const moment = new Date(`${day}T${clock.padStart(5, '0')}${offset}`);
  return Number.isNaN(moment.getTime()) ? day : plainDateIn(moment, businessZone());
}

const TIME_WITH_ZONE_PATTERN = /^(\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)\s*(Z|UTC|GMT|[+-]\d{2}:?\d{2})$/i;

export const plainDateIn = (moment: Date, timeZone: string): PlainDate =>
  getFormatter(timeZone, 'day').format(moment);

export const clockTimeIn = (moment: Date, timeZone: string): string =>
  getFormatter(timeZone, 'time').format(moment);

export const formatMoment = (moment: Date, timeZone: string): string =>
  `${formatDate(plainDateIn(moment, timeZone))} ${clockTimeIn(moment, timeZone)}`;

/** For the locale sv-SE, since Swedish dates have the format of ISO 8601: "2026-11-20 14:05:09". */
const CLOCK_FORMATS = {
  day: { dateStyle: 'short' },
  time: { timeStyle: 'short' },
  wall: { dateStyle: 'short', timeStyle: 'medium' },
} as const;

const cachedFormatters = new Map<string, Intl.DateTimeFormat>();

/** Cached by zone, since creating a formatter costs a thousand times as much as using it. */
function getFormatter(timeZone: string, form: keyof typeof CLOCK_FORMATS): Intl.DateTimeFormat {
  const key = `${form} ${timeZone}`;
  const clock =
    cachedFormatters.get(key) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, ...CLOCK_FORMATS[form] });
  cachedFormatters.set(key, clock);
  return clock;
}

export function startOfNextDay(date: PlainDate, timeZone: string): Instant {
  const midnight = toDayNumber(addDays(date, 1)) * DAY_MS;
  // When clocks change, a midnight may not exist or occur twice, so the offsets before and after it are both tried.
  const moments = [-DAY_MS, DAY_MS].map((offset) => midnight - offsetAt(midnight + offset, timeZone));
  const after = moments
    .sort((a, b) => a - b)
    .find((moment) => plainDateIn(new Date(moment), timeZone) > date);
  return new Date(after ?? midnight).toISOString();
}

export const addDays = (date: PlainDate, days: number): PlainDate => fromDayNumber(toDayNumber(date) + days);

/** @param isHoliday days from Monday to Friday that do not count; none by default */
export function addWorkdays(
  date: PlainDate,
  days: number,
  isHoliday: (day: PlainDate) => boolean = () => false,
): PlainDate {
  let day = date;
  for (let remaining = days; remaining > 0; ) {
    day = addDays(day, 1);
    if (toDayNumber(day) - toDayNumber(mondayOf(day)) < WORKDAYS_PER_WEEK && !isHoliday(day)) remaining--;
  }
  return day;
}

const WORKDAYS_PER_WEEK = 5;

/** Negative where `to` is earlier. */
export const daysBetween = (from: PlainDate, to: PlainDate): number => toDayNumber(to) - toDayNumber(from);

/** Returns "hoy", "en 3 días" or "hace 2 días". */
export function describeDaysUntil(day: PlainDate, today: PlainDate): string {
  const left = daysBetween(today, day);
  if (left === 0) return 'hoy';
  return left < 0 ? `hace ${pluralize(-left, 'día', 'días')}` : `en ${pluralize(left, 'día', 'días')}`;
}

export interface IsoWeek {
  year: number;
  week: number;
}

/** Returns the ISO 8601 week of a day: weeks start on Monday, and week 1 contains the year's first Thursday. */
export function isoWeekOf(date: PlainDate): IsoWeek {
  const thursday = addDays(mondayOf(date), 3);
  const year = Number(thursday.slice(0, 4));
  return { year, week: 1 + Math.floor(daysBetween(`${year}-01-01`, thursday) / 7) };
}

export function mondayOf(date: PlainDate): PlainDate {
  const days = toDayNumber(date);
  return fromDayNumber(days - ((((days + 3) % 7) + 7) % 7));
}

export const sundayOf = (date: PlainDate): PlainDate => addDays(mondayOf(date), 6);

/** @returns undefined where that year has no such week */
export function mondayOfWeek({ year, week }: IsoWeek): PlainDate | undefined {
  if (!Number.isInteger(year) || year < 1900 || year > 2199) return undefined;
  if (!Number.isInteger(week) || week < 1 || week > 53) return undefined;
  const monday = addDays(mondayOf(`${year}-01-04`), (week - 1) * 7);
  return isoWeekOf(monday).year === year ? monday : undefined;
}

/** Formats "Fri, 20 Nov 2026", as in the specification, or "vie, 20 nov 2026" on a Spanish page. */
export function formatDate(date: PlainDate | null | undefined): string {
  if (!date) return '';
  const [weekdays, months] =
    currentLanguage() === 'es'
      ? [SHORT_SPANISH_WEEKDAYS, SHORT_SPANISH_MONTHS]
      : [SHORT_ENGLISH_WEEKDAYS, SHORT_ENGLISH_MONTHS];
  return `${weekdays[weekdayOf(date)]}, ${date.slice(8)} ${months[Number(date.slice(5, 7)) - 1]} ${date.slice(0, 4)}`;
}

/** Formats "vie 01 ene 2027" for sentences, which are always Spanish. */
export const formatShortDate = (date: PlainDate): string =>
  `${SHORT_SPANISH_WEEKDAYS[weekdayOf(date)]} ${date.slice(8)} ${shortMonthName(date)} ${date.slice(0, 4)}`;

export const formatDayFirst = (date: PlainDate): string => date.split('-').reverse().join('-');

export const formatDayAndMonth = (date: PlainDate): string =>
  `${Number(date.slice(8))} de ${monthName(date)}`;

export const formatLongDate = (date: PlainDate): string =>
  `${LONG_SPANISH_WEEKDAYS[weekdayOf(date)]} ${formatDayAndMonth(date)} de ${date.slice(0, 4)}`;

export const monthName = (date: PlainDate): string => LONG_SPANISH_MONTHS[Number(date.slice(5, 7)) - 1]!;

export const shortMonthName = (date: PlainDate): string =>
  SHORT_SPANISH_MONTHS[Number(date.slice(5, 7)) - 1]!;

export const formatShortDayMonth = (date: PlainDate): string =>
  `${Number(date.slice(8))} ${shortMonthName(date)}`;

/** Returns by how much the zone's clocks are ahead of UTC, in ms. */
function offsetAt(moment: number, timeZone: string): number {
  const wall = Date.parse(`${getFormatter(timeZone, 'wall').format(moment).replace(' ', 'T')}Z`);
  return wall - Math.floor(moment / 1000) * 1000;
}

const weekdayOf = (date: PlainDate): number => new Date(toDayNumber(date) * DAY_MS).getUTCDay();

function toDayNumber(date: PlainDate): number {
  return Date.UTC(Number(date.slice(0, 4)), Number(date.slice(5, 7)) - 1, Number(date.slice(8, 10))) / DAY_MS;
}

function fromDayNumber(days: number): PlainDate {
  return new Date(days * DAY_MS).toISOString().slice(0, 10);
}
