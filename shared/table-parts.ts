export interface RowsPart {
  part: number;
  maxRows: number;
  count: number;
}

export const resolveRowsPart = (
  requestedPart: number | null | undefined,
  maxRows: number,
  count: number,
): RowsPart => ({
  part: Math.min(requestedPart ?? 1, Math.max(1, Math.ceil(count / maxRows))),
  maxRows,
  count,
});

/** Returns the positions of a part's rows, counted from 0; `end` is exclusive. */
export const rowRangeOfPart = ({ part, maxRows, count }: RowsPart): { start: number; end: number } => ({
  start: part === 1 ? 0 : (part - 1) * maxRows, // `maxRows` may be Infinity
  end: Math.min(count, part * maxRows),
});

export const getNextPartOrFirst = ({ part, maxRows, count }: RowsPart): number =>
  part * maxRows < count ? part + 1 : 1;
