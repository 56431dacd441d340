/** The fraction is from 0 to 1. If the callback throws, the work stops without leaving anything behind. */
export type ReportProgress = (fraction: number, text: string) => void;

export const scaleProgress =
  (onProgress: ReportProgress, from: number, to: number): ReportProgress =>
  (fraction, text) =>
    onProgress(from + Math.min(1, fraction) * (to - from), text);
