import fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import {
  addDays,
  clockTimeIn,
  daysBetween,
  formatDate,
  formatDayFirst,
  formatShortDayMonth,
  isoWeekOf,
  isPlainDate,
  mondayOf,
  mondayOfWeek,
  parsePlainDate,
  plainDateIn,
  setBusinessZoneSource,
  startOfNextDay,
} from '../../shared/dates.ts';
import { listPresetPeriods } from '../../shared/periods.ts';

const date = fc
  .integer({ min: Date.UTC(1900, 0, 1) / 86_400_000, max: Date.UTC(2199, 11, 31) / 86_400_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

describe('a date', () => {
  it.each(['2026-11-20', '2024-02-29', '2000-02-29', '2000-01-01', '2099-12-31'])('is %s', (text) => {
    expect(isPlainDate(text)).toBe(true);
    expect(parsePlainDate(` ${text} `, 'Fecha')).toBe(text);
  });

  it.each([
    '2026-02-29',
    '1900-02-29',
    '2026-13-01',
    '2026-00-10',
    '2026-11-31',
    '2026-1-5',
    '26-11-20',
    '20/11/2026',
    '2026-11-20x',
    '',
    'hoy',
  ])('is not «%s», and the message names the field', (text) => {
    expect(isPlainDate(text)).toBe(false);
    expect(() => parsePlainDate(text, 'Fecha', 'fecha')).toThrow('Fecha: no es una fecha (AAAA-MM-DD).');
  });

  it.each(['0026-11-20', '1926-11-20', '1999-12-31', '2100-01-01', '2206-11-20'])(
    'of another century is refused, although it exists: %s',
    (text) => {
      expect(isPlainDate(text)).toBe(true);
      expect(() => parsePlainDate(text, 'Fecha', 'fecha')).toThrow(
        expect.objectContaining({
          kind: 'invalid',
          code: 'bad_value',
          message: `Fecha: ${text} está fuera de 2000 a 2099.`,
          fields: { fecha: `Fecha: ${text} está fuera de 2000 a 2099.` },
        }),
      );
    },
  );

  it.each([20_261_120, null, undefined, true, {}, ['2026-11-20'], new Date(0)])('is not %o', (value) => {
    expect(() => parsePlainDate(value, 'Fecha')).toThrow('no es una fecha');
  });

  it.each([
    ['2026-11-20 23:59:59', '2026-11-20'],
    ['2026-11-20T00:00:00', '2026-11-20'],
    ['2026-11-20T23:59:59.999Z', '2026-11-20'],
    ['2026-11-20T06:00Z', '2026-11-20'],
    ['2026-11-20T05:59:59Z', '2026-11-19'],
    ['2026-11-20T02:30:00.000Z', '2026-11-19'],
    ['2026-11-20 02:30:00+00:00', '2026-11-19'],
    ['2026-11-20T23:59:59-06:00', '2026-11-20'],
    ['2026-11-20T23:00:00-0700', '2026-11-21'],
    ['2026-11-20T01:00:00+09:00', '2026-11-19'],
    ['2027-01-01T01:00:00Z', '2026-12-31'],
    // Programs write a day as midnight in UTC.
    ['2026-11-20T00:00:00.000Z', '2026-11-20'],
    ['2026-11-20T00:00:00-00:00', '2026-11-20'],
  ])('written as %s is the day %s of the business', (text, day) => {
    expect(parsePlainDate(text, 'Fecha')).toBe(day);
  });

  it.each([
    '2026-02-30T10:00:00Z',
    '2026-11-20T10:00:00X',
    '2026-11-20T10:00:00+1:00',
    '2026-11-20 a las 10',
  ])('is not %s', (text) => {
    expect(() => parsePlainDate(text, 'Fecha')).toThrow('no es una fecha');
  });

  it("of a moment is that of the business's time zone", () => {
    const night = '2026-11-20T05:59:00Z';
    const inZone = (zone: string) => {
      setBusinessZoneSource(() => zone);
      return parsePlainDate(night, 'Fecha');
    };
    try {
      expect(['America/Tijuana', 'America/Cancun', 'Europe/Madrid'].map(inZone)).toEqual([
        '2026-11-19',
        '2026-11-20',
        '2026-11-20',
      ]);
    } finally {
      setBusinessZoneSource(() => 'America/Mexico_City');
    }
  });

  it('is shown as specified', () => {
    expect(formatDate('2026-11-20')).toBe('Fri, 20 Nov 2026');
    expect(formatDate(null)).toBe('');
    expect(formatDayFirst('2026-11-20')).toBe('20-11-2026');
    expect([formatShortDayMonth('2026-12-28'), formatShortDayMonth('2027-01-03')]).toEqual([
      '28 dic',
      '3 ene',
    ]);
    fc.assert(
      fc.property(date, (day) => {
        expect(formatDate(day)).toBe(new Date(day).toUTCString().slice(0, 16));
      }),
    );
  });

  it('moves forwards and backwards by days', () => {
    fc.assert(
      fc.property(date, fc.integer({ min: -40_000, max: 40_000 }), (day, days) => {
        expect(daysBetween(day, addDays(day, days))).toBe(days);
        expect(addDays(addDays(day, days), -days)).toBe(day);
      }),
    );
    expect(addDays('2026-12-31', 1)).toBe('2027-01-01');
    expect(daysBetween('2024-02-28', '2024-03-01')).toBe(2);
  });
});

describe('today', () => {
  it.each([
    ['2026-11-21T00:30:00Z', 'America/Mexico_City', '2026-11-20'],
    ['2026-11-20T05:59:59.999Z', 'America/Mexico_City', '2026-11-19'],
    ['2026-11-20T06:00:00Z', 'America/Mexico_City', '2026-11-20'],
    ['2027-01-01T00:30:00Z', 'America/Tijuana', '2026-12-31'],
    ['2026-11-20T23:30:00Z', 'Europe/Madrid', '2026-11-21'],
    ['2026-11-20T10:00:00Z', 'Pacific/Kiritimati', '2026-11-21'],
    ['2026-11-20T23:59:59Z', 'UTC', '2026-11-20'],
  ])('at %s in %s is %s', (moment, zone, expected) => {
    expect(plainDateIn(new Date(moment), zone)).toBe(expected);
  });
});

describe('the time of day', () => {
  it.each([
    ['2026-11-20T20:05:00Z', 'America/Mexico_City', '14:05'],
    ['2026-11-20T06:00:00Z', 'America/Mexico_City', '00:00'],
    ['2026-11-20T23:59:59Z', 'UTC', '23:59'],
  ])('at %s in %s is %s', (moment, zone, expected) => {
    expect(clockTimeIn(new Date(moment), zone)).toBe(expected);
  });
});

describe('an ISO week', () => {
  it.each([
    ['2026-11-20', 2026, 47],
    ['2026-12-28', 2026, 53],
    ['2027-01-01', 2026, 53],
    ['2027-01-03', 2026, 53],
    ['2027-01-04', 2027, 1],
    ['2025-12-29', 2026, 1],
    ['2024-12-30', 2025, 1],
    ['2021-01-03', 2020, 53],
    ['2016-01-01', 2015, 53],
  ])('of %s is %i, week %i', (day, year, week) => {
    expect(isoWeekOf(day)).toEqual({ year, week });
  });

  it('begins on Monday, and the first week of a year contains 4 January', () => {
    fc.assert(
      fc.property(date, (day) => {
        const { year, week } = isoWeekOf(addDays(day, -1));
        const monthAndDay = day.slice(5);
        const isFirst = monthAndDay >= '12-29' || monthAndDay <= '01-04';
        const next = isFirst ? { year: year + 1, week: 1 } : { year, week: week + 1 };
        expect(isoWeekOf(day)).toEqual(new Date(day).getUTCDay() === 1 ? next : { year, week });
      }),
      { numRuns: 3000 },
    );
  });

  it('starts on its Monday and has seven days', () => {
    fc.assert(
      fc.property(date, (day) => {
        const monday = mondayOf(day);
        expect(new Date(monday).getUTCDay()).toBe(1);
        expect(daysBetween(monday, day)).toBeGreaterThanOrEqual(0);
        expect(daysBetween(monday, day)).toBeLessThan(7);
        expect(isoWeekOf(addDays(monday, 6))).toEqual(isoWeekOf(monday));
        const { year } = isoWeekOf(day);
        fc.pre(year >= 1900 && year < 2200);
        expect(mondayOfWeek(isoWeekOf(day))).toBe(monday);
      }),
    );
  });

  it.each([
    [2026, 53, '2026-12-28'],
    [2027, 53, undefined],
    [2026, 0, undefined],
    [2026, 54, undefined],
    [2026, 1.5, undefined],
    [2026, 1e12, undefined],
    [2026, Number.NaN, undefined],
    [1899, 1, undefined],
    [2200, 1, undefined],
  ])('%d, week %d starts on %s', (year, week, monday) => {
    expect(mondayOfWeek({ year, week })).toBe(monday);
  });
});

describe('the end of a day', () => {
  it.each([
    ['2026-11-20', 'America/Mexico_City', '2026-11-21T06:00:00.000Z'],
    ['2026-11-20', 'UTC', '2026-11-21T00:00:00.000Z'],
    ['2026-11-20', 'Pacific/Kiritimati', '2026-11-20T10:00:00.000Z'],
    ['2018-08-11', 'America/Santiago', '2018-08-12T04:00:00.000Z'], // midnight did not exist
    ['2018-05-12', 'America/Santiago', '2018-05-13T04:00:00.000Z'], // midnight came twice
    ['2026-10-24', 'Europe/Madrid', '2026-10-24T22:00:00.000Z'],
    ['2026-10-25', 'Europe/Madrid', '2026-10-25T23:00:00.000Z'],
  ])('%s in %s is %s', (date, zone, moment) => {
    expect(startOfNextDay(date, zone)).toBe(moment);
    expect(plainDateIn(new Date(Date.parse(moment) - 1), zone)).toBe(date);
    expect(plainDateIn(new Date(moment), zone) > date).toBe(true);
  });
});

test('the most common periods are complete, also at the turn of a year', () => {
  const periods = (today: string) =>
    Object.fromEntries(listPresetPeriods(today).map(({ name, from, to }) => [name, `${from} ${to}`]));
  expect(periods('2026-11-20')).toEqual({
    Hoy: '2026-11-20 2026-11-20',
    'Esta semana': '2026-11-16 2026-11-22',
    'Este mes': '2026-11-01 2026-11-30',
    'Mes pasado': '2026-10-01 2026-10-31',
    'Este año': '2026-01-01 2026-12-31',
  });
  expect(periods('2028-01-01')).toMatchObject({
    'Esta semana': '2027-12-27 2028-01-02',
    'Mes pasado': '2027-12-01 2027-12-31',
  });
});
