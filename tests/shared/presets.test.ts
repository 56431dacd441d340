import { expect, test } from 'vitest';
import { presetPeriods } from '../../shared/presets.ts';

test('the periods that are asked for most are whole, also at the turn of a year', () => {
  const periods = (today: string) =>
    Object.fromEntries(presetPeriods(today).map(({ name, from, to }) => [name, `${from} ${to}`]));
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
