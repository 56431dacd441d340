import {
  dayOfTimestamp,
  describeOtherCentury,
  isOfThisCentury,
  isPlainDate,
  type PlainDate,
} from '../../../shared/dates.ts';
import { fold } from '../../../shared/text.ts';
import type { ReadingProblem } from './amounts.ts';

export type DayOrder = 'dmy' | 'mdy' | 'ymd';

export const DAY_ORDER_FORMATS: Readonly<Record<DayOrder, string>> = {
  dmy: 'dd/mm/yyyy',
  mdy: 'mm/dd/yyyy',
  ymd: 'yyyy-mm-dd',
};

/** Parses "dd/mm/yyyy", "d-m-yy", "DD.MM.AAAA". */
export function parseDayOrder(format: string): DayOrder | undefined {
  const parts = /^(d+|m+|[ya]+)[^a-z]?(d+|m+|[ya]+)[^a-z]?(d+|m+|[ya]+)$/.exec(format.trim().toLowerCase());
  if (!parts) return undefined;
  const order = parts
    .slice(1)
    .map((part) => (part[0] === 'a' ? 'y' : part[0]))
    .join('');
  return order === 'dmy' || order === 'mdy' || order === 'ymd' ? order : undefined;
}

/** Some dates allow only one order: "25/12/2024" has the day first. */
export function detectDayOrder(text: string): 'dmy' | 'mdy' | undefined {
  const match = text.length > MAX_DAY_LENGTH ? null : NUMERIC_DATE_PATTERN.exec(text);
  if (!match || match[1]!.length > 2) return undefined;
  const first = Number(match[1]);
  const second = Number(match[2]);
  if (first > 12 && second <= 12) return 'dmy';
  return second > 12 && first <= 12 ? 'mdy' : undefined;
}

const MAX_DAY_LENGTH = 60;

const NUMERIC_DATE_PATTERN = /^(\d{1,4})[/.\-\s](\d{1,2})[/.\-\s](\d{1,4})(?:[T\s,].*)?$/;
const NAMED_MONTH_PATTERN =
  /^(\d{1,2})(?:[/.\-\s]+|\s+de\s+)(\p{L}{3,10})\.?(?:[/.\-\s]+|\s+del?\s+)(\d{2,4})(?:[T\s,].*)?$/u;
const MONTH_FIRST_PATTERN = /^(\p{L}{3,10})\.?\s+(\d{1,2}),?\s+(\d{4})$/u;
const WEEKDAY_PATTERN = /^\p{L}{3,10}\.?,\s*/u;

type DayReading = { value: PlainDate } | ReadingProblem;

/**
 * A time after the date is ignored, unless its zone makes it another day.
 * @param dayOrder of dates written in numbers only; a date that begins with the year is always year, month, day
 */
export function readDay(text: string, dayOrder: DayOrder, uses1904Dates: boolean): DayReading {
  if (text.length > MAX_DAY_LENGTH) return { problem: NOT_A_DAY_TEXT };
  const numbers = NUMERIC_DATE_PATTERN.exec(text);
  if (numbers) {
    const [, a = '', b = '', c = ''] = numbers;
    if (a.length === 4) return c.length <= 2 ? toDay(a, b, c, text) : { problem: NOT_A_DAY_TEXT };
    if (a.length === 3) return { problem: NOT_A_DAY_TEXT };
    if (dayOrder === 'ymd') return c.length === 2 ? toDay(a, b, c, text) : { problem: WRONG_ORDER_TEXT };
    return dayOrder === 'dmy' ? toDay(c, b, a, text) : toDay(c, a, b, text);
  }
  if (/^\d{5}(\.\d+)?$/.test(text)) return readSerialDay(Number(text), uses1904Dates);
  const compact = /^(\d{4})(\d{2})(\d{2})$/.exec(text);
  if (compact) return toDay(compact[1]!, compact[2]!, compact[3]!, text);
  if (/^\d{1,2}:\d{2}(:\d{2})?(\.\d+)?$/.test(text)) return { problem: ONLY_TIME_TEXT };
  const plain = text.replace(WEEKDAY_PATTERN, '');
  const named = NAMED_MONTH_PATTERN.exec(plain);
  if (named) return readNamedMonth(named[3]!, named[2]!, named[1]!, text);
  const first = MONTH_FIRST_PATTERN.exec(plain);
  return first ? readNamedMonth(first[3]!, first[1]!, first[2]!, text) : { problem: NOT_A_DAY_TEXT };
}

export function readSerialDay(serial: number, uses1904Dates: boolean): DayReading {
  if (serial >= 0 && serial < 1) return { problem: ONLY_TIME_TEXT };
  // A larger number is probably no date, but an amount.
  const day = serial < LAST_SERIAL ? serialToPlainDate(serial, uses1904Dates) : undefined;
  return day ? readDayOfThisCentury(day) : { problem: NOT_A_DAY_TEXT };
}

/** Spreadsheets count the 29 February 1900, which never was. @returns undefined outside of 1900 to 9999 */
export function serialToPlainDate(serial: number, uses1904Dates: boolean): PlainDate | undefined {
  const days = Math.floor(serial) + (uses1904Dates ? 1462 : 0);
  if (!(days >= 1 && days < 2_958_466)) return undefined;
  const since1900 = days < 60 ? days + 1 : days;
  return new Date((since1900 - 25_569) * 86_400_000).toISOString().slice(0, 10);
}

const LAST_SERIAL = 109_575;

export const readDayOfThisCentury = (day: PlainDate): DayReading =>
  isOfThisCentury(day) ? { value: day } : { problem: describeOtherCentury(day), code: 'bad_value' };

const NOT_A_DAY_TEXT = 'No es una fecha.';
const WRONG_ORDER_TEXT = 'La fecha no sigue el orden de su columna.';
const ONLY_TIME_TEXT = 'Trae la hora sin fecha: se perdió al exportar.';

function toDay(year: string, month: string, day: string, text: string): DayReading {
  if (year.length === 1 || year.length === 3) return { problem: NOT_A_DAY_TEXT };
  // As in spreadsheets, years up to 79 are of this century.
  const full = year.length === 2 ? `${Number(year) < 80 ? 20 : 19}${year}` : year;
  const date = `${full}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = /\d{1,2}:\d{2}.*$/.exec(text)?.[0] ?? '';
  return isPlainDate(date)
    ? readDayOfThisCentury(dayOfTimestamp(date, time))
    : { problem: `La fecha ${text.slice(0, 20)} no existe.` };
}

function readNamedMonth(year: string, name: string, day: string, text: string): DayReading {
  const folded = fold(name);
  const index = MONTH_NAMES.findIndex((names) => names.split(' ').some((one) => one.startsWith(folded)));
  return index < 0 ? { problem: NOT_A_DAY_TEXT } : toDay(year, String(index + 1), day, text);
}

const MONTH_NAMES = [
  'enero january',
  'febrero february',
  'marzo march',
  'abril april',
  'mayo may',
  'junio june',
  'julio july',
  'agosto august',
  'septiembre setiembre september',
  'octubre october',
  'noviembre november',
  'diciembre december',
];
