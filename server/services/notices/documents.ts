import { sql } from 'kysely';
import { findsAtMost } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import { type PlainDate, sayDate } from '../../../shared/dates.ts';
import { receiptsDueUntil } from '../../../shared/payments.ts';
import { pages, withQuery } from '../../../shared/urls.ts';
import { type Day, filterInvoices } from '../invoices/reading.ts';
import { filterPayments } from '../payments/reading.ts';
import { sumAwaited } from '../petty-cash/searching.ts';
import type { Newest, Notice } from './notice.ts';

/** Open invoices, or payments, that every page after a write can go through: each takes some 2 µs. */
const AT_ONCE = 5_000;

/**
 * What papers leave to be looked after. Of a large firm it takes a while to be counted, and is where it was asked for.
 * @param whole also there
 */
export async function documentNotices(db: Db, day: Day, { whole }: { whole: boolean }): Promise<Notice[]> {
  const notices: (Notice | undefined)[] = [];
  const open = filterInvoices(db, { status: 'por-pagar' }, day).select('invoices.id');
  if (whole || (await findsAtMost(db, AT_ONCE, open))) notices.push(await lookalikeNotice(db, day));
  const payments = db.selectFrom('payments').select('id');
  if (whole || (await findsAtMost(db, AT_ONCE, payments))) notices.push(await receiptNotice(db, day.today));
  notices.push(await awaitedNotice(db, day.today));
  return notices.filter((one) => one !== undefined);
}

/** Open ones alone: of what is paid nothing is to be kept from happening. */
async function lookalikeNotice(db: Db, day: Day): Promise<Notice | undefined> {
  const filter = { status: 'por-pagar', parecidas: 'si' } as const;
  const found = filterInvoices(db, filter, day);
  const { count, newest } = await newestOf(found, 'invoices.fechaemision', 'invoices.id');
  if (count === 0) return undefined;
  const says =
    count === 1 ? '1 factura por pagar se parece a otra' : `${count} facturas por pagar se parecen a otra`;
  return {
    key: 'parecidas',
    label: says,
    href: withQuery(pages.invoices, filter),
    tone: 'warn',
    count,
    newest,
  };
}

async function receiptNotice(db: Db, today: PlainDate): Promise<Notice | undefined> {
  const until = receiptsDueUntil(today);
  // Led by the invoices of which receipts are due: some firms have none, and payments of all others need not be read.
  const owing = db.selectFrom('invoices').select('invoices.id').where('metodopago', '=', sql.lit('PPD'));
  const found = filterPayments(db, { rep: 'sin', paymentdateHasta: until }).where(
    'payments.facturaproveedorId',
    'in',
    owing,
  );
  const { count, newest } = await newestOf(found, 'payments.paymentdate', 'payments.id');
  if (count === 0) return undefined;
  const payments = count === 1 ? '1 pago espera' : `${count} pagos esperan`;
  const label = `${payments} un REP que ya venció, de hasta el ${sayDate(until)}`;
  const query = { rep: 'sin', paymentdateHasta: until, sortfield: 'paymentdate' };
  return { key: 'rep', label, href: withQuery(pages.payments, query), tone: 'warn', count, newest };
}

/** What was given out of a box, and should be proved by now. */
async function awaitedNotice(db: Db, today: PlainDate): Promise<Notice | undefined> {
  const { late } = await sumAwaited(db, today);
  const { count, day, id } = late;
  if (count === 0) return undefined;
  const label =
    count === 1
      ? '1 gasto de caja chica sin comprobar a tiempo'
      : `${count} gastos de caja chica sin comprobar a tiempo`;
  const href = withQuery(pages.pettyCashAwaited, { vencidos: 1 });
  return { key: 'comprobar', label, href, tone: 'warn', count, newest: { day, id } };
}

interface Countable {
  select(columns: unknown): { executeTakeFirstOrThrow(): Promise<unknown> };
}

async function newestOf(
  rows: Countable,
  day: string,
  id: string,
): Promise<{ count: number; newest: Newest }> {
  const counted = [
    sql<number>`count(*)`.as('count'),
    sql<PlainDate | null>`cast(max(${sql.ref(day)}) as text)`.as('day'),
    sql<number | null>`max(${sql.ref(id)})`.as('id'),
  ];
  const found = (await rows.select(counted).executeTakeFirstOrThrow()) as {
    count: number;
    day: PlainDate | null;
    id: number | null;
  };
  return { count: found.count, newest: { day: found.day ?? '', id: found.id ?? 0 } };
}
