import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely';
import type { Db, Schema } from '../../db/schema.ts';
import { addDays, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { type Cents, formatMoney } from '../../shared/money.ts';
import { pages, withQuery } from '../../shared/urls.ts';

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
export function dueNotices(db: Db, today: PlainDate): Promise<Notice[]> {
  const known = kept.get(db);
  if (known && known.today === today && known.until > performance.now()) return known.notices;
  const notices = countDue(db, today);
  // Kept before it is there: a change meanwhile forgets it, however late the count ends.
  kept.set(db, { until: performance.now() + KEPT_MS, today, notices });
  notices.catch(() => forgetNotices(db));
  return notices;
}

/** After a change: the next page counts anew. */
export const forgetNotices = (db: Db): void => void kept.delete(db);

async function countDue(db: Db, today: PlainDate): Promise<Notice[]> {
  const sunday = addDays(mondayOf(today), 6);
  // Two ranges of the index of open invoices: grouped in one statement they take three times as long.
  const overdue = await sumDue(db, (due) => due('vence', '<', today));
  const soon = await sumDue(db, (due) => due.between('vence', today, sunday));
  const notices: Notice[] = [];
  if (overdue.count > 0) {
    const { count } = overdue;
    const what = count === 1 ? '1 factura vencida' : `${count} facturas vencidas`;
    notices.push({
      label: `${what} por ${formatMoney(overdue.cents)}`,
      href: withQuery(pages.invoices, { status: 'vencida', sortfield: 'fechavencimiento' }),
      tone: 'danger',
      count,
    });
  }
  if (soon.count > 0) {
    const { count } = soon;
    const what = count === 1 ? '1 factura vence esta semana' : `${count} facturas vencen esta semana`;
    notices.push({
      label: `${what} por ${formatMoney(soon.cents)}`,
      href: withQuery(pages.invoices, {
        status: 'por-pagar',
        venceDesde: today,
        venceHasta: sunday,
        sortfield: 'fechavencimiento',
      }),
      tone: 'warn',
      count,
    });
  }
  return notices;
}

const sumDue = (db: Db, isDue: (due: ExpressionBuilder<Schema, 'invoices'>) => Expression<SqlBool>) =>
  db
    .selectFrom('invoices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .select(sql<Cents>`coalesce(sum("totalCents" - "paidCents"), 0)`.as('cents'))
    .where(sql<boolean>`"paidCents" < "totalCents"`)
    .where(isDue)
    .executeTakeFirstOrThrow();
