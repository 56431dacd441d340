import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import { cachedAnswer } from '../../../db/answer-cache.ts';
import { CompiledQueries } from '../../../db/prepared.ts';
import { countOfRolled, rolledRows } from '../../../db/rolled-sums.ts';
import type { Db } from '../../../db/schema.ts';
import { searchedColumns } from '../../../db/search-indexes.ts';
import { addDays, endOfDay, type Instant, type PlainDate } from '../../../shared/dates.ts';
import type { StatusFilter } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { ADDED_UP_AT_ONCE, askedOf } from '../asked-filters.ts';
import { asksOpenNow, type Day, filterInvoices, type InvoiceFilter, paidExpression } from './reading.ts';

export interface InvoiceTotals {
  count: number;
  totalCents: Cents;
  paidCents: Cents;
  sinIvaCents: Cents;
}

/**
 * The totals of the whole filter: what is rolled up where that answers it, else summed by the database, on SQLite anew
 * only when something was written.
 */
export async function sumInvoices(db: Db, filter: InvoiceFilter, day: Day): Promise<InvoiceTotals> {
  const { corte } = filter;
  if (corte && (await isAsNow(db, corte, day)))
    return sumInvoices(db, { ...filter, corte: null }, { ...day, today: corte });
  if (corte && askedOf(filter).length === 1) return sumAsOf(db, corte, day);
  const rolled = rolledInvoices(filter, day);
  if (!rolled) return addUpInvoices(db, filter, day);
  const build = () => selectSums(db.selectFrom(rolled.as('rolled')), ROLLED);
  return only(await sums.run(db, `rolled ${JSON.stringify([filter, day])}`, build));
}

/**
 * The same where it costs next to nothing however many invoices there are: what is rolled up, what is open, and of a
 * small firm whatever is asked. Nothing where many would have to be read.
 */
export async function sumInvoicesAtOnce(
  db: Db,
  filter: InvoiceFilter,
  day: Day,
): Promise<InvoiceTotals | undefined> {
  const isSearched = searchedColumns('invoices', filter).length > 0;
  const isOpen = asksOpenNow(filter) && !filter.parecidas && !isSearched;
  const isCheap = isOpen || Boolean(!filter.corte && rolledInvoices(filter, day));
  if (isCheap || (await sumInvoices(db, {}, day)).count <= ADDED_UP_AT_ONCE)
    return sumInvoices(db, filter, day);
  return undefined;
}

/** The same from the invoices themselves. */
export async function addUpInvoices(db: Db, filter: InvoiceFilter, day: Day): Promise<InvoiceTotals> {
  const key = JSON.stringify([filter, day]);
  const added = { ...ROLLED, ...OWN, paidCents: paidExpression(filter.corte) };
  const build = () => selectSums(filterInvoices(db, filter, day), added);
  return cachedAnswer(db, `invoices ${key}`, async () => only(await sums.run(db, key, build)));
}

/**
 * Those captured since a day, from no more of each than an index has by itself. After a big import nearly all are: then
 * from what all come to, less those before them.
 */
export async function sumCaptured(
  db: Db,
  since: PlainDate,
  { timeZone }: Day,
): Promise<{ count: number; sumCents: Cents }> {
  const from = endOfDay(addDays(since, -1), timeZone);
  const captured = (when: '>=' | '<') => sql`select 1 as count, "totalCents" as cents from invoices
    where "createdAt" ${sql.raw(when)} ${from}`;
  const sum = async (rows: RawBuilder<unknown>) => {
    const { rows: sums } = await sql<{ count: number; sumCents: Cents }>`
      select coalesce(sum(count), 0) as count, coalesce(sum(cents), 0) as "sumCents" from (${rows}) captured`.execute(
      db,
    );
    return sums[0]!;
  };
  return cachedAnswer(db, `captured ${JSON.stringify([since, timeZone])}`, async () => {
    const some = await sum(sql`${captured('>=')} limit ${MANY}`);
    if (some.count < MANY) return some;
    const { count: before } = await sum(sql`${captured('<')} limit ${MANY}`);
    if (before === MANY) return sum(captured('>='));
    const all = rolledRows('invoice_sums', { supplierId: undefined, jobId: undefined });
    return sum(sql`select count, "totalCents" as cents from ${all} rolled
      union all select -count, -cents from (${captured('<')}) before`);
  });
}

/** So many are not read one by one where something else tells their sum. */
const MANY = 1000;

/**
 * All invoices issued until a day, and what was paid of them until then: of the payments of those days, what paid an
 * invoice that was issued later is taken off.
 */
async function sumAsOf(db: Db, corte: PlainDate, { timeZone }: Day): Promise<InvoiceTotals> {
  const before = endOfDay(corte, timeZone);
  const ahead = await paidAhead(db, corte, before);
  const issued = rolledRows('invoice_day_sums', {}, issuedWithin('fechaemision', undefined, corte));
  const paid = rolledRows('payment_day_sums', {}, sql`paymentdate <= ${corte}`);
  const rows = sql`(
    select count, "totalCents", 0 as "paidCents", "sinIvaCents" from ${issued} issued
    union all select 1, "totalCents", 0, ${OWN.sinIvaCents} from invoices
      where fechaemision is null and "createdAt" < ${before}
    union all select 0, 0, "amountCents", 0 from ${paid} paid
    union all select 0, 0, -"amountCents", 0 from ${ahead} ahead)`;
  return selectSums(db.selectFrom(rows.as('rolled')), ROLLED).executeTakeFirstOrThrow();
}

/**
 * Payments until a day of invoices issued later: few, and looked for among the fewer of both, or, where those invoices
 * were captured one after the other, among the payments of all that were captured then.
 */
async function paidAhead(db: Db, corte: PlainDate, before: Instant): Promise<RawBuilder<unknown>> {
  const later = rolledRows('invoice_day_sums', {}, sql`fechaemision > ${corte}`);
  const paid = rolledRows('payment_day_sums', {}, sql`paymentdate <= ${corte}`);
  const { rows } = await sql<{ invoices: number; payments: number; first: number; last: number }>`
    select ${countOfRolled(later)} as invoices, ${countOfRolled(paid)} as payments,
      coalesce(min(id + 0), 0) as first, coalesce(max(id + 0), 0) as last from invoices where fechaemision > ${corte}`.execute(
    db,
  );
  // The first id as such would be looked for from the first one on.
  const { invoices, payments, first, last } = rows[0]!;
  const among = (which: RawBuilder<unknown>) =>
    sql`select p."amountCents" from payments p cross join invoices i
      where p.paymentdate <= ${corte} and i.id = p."facturaproveedorId" and ${which}`;
  const of = (which: RawBuilder<unknown>) =>
    sql`select p."amountCents" from invoices i cross join payments p
      where ${which} and p."facturaproveedorId" = i.id and p.paymentdate <= ${corte}`;
  const isUndated = sql`i.fechaemision is null and i."createdAt" >= ${before}`;
  if (payments < invoices) return sql`(${among(sql`(i.fechaemision > ${corte} or ${isUndated})`)})`;
  const areTogether = last - first < MOST_APART * invoices;
  const within = sql`p."facturaproveedorId" between ${first} and ${last} and i.fechaemision > ${corte}`;
  return sql`(${areTogether ? among(within) : of(sql`i.fechaemision > ${corte}`)} union all ${of(isUndated)})`;
}

/** Ids of so many times as many invoices are gone through rather than each of them looked for. */
const MOST_APART = 4;

/** Whether nothing is dated later than a day that is not over: then as of that day is as of now. */
export function isAsNow(db: Db, corte: PlainDate, { today, timeZone }: Day): Promise<boolean> {
  return cachedAnswer(db, `as now ${JSON.stringify([corte, today, timeZone])}`, async () => {
    if (corte < today) return false;
    const issued = rolledRows('invoice_day_sums', {}, sql`fechaemision > ${corte}`);
    const paid = rolledRows('payment_day_sums', {}, sql`paymentdate > ${corte}`);
    const { rows } = await sql<{ later: number }>`select coalesce(sum(count), 0) as later
      from (select count from ${issued} i union all select count from ${paid} p union all
        select 1 from invoices where fechaemision is null and "createdAt" >= ${endOfDay(corte, timeZone)}) dated`.execute(
      db,
    );
    return rows[0]!.later === 0;
  });
}

const sums = new CompiledQueries<InvoiceTotals>();

type Added = Record<keyof InvoiceTotals, RawBuilder<number>>;

const ROLLED: Added = {
  count: sql`count`,
  totalCents: sql`"totalCents"`,
  paidCents: sql`"paidCents"`,
  sinIvaCents: sql`"sinIvaCents"`,
};

const OWN = {
  count: sql<number>`1`,
  sinIvaCents: sql<Cents>`"subtotalCents" + "otrosimpuestosCents"`,
};

function selectSums<DB, Table extends keyof DB>(rows: SelectQueryBuilder<DB, Table, object>, added: Added) {
  const names = Object.keys(added) as (keyof InvoiceTotals)[];
  return rows
    .select(names.map((name) => sql<number>`coalesce(sum(${added[name]}), 0)`.as(name)))
    .$castTo<InvoiceTotals>();
}

function only(rows: InvoiceTotals[]): InvoiceTotals {
  if (!rows[0]) throw new Error('sums without a row');
  return rows[0];
}

/**
 * Rows of the rolls that add up to a filter's totals, to select from; nothing where only the invoices themselves
 * tell. The one place that knows which filters are answered so.
 */
function rolledInvoices(filter: InvoiceFilter, day: Day): RawBuilder<unknown> | undefined {
  const asked = askedOf(filter);
  const asksOnly = (...names: (keyof InvoiceFilter)[]) =>
    asked.every((name) => (names as string[]).includes(name));
  const { fechaemisionDesde: from, fechaemisionHasta: to } = filter;
  const [supplierId, jobId] = [filter.supplierId || undefined, filter.jobId || undefined];
  const rubroId = filter.rubroId ?? undefined;
  // No row has such an id; the rolls have, for all of them.
  if ([supplierId, jobId, rubroId].some((id) => id !== undefined && id < 0)) return undefined;
  if (asksOnly('supplierId', 'jobId')) return rolledRows('invoice_sums', { supplierId, jobId });
  if (asksOnly(...ISSUED)) return rolledRows('invoice_day_sums', {}, issuedWithin('fechaemision', from, to));
  if (asksOnly(...DUE)) return rolledRows('invoice_due_sums', {}, dueWithin(filter, day));
  if (!asksOnly(...ISSUED, jobId ? 'jobId' : 'rubroId') || !isWholeMonths(from, to)) return undefined;
  const within = issuedWithin('month', from?.slice(0, 7), to?.slice(0, 7));
  return rolledRows('invoice_month_sums', { jobId, rubroId }, within);
}

const ISSUED = ['fechaemisionDesde', 'fechaemisionHasta'] as const;

const isWholeMonths = (from?: PlainDate | null, to?: PlainDate | null): boolean =>
  (!from || from.endsWith('-01')) && (!to || addDays(to, 1).endsWith('-01'));

const DUE = [
  'status',
  'fechavencimientoDesde',
  'fechavencimientoHasta',
  'venceDesde',
  'venceHasta',
] as const satisfies readonly (keyof InvoiceFilter)[];

/** The status and the days as what the roll is told apart by. */
function dueWithin({ status, ...filter }: InvoiceFilter, { today }: Day) {
  const { fechavencimientoDesde: from, fechavencimientoHasta: to, venceDesde, venceHasta } = filter;
  return all([
    ...(status ? [PAID[status]] : []),
    ...(status === 'vencida' ? [sql`vence < ${today}`] : []),
    ...(status === 'parcial' || status === 'pendiente' ? [sql`vence >= ${today}`] : []),
    ...(status === 'sin-vencimiento' ? [sql`estimado = 1`] : []),
    // An estimated day is not the invoice's own.
    ...(from || to ? [sql`estimado = 0`] : []),
    ...[from, venceDesde].flatMap((first) => (first ? [sql`vence >= ${first}`] : [])),
    ...[to, venceHasta].flatMap((last) => (last ? [sql`vence <= ${last}`] : [])),
  ]);
}

/** Of what is told apart by what is paid. */
export const OPEN = sql`pago in ('nada', 'parte')`;

const PAID: Record<StatusFilter, RawBuilder<unknown>> = {
  'por-pagar': OPEN,
  'sin-vencimiento': OPEN,
  vencida: OPEN,
  parcial: sql`pago = 'parte'`,
  pendiente: sql`pago = 'nada'`,
  pagada: sql`pago = 'todo'`,
};

const all = (conditions: readonly RawBuilder<unknown>[]) =>
  sql<SqlBool>`${sql.join([sql`true`, ...conditions], sql` and `)}`;

/** What was issued on no day is in no period. */
function issuedWithin(column: 'fechaemision' | 'month', from?: string | null, to?: string | null) {
  const issued = sql.ref(column);
  return all([
    ...(from || to ? [sql`${issued} > ''`] : []),
    ...(from ? [sql`${issued} >= ${from}`] : []),
    ...(to ? [sql`${issued} <= ${to}`] : []),
  ]);
}
