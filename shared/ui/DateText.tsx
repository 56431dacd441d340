import { formatDate, type PlainDate } from '../dates.ts';

/** "Fri, 20 Nov 2026", nothing where there is no date. */
export function DateText({ date }: { date: PlainDate | null | undefined }) {
  return date ? <time dateTime={date}>{formatDate(date)}</time> : null;
}
