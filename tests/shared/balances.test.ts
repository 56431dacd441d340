import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  buildBalanceColumns,
  EARLIER_WEEKS_KEY,
  getColumnOfDay,
  resolveFirstWeek,
} from '../../shared/balances.ts';
import { addDays, isoWeekOf, mondayOf, mondayOfWeek } from '../../shared/dates.ts';
import { describeOverdue } from '../../shared/overdue.ts';

const dates = fc.integer({ min: 0, max: 60_000 }).map((days) => addDays('1950-01-01', days));

describe('the first week', () => {
  it('is the ISO week of the corte unless another one is requested', () => {
    expect(resolveFirstWeek('2026-11-20')).toEqual({ year: 2026, week: 47 });
    expect(resolveFirstWeek('2026-11-20', { week: 50 })).toEqual({ year: 2026, week: 50 });
    expect(resolveFirstWeek('2026-11-20', { week: 3, year: 2027 })).toEqual({ year: 2027, week: 3 });
  });

  it('is, around New Year, that of the ISO year', () => {
    expect(resolveFirstWeek('2027-01-01')).toEqual({ year: 2026, week: 53 });
    expect(resolveFirstWeek('2025-12-29')).toEqual({ year: 2026, week: 1 });
  });

  it('is corrected if an old caller sends its ISO week with the calendar year', () => {
    expect(resolveFirstWeek('2027-01-01', { week: 53, year: 2027 })).toEqual({ year: 2026, week: 53 });
    expect(resolveFirstWeek('2025-12-29', { week: 1, year: 2025 })).toEqual({ year: 2026, week: 1 });
    // 2028 has a week 52, but the caller means the corte's: week 52 of the ISO year 2027
    expect(resolveFirstWeek('2028-01-01', { week: 52, year: 2028 })).toEqual({ year: 2027, week: 52 });
  });
});

describe('the columns', () => {
  const keys = (lastDue: string | undefined, limit = 12, first = { year: 2026, week: 47 }) =>
    buildBalanceColumns(first, lastDue, limit).map((column) => column.key);

  it('are ANTERIORES and the first week, even if nothing is due', () => {
    expect(keys(undefined)).toEqual(['ANTERIORES', 'SEM 47']);
    expect(keys('2020-01-01')).toEqual(['ANTERIORES', 'SEM 47']);
  });

  it('continue to the last week with a balance, with the year from the next year on', () => {
    expect(keys('2027-01-12')).toEqual([
      'ANTERIORES',
      'SEM 47',
      'SEM 48',
      'SEM 49',
      'SEM 50',
      'SEM 51',
      'SEM 52',
      'SEM 53',
      'SEM 1 2027',
      'SEM 2 2027',
    ]);
  });

  it('end with one for everything due later', () => {
    expect(keys('2027-02-07')).toHaveLength(13);
    expect(keys('2027-02-07').at(-1)).toBe('SEM 5 2027');
    expect(keys('2027-02-08').slice(-2)).toEqual(['SEM 5 2027', 'SEM 6+ 2027']);
    expect(keys('2026-12-30', 2)).toEqual(['ANTERIORES', 'SEM 47', 'SEM 48', 'SEM 49+']);
  });

  it('state their days', () => {
    const columns = buildBalanceColumns({ year: 2026, week: 52 }, '2027-02-01', 2);
    expect(columns).toEqual([
      {
        key: 'ANTERIORES',
        days: 'antes del 21 dic',
        heading: 'ANTERIORES (antes del 21 dic)',
        from: null,
        to: '2026-12-20',
      },
      {
        key: 'SEM 52',
        days: '21 – 27 dic',
        heading: 'SEM 52 (21 – 27 dic)',
        from: '2026-12-21',
        to: '2026-12-27',
      },
      {
        key: 'SEM 53',
        days: '28 dic – 3 ene',
        heading: 'SEM 53 (28 dic – 3 ene)',
        from: '2026-12-28',
        to: '2027-01-03',
      },
      {
        key: 'SEM 1+ 2027',
        days: 'desde el 4 ene',
        heading: 'SEM 1+ 2027 (desde el 4 ene)',
        from: '2027-01-04',
        to: null,
      },
    ]);
  });

  it('contain every day exactly once, whatever the first week', () => {
    fc.assert(
      fc.property(dates, dates, dates, fc.integer({ min: 1, max: 53 }), (start, last, day, limit) => {
        const columns = buildBalanceColumns(isoWeekOf(start), last, limit);
        const holding = columns.filter(
          ({ from, to }) => (from === null || from <= day) && (to === null || day <= to),
        );
        // a day after the last one with a balance has no column of its own
        if (day <= last || day < mondayOf(start)) {
          expect(holding).toEqual([getColumnOfDay(columns, day)]);
        }
        expect(new Set(columns.map((column) => column.key)).size).toBe(columns.length);
        expect(columns.length).toBeLessThanOrEqual(limit + 2);
        expect(columns[1]!.from).toBe(mondayOfWeek(isoWeekOf(start)));
      }),
    );
  });
});

const overdueOf = (corte: string, week: string, sumCents: number, earlier: number) =>
  describeOverdue({
    corte,
    columns: buildBalanceColumns(isoWeekOf(week), undefined, 1),
    overdue: { count: 1, sumCents },
    total: { amounts: { [EARLIER_WEEKS_KEY]: earlier } },
  });

test('overdue is the sum of what was due before the first week and in it', () => {
  expect(overdueOf('2026-11-20', '2026-11-16', 300, 200)).toBe(
    'Vencido $3.00 = anteriores $2.00 + de esta semana $1.00',
  );
});

test('with a later first week, only a part of ANTERIORES is overdue', () => {
  expect(overdueOf('2026-11-20', '2026-11-30', 200, 300)).toBe(
    'Anteriores $3.00 = vencido $2.00 + por vencer antes del 30 nov $1.00',
  );
});

test('on a Monday no day of its week is overdue, and none is mentioned', () => {
  expect(overdueOf('2026-11-16', '2026-11-16', 200, 200)).toBe('Vencido $2.00');
});
