import { formatDate, type PlainDate } from '../dates.ts';
import { currentLanguage } from '../language.ts';

export function DateText({ date }: { date: PlainDate | null | undefined }) {
  if (!date) return null;
  return (
    <time dateTime={date} lang={currentLanguage() === 'mixto' ? 'en' : undefined}>
      {formatDate(date)}
    </time>
  );
}
