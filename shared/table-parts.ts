export interface RowsPart {
  part: number;
  most: number;
  count: number;
}

export const resolveRowsPart = (asked: number | null | undefined, most: number, count: number): RowsPart => ({
  part: Math.min(asked ?? 1, Math.max(1, Math.ceil(count / most))),
  most,
  count,
});

/** Returns the positions of a part's rows, counted from 0; `end` is exclusive. */
export const rowRangeOfPart = ({ part, most, count }: RowsPart): { start: number; end: number } => ({
  start: part === 1 ? 0 : (part - 1) * most, // `most` may be Infinity
  end: Math.min(count, part * most),
});

export const nextPartOrFirst = ({ part, most, count }: RowsPart): number =>
  part * most < count ? part + 1 : 1;
