import { expect, test } from 'vitest';
import { balanceColumns, EARLIER } from '../../shared/balances.ts';
import { isoWeekOf } from '../../shared/dates.ts';
import { describeOverdue } from '../../shared/overdue.ts';

const describe = (corte: string, week: string, sumCents: number, earlier: number) =>
  describeOverdue({
    corte,
    columns: balanceColumns(isoWeekOf(week), undefined, 1),
    overdue: { count: 1, sumCents },
    total: { amounts: { [EARLIER]: earlier } },
  });

test('what is overdue adds up from what is due before the week and in it', () => {
  expect(describe('2026-11-20', '2026-11-16', 300, 200)).toBe(
    'Vencido $3.00 = anteriores $2.00 + de esta semana $1.00',
  );
});

test('what is due before a later week is partly overdue', () => {
  expect(describe('2026-11-20', '2026-11-30', 200, 300)).toBe(
    'Anteriores $3.00 = vencido $2.00 + por vencer antes del 30 nov $1.00',
  );
});

test('on a Monday no day of its week is overdue, and none is spoken of', () => {
  expect(describe('2026-11-16', '2026-11-16', 200, 200)).toBe('Vencido $2.00');
});
