import { expect, test } from 'vitest';
import { describeSum, overdueSum } from '../../shared/overdue.ts';

test('what is overdue adds up from what is due before the week and in it', () => {
  const sums = { overdue: 300, earlier: 200 };
  expect(describeSum(overdueSum('2026-11-20', '2026-11-16', sums))).toBe(
    'Vencido $3.00 = anteriores $2.00 + de esta semana $1.00',
  );
});

test('on a Monday no day of its week is overdue, and none is spoken of', () => {
  const sums = { overdue: 200, earlier: 200 };
  expect(describeSum(overdueSum('2026-11-16', '2026-11-16', sums))).toBe('Vencido $2.00');
});
