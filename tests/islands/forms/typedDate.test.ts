import { expect, test } from 'vitest';
import { parseTypedDate } from '../../../islands/forms/typedDate.ts';

const TODAY = '2026-11-28';

test.each([
  ['25/11', '2026-11-25'],
  ['5.1', '2027-01-05'],
  ['30-5', '2026-05-30'],
  ['29/05', '2027-05-29'],
  ['25/11/26', '2026-11-25'],
  [' 1/2/2031 ', '2031-02-01'],
  ['2026-12-01', '2026-12-01'],
  ['HOY', TODAY],
  ['+30', '2026-12-28'],
  ['-28', '2026-10-31'],
])('%j is %s: without a year a day is the one nearest to today', (typed, day) => {
  expect(parseTypedDate(typed, TODAY)).toBe(day);
});

test.each(['25', '31/11', '25/13', '29/2', '25/11/6', '25/11/026', 'lunes', '+', '25/11/2026 10:00', '1,2'])(
  '%j is refused, not guessed',
  (typed) => {
    expect(() => parseTypedDate(typed, TODAY)).toThrow(`No se entiende «${typed}».`);
  },
);

test('a day of another century is refused', () => {
  expect(() => parseTypedDate('25/11/1926', TODAY)).toThrow('1926-11-25 está fuera de 2000 a 2099.');
});
