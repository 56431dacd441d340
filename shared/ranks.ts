/** Which part of a ranking shows: as many as fit on a page, the largest first. */
export interface Ranks {
  /** 1: the largest */
  part: number;
  /** in a part, at the most */
  most: number;
  count: number;
}

/** The part that is asked for, or the last one where there are fewer. */
export const ranksOf = (asked: number | null | undefined, most: number, count: number): Ranks => ({
  part: Math.min(asked ?? 1, Math.max(1, Math.ceil(count / most))),
  most,
  count,
});

/** The places of a part, counted from 0; `end` is none of them any more. */
export const placesOf = ({ part, most, count }: Ranks): { start: number; end: number } => ({
  start: part === 1 ? 0 : (part - 1) * most, // `most` may be Infinity
  end: Math.min(count, part * most),
});

/** After the last part comes the first one again. */
export const nextPart = ({ part, most, count }: Ranks): number => (part * most < count ? part + 1 : 1);
