import { expect, test } from 'vitest';
import { describeSum, overdueSum, weekSum } from '../../shared/overdue.ts';

const WEEK = { key: 'SEM 47', from: '2026-11-16', to: '2026-11-22' };

test('what is overdue adds up from what is due before the week and in it', () => {
  const sums = { overdue: 300, earlier: 200 };
  expect(describeSum(overdueSum('2026-11-20', '2026-11-16', sums))).toBe(
    'Vencido $3.00 = anteriores $2.00 + de esta semana $1.00',
  );
  expect(describeSum(weekSum('2026-11-20', WEEK, { week: 500, left: 400 }))).toBe(
    'SEM 47 $5.00 = ya vencido $1.00 + esta semana $4.00',
  );
});

test('on a Monday no day of its week is overdue, and none is spoken of', () => {
  const sums = { overdue: 200, earlier: 200 };
  expect(describeSum(overdueSum('2026-11-16', '2026-11-16', sums))).toBe('Vencido $2.00 = anteriores $2.00');
  expect(describeSum(weekSum('2026-11-16', WEEK, { week: 400, left: 400 }))).toBe(
    'SEM 47 $4.00 = esta semana $4.00',
  );
});
