import { formatDate, type PlainDate } from '../dates.ts';
import { language } from '../language.ts';

/** "Fri, 20 Nov 2026", nothing where there is no date. */
export function DateText({ date }: { date: PlainDate | null | undefined }) {
  if (!date) return null;
  return (
    <time dateTime={date} lang={language() === 'mixto' ? 'en' : undefined}>
      {formatDate(date)}
    </time>
  );
}
