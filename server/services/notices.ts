import type { Db } from '../../db/schema.ts';
import { addDays, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { pendingOf } from '../../shared/invoices.ts';
import { formatMoney } from '../../shared/money.ts';
import { pages, withQuery } from '../../shared/urls.ts';
import type { Day } from './invoices/reading.ts';
import { sumInvoices } from './invoices/sums.ts';

export interface Notice {
  label: string;
  href: string;
  tone: 'danger' | 'warn' | 'info';
  /** invoices that it speaks about */
  count: number;
}

const KEPT_MS = 15_000;
const kept = new WeakMap<Db, { until: number; today: PlainDate; notices: Promise<Notice[]> }>();

/**
 * What the bell shows: open invoices overdue, and due until Sunday, with what is pending of them. Every page
 * asks, so an answer serves for 15 seconds, or until `forgetNotices`; other processes' changes may take as long.
 */
export function dueNotices(db: Db, day: Day): Promise<Notice[]> {
  const { today } = day;
  const known = kept.get(db);
  if (known && known.today === today && known.until > performance.now()) return known.notices;
  const notices = countDue(db, day);
  // Kept before it is there: a change meanwhile forgets it, however late the count ends.
  kept.set(db, { until: performance.now() + KEPT_MS, today, notices });
  notices.catch(() => forgetNotices(db));
  return notices;
}

/** After a change: the next page counts anew. */
export const forgetNotices = (db: Db): void => void kept.delete(db);

/** The totals of the lists that they lead to. */
async function countDue(db: Db, day: Day): Promise<Notice[]> {
  const { today } = day;
  const late = { status: 'vencida' } as const;
  const thisWeek = {
    status: 'por-pagar',
    venceDesde: today,
    venceHasta: addDays(mondayOf(today), 6),
  } as const;
  const overdue = await sumInvoices(db, late, day);
  const soon = await sumInvoices(db, thisWeek, day);
  const notices: Notice[] = [];
  if (overdue.count > 0) {
    const { count } = overdue;
    const what = count === 1 ? '1 factura vencida' : `${count} facturas vencidas`;
    notices.push({
      label: `${what} por ${formatMoney(pendingOf(overdue))}`,
      href: withQuery(pages.invoices, { ...late, sortfield: 'fechavencimiento' }),
      tone: 'danger',
      count,
    });
  }
  if (soon.count > 0) {
    const { count } = soon;
    const what = count === 1 ? '1 factura vence esta semana' : `${count} facturas vencen esta semana`;
    notices.push({
      label: `${what} por ${formatMoney(pendingOf(soon))}`,
      href: withQuery(pages.invoices, { ...thisWeek, sortfield: 'fechavencimiento' }),
      tone: 'warn',
      count,
    });
  }
  return [...notices, ...(await importNotices(db))];
}

/** Payments are seen while they come in: who adds them up has to know. */
async function importNotices(db: Db): Promise<Notice[]> {
  const open = await db
    .selectFrom('open_import_rows')
    .select('importId')
    .where('isHidden', '=', 0)
    .limit(1)
    .executeTakeFirst();
  const label = 'Se están importando pagos: las sumas crecen hasta que terminen';
  return open ? [{ label, href: pages.payments, tone: 'info', count: 0 }] : [];
}
