import fc from 'fast-check';
import { expect, it } from 'vitest';
import { addDays } from '../../shared/dates.ts';
import { monthOf, type Period, roundToMonths } from '../../shared/periods.ts';

const day = fc.integer({ min: 0, max: 800 }).map((days) => addDays('2024-12-30', days));

const daysOf = ({ from, to }: Period): string[] => {
  const days: string[] = [];
  for (let at = from; at <= to; at = addDays(at, 1)) days.push(at);
  return days;
};

it('a period is its months, with the days beside them, less those that are not of it', () => {
  fc.assert(
    fc.property(day, day, fc.array(day), (one, other, rows) => {
      const period = one < other ? { from: one, to: other } : { from: other, to: one };
      const countOf = ({ from, to }: Period) => rows.filter((row) => row >= from && row <= to).length;
      const { months, more, less } = roundToMonths(period, countOf);
      const whole =
        months.from === '-' ? [] : daysOf({ from: `${months.from}-01`, to: monthOf(`${months.to}-01`).to });
      const taken = new Set(less.flatMap(daysOf));
      expect([...whole.filter((at) => !taken.has(at)), ...more.flatMap(daysOf)].sort()).toEqual(
        daysOf(period),
      );
      // Of each month that it has in part whichever are fewer.
      for (const part of more) expect(countOf(part)).toBeLessThanOrEqual(countOf(monthOf(part.from)) / 2);
    }),
  );
});
