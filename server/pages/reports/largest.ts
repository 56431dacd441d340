/** The rows with the largest figures, in the order that they have, and those that are left over. */
export function largestOf<Row>(
  rows: readonly Row[],
  most: number,
  figureOf: (row: Row) => number,
  isKept: (row: Row) => boolean = () => false,
): { largest: readonly Row[]; rest: readonly Row[] } {
  if (rows.length <= most) return { largest: rows, rest: [] };
  const ranked = rows.map((row, index) => ({ index, figure: isKept(row) ? Infinity : figureOf(row) }));
  ranked.sort((a, b) => b.figure - a.figure || a.index - b.index);
  const chosen = new Set(ranked.slice(0, most).map(({ index }) => index));
  return {
    largest: rows.filter((_, index) => chosen.has(index)),
    rest: rows.filter((_, index) => !chosen.has(index)),
  };
}
