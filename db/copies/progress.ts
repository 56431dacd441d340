/** The progress of long work, from 0 to 1, and its step. If it throws, the work ends and leaves nothing behind. */
export type ReportProgress = (fraction: number, text: string) => void;

export const reportWithin =
  (report: ReportProgress, from: number, to: number): ReportProgress =>
  (fraction, text) =>
    report(from + Math.min(1, fraction) * (to - from), text);
