import { daysBetween, type PlainDate } from '../../../shared/dates.ts';
import { dueText, type Invoice, shortDueText, statusOf } from '../../../shared/invoices.ts';
import { currentLanguage } from '../../../shared/language.ts';
import { StatusChip } from '../../../shared/ui/Chip.tsx';

/** An invoice turns amber this many days before it is due, and is red for as many days after it. */
const DUE_SOON_DAYS = 7;

/** Days in the past are not soon but late. */
export function isDueSoon(due: PlainDate, today: PlainDate): boolean {
  const days = daysBetween(today, due);
  return days >= 0 && days <= DUE_SOON_DAYS;
}

/** An invoice that has been overdue for longer is not red: if every row were red, red would tell nothing. */
export function isNewlyOverdue(due: PlainDate, today: PlainDate): boolean {
  const days = daysBetween(due, today);
  return days > 0 && days <= DUE_SOON_DAYS;
}

export function DueChip({ invoice, today }: { invoice: Invoice; today: PlainDate }) {
  // Spanish screens mark an estimated date next to the date, so this text does not say it.
  const text =
    currentLanguage() === 'es'
      ? dueText({ ...invoice, fechavencimiento: invoice.vence }, today)
      : dueText(invoice, today);
  const short = shortDueText(invoice, today);
  return (
    <StatusChip
      status={statusOf(invoice, today)}
      text={text}
      shortText={short}
      isDueSoon={isDueSoon(invoice.vence, today)}
      isLongOverdue={!isNewlyOverdue(invoice.vence, today)}
    />
  );
}
