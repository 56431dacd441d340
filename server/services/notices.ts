import { cachedAnswer } from '../../db/answer-cache.ts';
import { CompiledQueries } from '../../db/prepared.ts';
import type { Db } from '../../db/schema.ts';
import { pendingOf } from '../../shared/invoices.ts';
import { dueThisWeek } from '../../shared/invoices-due.ts';
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

/** What the bell shows: open invoices overdue, and due until Sunday, with what is pending of them. Every page asks. */
export const dueNotices = (db: Db, day: Day): Promise<readonly Notice[]> =>
  cachedAnswer(db, `notices ${JSON.stringify(day)}`, () => readNotices(db, day));

async function readNotices(db: Db, day: Day): Promise<Notice[]> {
  const overdue = await sumInvoices(db, { status: 'vencida' }, day);
  const week = dueThisWeek(day.today);
  const soon = await sumInvoices(db, week, day);
  const notices: Notice[] = [];
  if (overdue.count > 0) {
    const { count } = overdue;
    const what = count === 1 ? '1 factura vencida' : `${count} facturas vencidas`;
    notices.push({
      label: `${what} por ${formatMoney(pendingOf(overdue))}`,
      href: withQuery(pages.invoices, { status: 'vencida', sortfield: 'fechavencimiento' }),
      tone: 'danger',
      count,
    });
  }
  if (soon.count > 0) {
    const { count } = soon;
    const what = count === 1 ? '1 factura vence esta semana' : `${count} facturas vencen esta semana`;
    notices.push({
      label: `${what} por ${formatMoney(pendingOf(soon))}`,
      href: withQuery(pages.invoices, { ...week, sortfield: 'fechavencimiento' }),
      tone: 'warn',
      count,
    });
  }
  return [...notices, ...(await importNotices(db))];
}

/** Payments are seen while they come in: who adds them up has to know. */
async function importNotices(db: Db): Promise<Notice[]> {
  const [open] = await openImports.run(db, '', () =>
    db.selectFrom('open_import_rows').select('importId').where('isHidden', '=', 0).limit(1),
  );
  const label = 'Se están importando pagos: las sumas crecen hasta que terminen';
  return open ? [{ label, href: pages.payments, tone: 'info', count: 0 }] : [];
}

const openImports = new CompiledQueries<{ importId: number }>();
