/**
 * Told how far long work is, from 0 to 1, and what it is at; what it throws ends the work, of which then
 * nothing stays.
 */
export type Report = (fraction: number, text: string) => void;

/** The part from `from` to `to` of longer work. */
export const partOf =
  (report: Report, from: number, to: number): Report =>
  (fraction, text) =>
    report(from + Math.min(1, fraction) * (to - from), text);
