export interface Timing {
  /** milliseconds */
  medians: [number, number];
  /** the probability that a value of the second kind is larger; 0.5: indistinguishable */
  auc: number;
}

/** Compares two kinds of measurements that should be indistinguishable. */
export function compareTimes(first: readonly number[], second: readonly number[]): Timing {
  let wins = 0;
  for (const a of first) for (const b of second) wins += b > a ? 1 : b === a ? 0.5 : 0;
  return { medians: [median(first), median(second)], auc: wins / (first.length * second.length) };
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

export function quantile(values: readonly number[], q: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))] ?? 0;
}

/** Three standard deviations of the AUC of this many indistinguishable pairs. */
export const aucNoise = (pairs: number): number => 3 * Math.sqrt((2 * pairs + 1) / (12 * pairs * pairs));
