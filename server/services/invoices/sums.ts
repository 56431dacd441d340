import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { daySumsSubquery } from '../../../db/day-sums.ts';
import { tableHasAtMostRows } from '../../../db/paging.ts';
import type { Db } from '../../../db/schema.ts';
import { toColumnSearches } from '../../../db/tables/search-indexes.ts';
import { inSnapshot } from '../../../db/transaction.ts';
import { addDays, type PlainDate, startOfNextDay } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { activeFilterNames, MAX_IMMEDIATE_SUM_ROWS } from '../active-filters.ts';
import {
  buildInvoiceQuery,
  type InvoiceFilter,
  paidExpression,
  selectsOpenNow,
  type TodayAndTimeZone,
  throwIfUnanswerable,
} from './reading.ts';

export interface InvoiceTotals {
  count: number;
  totalCents: Cents;
  paidCents: Cents;
  sinIvaCents: Cents;
}

export async function sumInvoices(
  db: Db,
  filter: InvoiceFilter,
  day: TodayAndTimeZone,
): Promise<InvoiceTotals> {
  const { corte } = filter;
  throwIfUnanswerable(filter);
  if (corte && (await hasNothingDatedLater(db, corte, day)))
    return sumInvoices(db, { ...filter, corte: null }, { ...day, today: corte });
  if (String(activeFilterNames(filter)) === 'status' && filter.status === 'pagada')
    return inSnapshot(db, (snapshot) => sumFullyPaidInvoices(snapshot, day));
  if (corte && !filter.status)
    return inSnapshot(db, (snapshot) => sumInvoicesAsOf(snapshot, filter, corte, day));
  return (await sumFromDaySums(db, filter, day)) ?? sumFiltered(db, filter, day);
}

/** Subtracts the open invoices from all of them, because both have stored sums by day. */
async function sumFullyPaidInvoices(db: Db, day: TodayAndTimeZone): Promise<InvoiceTotals> {
  const all = await sumInvoices(db, {}, day);
  return addTotals(all, await sumInvoices(db, { status: 'por-pagar' }, day), -1);
}

/** Sums undated invoices apart, because no index has both of the days, and subtracts what was paid after the corte. */
async function sumInvoicesAsOf(db: Db, filter: InvoiceFilter, corte: PlainDate, day: TodayAndTimeZone) {
  const now = { ...filter, corte: null };
  const clampToCorte = (date: PlainDate | null | undefined) => (date && date < corte ? date : corte);
  const dated = { ...now, fechaemisionHasta: clampToCorte(filter.fechaemisionHasta) };
  const undated = { ...now, emision: 'sin', capturaHasta: clampToCorte(filter.capturaHasta) } as const;
  const sum = addTotals(await sumInvoices(db, dated, day), await sumInvoices(db, undated, day));
  const { laterCents } = await buildInvoiceQuery(db, filter, day)
    .innerJoin('payments', 'payments.facturaproveedorId', 'invoices.id')
    .where('payments.paymentdate', '>', corte)
    .select(sumColumn('laterCents', sql`payments."amountCents"`))
    .executeTakeFirstOrThrow();
  return { ...sum, paidCents: sum.paidCents - laterCents };
}

const addTotals = (one: InvoiceTotals, other: InvoiceTotals, sign = 1): InvoiceTotals => ({
  count: one.count + sign * other.count,
  totalCents: one.totalCents + sign * other.totalCents,
  paidCents: one.paidCents + sign * other.paidCents,
  sinIvaCents: one.sinIvaCents + sign * other.sinIvaCents,
});

/** Undefined if the totals would take longer than the list itself. */
export async function sumInvoicesIfCheap(
  db: Db,
  filter: InvoiceFilter,
  day: TodayAndTimeZone,
): Promise<InvoiceTotals | undefined> {
  const isSearched = toColumnSearches('invoices', filter).length > 0;
  const isOpen = selectsOpenNow(filter) && !filter.parecidas && !isSearched;
  const isIndexed = activeFilterNames(filter).every((name) =>
    INDEXED_FILTERS.includes(name as keyof InvoiceFilter),
  );
  const isCheap = isOpen || isIndexed || (await tableHasAtMostRows(db, MAX_IMMEDIATE_SUM_ROWS, 'invoices'));
  return isCheap ? sumInvoices(db, filter, day) : undefined;
}

const INDEXED_FILTERS: readonly (keyof InvoiceFilter)[] = [
  'supplierId',
  'jobId',
  'fechaemisionDesde',
  'fechaemisionHasta',
  'fechavencimientoDesde',
  'fechavencimientoHasta',
  'venceDesde',
  'venceHasta',
];

/** Counts 0 if no invoice was captured before that day, because for a firm that has just begun nothing is news. */
export async function sumInvoicesCapturedSince(
  db: Db,
  since: PlainDate,
  { timeZone }: TodayAndTimeZone,
): Promise<{ count: number; sumCents: Cents }> {
  const from = startOfNextDay(addDays(since, -1), timeZone);
  const { rows } = await sql<{ count: number; sumCents: Cents }>`
    select count(*) as count, coalesce(sum("totalCents"), 0) as "sumCents" from invoices
    where "createdAt" >= ${from} and (select min("createdAt") from invoices) < ${from}`.execute(db);
  return rows[0]!;
}

/** Returns undefined where the filter is on more than days and statuses. */
async function sumFromDaySums(
  db: Db,
  filter: InvoiceFilter,
  { today }: TodayAndTimeZone,
): Promise<InvoiceTotals | undefined> {
  const { status, emision } = filter;
  const isOpenStatus = status === 'por-pagar' || status === 'vencida' || status === 'sin-vencimiento';
  const supportedNames: readonly string[] = isOpenStatus ? DUE_DAY_FILTER_NAMES : ISSUE_DAY_FILTER_NAMES;
  if (!activeFilterNames(filter).every((name) => supportedNames.includes(name))) return undefined;
  const [from, to] = isOpenStatus
    ? [filter.venceDesde, filter.venceHasta]
    : [filter.fechaemisionDesde, filter.fechaemisionHasta];
  const where: RawBuilder<SqlBool>[] = [sql`true`];
  if (from) where.push(sql`day >= ${from}`);
  if (to) where.push(sql`day <= ${to}`);
  if (emision === 'sin') where.push(sql`day is null`);
  if (status === 'vencida') where.push(sql`day < ${today}`);
  if (status === 'sin-vencimiento') where.push(sql`kind = 'estimated'`);
  const { rows } = await sql<InvoiceTotals>`
    select ${sql.join(['count', 'totalCents', 'paidCents'].map((name) => sumColumn(name, sql.ref(name))))},
      ${sumColumn('sinIvaCents', sql`"costCents"`)}
    from ${daySumsSubquery(db, isOpenStatus ? 'open' : 'issued')} where ${sql.join(where, sql` and `)}`.execute(
    db,
  );
  return rows[0]!;
}

const ISSUE_DAY_FILTER_NAMES = ['fechaemisionDesde', 'fechaemisionHasta', 'emision'];
const DUE_DAY_FILTER_NAMES = ['status', 'venceDesde', 'venceHasta'];

function sumFiltered(db: Db, filter: InvoiceFilter, day: TodayAndTimeZone) {
  return buildInvoiceQuery(db, filter, day)
    .select([
      sql<number>`count(*)`.as('count'),
      sumColumn('totalCents', sql`"totalCents"`),
      sumColumn('paidCents', paidExpression(filter.corte)),
      sumColumn('sinIvaCents', sql`"subtotalCents" + "otrosimpuestosCents"`),
    ])
    .$castTo<InvoiceTotals>()
    .executeTakeFirstOrThrow();
}

const sumColumn = <Name extends string>(name: Name, amount: RawBuilder<unknown>) =>
  sql<Cents>`coalesce(sum(${amount}), 0)`.as(name);

export async function hasNothingDatedLater(
  db: Db,
  corte: PlainDate,
  { today, timeZone }: TodayAndTimeZone,
): Promise<boolean> {
  if (corte < today) return false;
  // Compares the latest days: with `exists` PostgreSQL might read most rows before it found a later one.
  const { rows } = await sql<{ later: number }>`select case when
      (select max(fechaemision) from invoices) > ${corte}
      or (select max(paymentdate) from payments) > ${corte}
      or exists (select 1 from invoices where fechaemision is null and "createdAt" >= ${startOfNextDay(corte, timeZone)})
    then 1 else 0 end as later`.execute(db);
  return rows[0]!.later === 0;
}
