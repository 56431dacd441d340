import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findUniqueSum } from '../../../../server/services/bank-statements/unique-sum.ts';
import { chooseRunCount } from '../../../support/proofs.ts';

const groupOf = (amounts: readonly number[], from = 0) =>
  amounts.toSorted((a, b) => a - b).map((cents, index) => ({ id: from + index, cents }));

it('finds the fewest amounts that add up, unless others do as well', () => {
  const find = (target: number, ...groups: number[][]) =>
    findUniqueSum(
      groups.map((amounts, index) => groupOf(amounts, index * 100)),
      target,
      100_000,
    )?.map(({ cents }) => cents);
  expect(find(30, [10, 20, 40])).toEqual([10, 20]);
  expect(find(70, [10, 20, 40])).toEqual([10, 20, 40]);
  expect(find(30, [10, 20], [5, 25])).toBeUndefined();
  expect(find(30, [10, 10, 20])).toBeUndefined();
  expect(find(31, [10, 20])).toBeUndefined();
  expect(find(36, [1, 2, 3, 4, 5, 6, 7, 8])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
});

it('finds no set where another of as few parts, or of fewer, adds up too', () => {
  const amounts = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 9 });
  fc.assert(
    fc.property(amounts, fc.integer({ min: 2, max: 200 }), (list, target) => {
      const group = groupOf(list);
      const found = findUniqueSum([group], target, 1_000_000);
      const sizes = Array.from({ length: 2 ** group.length }, (_, mask) =>
        group.filter((__, index) => mask & (1 << index)),
      )
        .filter((set) => set.length > 1 && set.reduce((sum, { cents }) => sum + cents, 0) === target)
        .map(({ length }) => length);
      const fewest = Math.min(...sizes);
      if (found) {
        expect(found.reduce((sum, { cents }) => sum + cents, 0)).toBe(target);
        expect([found.length, sizes.filter((size) => size === fewest).length]).toEqual([fewest, 1]);
      } else if (fewest <= 6) expect(sizes.filter((size) => size === fewest).length).toBeGreaterThan(1);
    }),
    { numRuns: chooseRunCount(300, 5000) },
  );
});
