import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findBankStatementBalances } from '../../../../server/formats/bank-statements/balances.ts';
import {
  type BankStatementMovement,
  readMovements,
} from '../../../../server/formats/bank-statements/movements.ts';
import { readSantanderTable } from '../../../../server/formats/bank-statements/santander.ts';
import { addDays } from '../../../../shared/dates.ts';
import { readTableBytes } from '../../../support/tables.ts';

/** Reads rows of day, amount and the balance after it. */
const readRows = async (rows: readonly string[], heading = 'Saldo') =>
  readMovements(
    await readTableBytes(
      [
        `Fecha,Concepto,Importe,${heading}`,
        ...rows.map((row) => {
          const [day, amount, balance] = row.split(' ');
          return `${day},SPEI,${amount},"${balance}"`;
        }),
      ].join('\n'),
    ),
  );

const closingOf = async (...rows: string[]) => findBankStatementBalances(await readRows(rows));

const OLDEST_FIRST = ['03/11/2026 -100.00 900.00', '03/11/2026 50.00 950.00', '04/11/2026 -1000.00 -50.00'];

it('the balances before and after are read whether the oldest movement comes first or the newest', async () => {
  const balance = { saldoinicialCents: 100_000, saldofinalCents: -5_000, saldorenglon: null };
  expect(await closingOf(...OLDEST_FIRST)).toEqual(balance);
  expect(await closingOf(...OLDEST_FIRST.toReversed())).toEqual(balance);
  for (const heading of ['Balance', 'SALDO DISPONIBLE'])
    expect(findBankStatementBalances(await readRows(OLDEST_FIRST, heading))).toEqual(balance);
  expect(findBankStatementBalances(await readRows(OLDEST_FIRST, 'Plaza'))).toBeUndefined();
});

it('the first row whose balance does not follow is named by its line, and the last by time is the balance', async () => {
  const [first, , last] = OLDEST_FIRST as [string, string, string];
  const broken = { saldoinicialCents: 100_000, saldofinalCents: -5_000 };
  expect(await closingOf(first, last)).toEqual({ ...broken, saldorenglon: 3 });
  expect(await closingOf(last, first)).toEqual({ ...broken, saldorenglon: 2 });
  // One row is wrong; the other rows of its day still tell their order.
  const oneDay = ['100.00 1100.00', '-10.00 9.00', '-10.00 1080.00', '5.00 1085.00'].map(
    (one) => `03/11/2026 ${one}`,
  );
  expect(await closingOf(...oneDay)).toMatchObject({ saldofinalCents: 108_500, saldorenglon: 3 });
  expect(await closingOf(...oneDay.toReversed())).toMatchObject({
    saldofinalCents: 108_500,
    saldorenglon: 4,
  });
});

it('rows without a balance are passed over, and one that is no amount is named', async () => {
  expect(await closingOf('03/11/2026 -100.00 ', '03/11/2026 50.00 950.00', '04/11/2026 -1.00 -')).toEqual({
    ...{ saldoinicialCents: 100_000, saldofinalCents: 94_900, saldorenglon: null },
  });
  expect(await closingOf('03/11/2026 -100.00 900.00', '04/11/2026 50.00 #####')).toMatchObject({
    ...{ saldofinalCents: 95_000, saldorenglon: 3 },
  });
});

it('where both orders of a day are right nothing is guessed', async () => {
  expect(await closingOf('03/11/2026 50.00 150.00', '03/11/2026 -50.00 100.00')).toBe('ambiguous');
  expect(await closingOf('03/11/2026 -50.00 150.00')).toEqual({
    ...{ saldoinicialCents: 20_000, saldofinalCents: 15_000, saldorenglon: null },
  });
});

it('of any movements in either order the closing balance is the opening one and all of them', () => {
  const amounts = fc.array(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: -500, max: 500 })), {
    minLength: 1,
    maxLength: 30,
  });
  fc.assert(
    fc.property(amounts, fc.integer(), fc.boolean(), (steps, opening, isReversed) => {
      let day = '2026-11-02';
      let balance = opening;
      const movements = steps.map(([days, amount], index): BankStatementMovement => {
        day = addDays(day, days);
        const amountCents = amount || 1;
        balance += amountCents;
        return {
          line: index + 2,
          fecha: day,
          amountCents,
          referencia: '',
          descripcion: '',
          saldoCents: balance,
        };
      });
      const found = findBankStatementBalances(isReversed ? movements.toReversed() : movements);
      if (found === 'ambiguous') return movements[0]!.fecha === day;
      expect(found).toEqual({ saldoinicialCents: opening, saldofinalCents: balance, saldorenglon: null });
      return true;
    }),
  );
});

const folder = resolve(import.meta.dirname, '../../../../../shared/data/reports');

/** Real statements from outside the repository, with the balances before and after each. */
it.skipIf(!existsSync(folder))(
  'the balances of the files that banks give are read as they come',
  async () => {
    const closing: Record<string, unknown> = {};
    for (const file of ['bbva.txt', 'banorte.csv', 'santander_original.csv', 'banamex.csv', 'hsbc.csv']) {
      const bytes = readFileSync(join(folder, file));
      closing[file] = findBankStatementBalances(
        readMovements(readSantanderTable(bytes) ?? (await readTableBytes(bytes))),
      );
    }
    const read = (saldoinicialCents: number, saldofinalCents: number) => ({
      ...{ saldoinicialCents, saldofinalCents, saldorenglon: null },
    });
    expect(closing).toEqual({
      'bbva.txt': read(35_410, 1_835_400),
      'banorte.csv': read(6_429_983, 6_699_908),
      'santander_original.csv': read(1_816_207, 246_300),
      'banamex.csv': read(20_000_000, 18_500_000),
      'hsbc.csv': read(6_250_000, 9_000_000),
    });
  },
);
