import { formatDate, type PlainDate } from '../dates.ts';
import { language } from '../language.ts';

export function DateText({ date }: { date: PlainDate | null | undefined }) {
  if (!date) return null;
  return (
    <time dateTime={date} lang={language() === 'mixto' ? 'en' : undefined}>
      {formatDate(date)}
    </time>
  );
}
