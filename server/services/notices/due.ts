import type { Db } from '../../../db/schema.ts';
import { addDays, type PlainDate } from '../../../shared/dates.ts';
import { dueThisWeek, ESTIMATED_MARK } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { sumWithin } from '../../../shared/overdue.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { openByDueDay } from '../invoices/open-sums.ts';
import type { Day } from '../invoices/reading.ts';
import type { Notice } from './notice.ts';

/**
 * Of what is to be paid: open invoices overdue, and due until Sunday, with what is pending of them. Every page asks.
 * As the lists that they lead to count: every payment on file, whatever its date.
 */
export async function dueNotices(db: Db, { today }: Day): Promise<readonly Notice[]> {
  const week = dueThisWeek(today);
  const open = await openByDueDay(db);
  const estimated = open.filter((one) => one.estimated);
  const notice = (
    key: DueKey,
    says: Says,
    from: PlainDate | null,
    to: PlainDate,
    query: object,
  ): Notice[] => {
    const { count, sumCents } = sumWithin(open, from, to);
    if (count === 0) return [];
    const mark = sumWithin(estimated, from, to).count > 0 ? ESTIMATED_MARK : '';
    const label = `${says(count)} por ${formatMoney(sumCents)}${mark}`;
    const href = withQuery(pages.invoices, { ...query, sortfield: 'fechavencimiento' });
    return [{ key, label, href, tone: TONES[key], count }];
  };
  return [
    ...notice('vencidas', saysOverdue, null, addDays(today, -1), { status: 'vencida' }),
    ...notice('esta-semana', saysDue, week.venceDesde, week.venceHasta, week),
  ];
}

const TONES = { vencidas: 'danger', 'esta-semana': 'warn' } as const;
type DueKey = keyof typeof TONES;

type Says = (count: number) => string;

const saysOverdue: Says = (count) => (count === 1 ? '1 factura vencida' : `${count} facturas vencidas`);

const saysDue: Says = (count) =>
  count === 1 ? '1 factura vence esta semana' : `${count} facturas vencen esta semana`;
