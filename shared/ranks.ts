export interface Ranks {
  part: number;
  most: number;
  count: number;
}

export const ranksOf = (asked: number | null | undefined, most: number, count: number): Ranks => ({
  part: Math.min(asked ?? 1, Math.max(1, Math.ceil(count / most))),
  most,
  count,
});

/** Returns the positions of a part, counted from 0; `end` is exclusive. */
export const rowsOfPart = ({ part, most, count }: Ranks): { start: number; end: number } => ({
  start: part === 1 ? 0 : (part - 1) * most, // `most` may be Infinity
  end: Math.min(count, part * most),
});

export const nextPart = ({ part, most, count }: Ranks): number => (part * most < count ? part + 1 : 1);
