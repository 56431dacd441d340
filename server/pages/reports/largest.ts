import { placesOf, type Ranks } from '../../../shared/ranks.ts';

/**
 * The rows with the largest figures, in the order that they have, and those that are left over.
 * @param isKept is among the first whatever its figure
 */
export function largestOf<Row>(
  rows: readonly Row[],
  ranks: Ranks,
  figureOf: (row: Row) => number,
  isKept: (row: Row) => boolean = () => false,
): { largest: readonly Row[]; rest: readonly Row[] } {
  if (rows.length <= ranks.most) return { largest: rows, rest: [] };
  const ranked = rows.map((row, index) => ({
    index,
    figure: ranks.part === 1 && isKept(row) ? Infinity : figureOf(row),
  }));
  ranked.sort((a, b) => b.figure - a.figure || a.index - b.index);
  const { start, end } = placesOf(ranks);
  const chosen = new Set(ranked.slice(start, end).map(({ index }) => index));
  return {
    largest: rows.filter((_, index) => chosen.has(index)),
    rest: rows.filter((_, index) => !chosen.has(index)),
  };
}
