import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { addDays, mondayOf, type PlainDate } from '../../shared/dates.ts';
import { pages, withQuery } from '../../shared/urls.ts';

export interface Notice {
  label: string;
  href: string;
  tone: 'danger' | 'warn' | 'info';
}

const KEPT_MS = 15_000;
const kept = new WeakMap<Db, { until: number; today: PlainDate; notices: Notice[] }>();

/** What the bell shows: open invoices overdue, and due until Sunday. Counted at most every 15 seconds. */
export async function dueNotices(db: Db, today: PlainDate): Promise<Notice[]> {
  const known = kept.get(db);
  if (known && known.today === today && known.until > performance.now()) return known.notices;
  const sunday = addDays(mondayOf(today), 6);
  const { overdue, soon } = await db
    .selectFrom('invoices')
    .select(
      sql<number>`coalesce(sum(case when fechavencimiento < ${today} then 1 else 0 end), 0)`.as('overdue'),
    )
    .select(
      sql<number>`coalesce(sum(case when fechavencimiento between ${today} and ${sunday} then 1 else 0 end), 0)`.as(
        'soon',
      ),
    )
    .where(sql<boolean>`"paidCents" < "totalCents"`)
    .executeTakeFirstOrThrow();
  const notices: Notice[] = [];
  if (overdue > 0) {
    notices.push({
      label: overdue === 1 ? '1 factura vencida' : `${overdue} facturas vencidas`,
      href: withQuery(pages.invoices, { status: 'vencida', sortfield: 'fechavencimiento' }),
      tone: 'danger',
    });
  }
  if (soon > 0) {
    notices.push({
      label: soon === 1 ? '1 factura vence esta semana' : `${soon} facturas vencen esta semana`,
      href: withQuery(pages.invoices, {
        status: 'por-pagar',
        fechavencimientoDesde: today,
        fechavencimientoHasta: sunday,
        sortfield: 'fechavencimiento',
      }),
      tone: 'warn',
    });
  }
  kept.set(db, { until: performance.now() + KEPT_MS, today, notices });
  return notices;
}
