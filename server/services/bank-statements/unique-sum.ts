import type { Cents } from '../../../shared/money.ts';

interface SumCandidate {
  id: number;
  cents: Cents;
}

/** In a long list, sums of more amounts are often found by chance. */
const MAX_ADDENDS = 6;

/**
 * Finds the smallest set of amounts of one group that adds up to `target`, if there is only one of that size.
 * @param groups each in ascending order of its amounts, all above zero
 * @param maxSteps steps after which the search gives up, since a second set could not be excluded
 * @returns undefined where no set adds up, several do, or the search gives up
 */
export function findUniqueSum<One extends SumCandidate>(
  groups: Iterable<readonly One[]>,
  targetCents: Cents,
  maxSteps: number,
): One[] | undefined {
  const lists = [...groups];
  const steps = { left: maxSteps };
  for (let size = 2; size <= MAX_ADDENDS; size++) {
    const found: One[][] = [];
    for (const group of lists) {
      if (group.length >= size)
        collectSums(group, { from: 0, size, target: targetCents, takenAddends: [], foundSums: found, steps });
      if (found.length > 1 || steps.left <= 0) return undefined;
    }
    if (found.length === 1) return found[0];
  }
  const whole = lists.filter(
    (group) => group.length > MAX_ADDENDS && group.reduce((sum, { cents }) => sum + cents, 0) === targetCents,
  );
  return whole.length === 1 ? [...whole[0]!] : undefined;
}

interface SumSearch<One> {
  from: number;
  size: number;
  target: Cents;
  takenAddends: One[];
  foundSums: One[][];
  steps: { left: number };
}

/** Stops at the second set, because then the sum is not unique. */
function collectSums<One extends SumCandidate>(group: readonly One[], search: SumSearch<One>): void {
  const { from, size, target, takenAddends, foundSums, steps } = search;
  if (size > 2) {
    for (let at = from; at <= group.length - size && foundSums.length < 2 && steps.left > 0; at++) {
      const { cents } = group[at]!;
      steps.left--;
      if (cents * size > target) return;
      collectSums(group, {
        ...search,
        from: at + 1,
        size: size - 1,
        target: target - cents,
        takenAddends: [...takenAddends, group[at]!],
      });
    }
    return;
  }
  let [low, high] = [from, group.length - 1];
  while (low < high && foundSums.length < 2) {
    steps.left--;
    const sum = group[low]!.cents + group[high]!.cents;
    if (sum < target) low++;
    else if (sum > target) high--;
    else {
      foundSums.push([...takenAddends, group[low]!, group[high]!]);
      // If an amount next to one of the two is equal to it, a second set has the same sum.
      const isRepeated =
        (high - low > 1 && group[low + 1]!.cents === group[low]!.cents) ||
        (high - low > 1 && group[high - 1]!.cents === group[high]!.cents);
      if (isRepeated) foundSums.push([...takenAddends, group[low]!, group[high]!]);
      low++;
      high--;
    }
  }
}
