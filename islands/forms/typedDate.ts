import {
  addDays,
  daysBetween,
  describeOtherCentury,
  isOfThisCentury,
  isPlainDate,
  type PlainDate,
} from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';

/**
 * Parses a date as people type it: "25/11/26", "25-11-2026", "25/11" (of the year in which it is nearest to today),
 * "hoy", or "+30", so many days from today.
 * @throws DomainError malformed or invalid, with a sentence for the user
 */
export function parseTypedDate(typed: string, today: PlainDate): PlainDate {
  const text = typed.trim().toLowerCase();
  const found =
    text === 'hoy'
      ? today
      : /^[+-]\d{1,4}$/.test(text)
        ? addDays(today, Number(text))
        : parseDay(text, today);
  if (!found)
    throw new DomainError(
      'malformed',
      `No se entiende «${typed.trim()}». Escribe día y mes, como 25/11 o 25/11/26, o bien hoy o +30.`,
    );
  if (!isOfThisCentury(found)) throw new DomainError('invalid', describeOtherCentury(found));
  return found;
}

function parseDay(text: string, today: PlainDate): PlainDate | undefined {
  if (isPlainDate(text)) return text;
  const [, day, month, year] = /^(\d{1,2})[/. -](\d{1,2})(?:[/. -](\d{2}|\d{4}))?$/.exec(text) ?? [];
  if (!day || !month) return undefined;
  const thisYear = Number(today.slice(0, 4));
  const years = year ? [year.padStart(4, '20')] : [thisYear, thisYear - 1, thisYear + 1];
  const daysFromToday = (date: PlainDate) => Math.abs(daysBetween(today, date));
  return years
    .map((one) => `${one}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`)
    .filter(isPlainDate)
    .sort((a, b) => daysFromToday(a) - daysFromToday(b))[0];
}
