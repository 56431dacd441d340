import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import {
  type BalanceReport,
  balanceColumns,
  type CountAndSum,
  firstWeekOf,
  weekStarts,
} from '../../../shared/balances.ts';
import { endOfDay, type PlainDate } from '../../../shared/dates.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Named } from '../by-name.ts';
import type { Day } from '../invoices/reading.ts';
import { isAsNow } from '../invoices/sums.ts';
import { unappliedBySupplier } from '../payments/credit-notes.ts';
import { readSettings } from '../settings/settings.ts';
import { readDatedLater } from './dated-later.ts';
import { type DueRow, groupBySupplier, layOut, type Owing } from './layout.ts';

export interface BalanceQuery {
  /** by default today */
  corte?: PlainDate | null;
  /** ISO week and year of the first column, by default those of the corte */
  week?: number;
  year?: number;
  supplierId?: number | null;
  jobId?: number | null;
}

type Narrowed = Pick<BalanceQuery, 'supplierId' | 'jobId'> & {
  due?: { from: PlainDate; to: PlainDate };
};

interface Brevity {
  /** beyond so many rows only the suppliers' totals, and the invoices of the one that is opened */
  mostRows?: number;
  opened?: number | null;
}

/**
 * Saldos por proveedor: what was open at the end of the corte, by the week in which it is due.
 * @throws DomainError malformed where the first week does not exist
 */
export async function readBalances(
  db: Db,
  query: BalanceQuery,
  day: Day,
  { mostRows = Infinity, opened }: Brevity = {},
): Promise<BalanceReport> {
  const corte = query.corte ?? day.today;
  const firstWeek = firstWeekOf(corte, query);
  const { semanas } = await readSettings(db);
  const apartFrom = [corte, ...weekStarts(firstWeek, Number(semanas))];
  const { invoices, others } = await readOwing(db, query, day, { corte, mostRows, opened, apartFrom });
  const all: readonly Owing[] = others.length > 0 ? [...invoices, ...others] : invoices;
  // Names after rows: whatever a row refers to is there by then.
  const suppliers = await readSuppliers(db);
  const jobs = await readJobs(db);
  const columns = balanceColumns(firstWeek, latestDue(all), Number(semanas));
  const groups = groupBySupplier(invoices, suppliers, others);
  const isLong = countOf(all) + groups.length + 1 > mostRows;
  const rows = layOut(groups, jobs, columns, (supplierId) => !isLong || supplierId === opened);
  return {
    corte,
    firstWeek,
    columns,
    isLong,
    rows,
    total: rows.at(-1)!,
    invoiceCount: countOf(all),
    anyEstimated: all.some(isDueEstimated),
    overdue: sumOverdue(all, corte),
    later: await readDatedLater(db, query, corte, day),
    // A credit note has no obra.
    unapplied: query.jobId ? [] : await unappliedBySupplier(db, { supplierId: query.supplierId, corte }),
  };
}

/** All that is open; of very many what they come to, but for the supplier whose rows are told. */
async function readOwing(
  db: Db,
  query: BalanceQuery,
  day: Day,
  {
    corte,
    mostRows,
    opened,
    apartFrom,
  }: Brevity & { corte: PlainDate; mostRows: number; apartFrom: readonly PlainDate[] },
): Promise<{ invoices: readonly DueRow[]; others: readonly Owing[] }> {
  const areMany = async () => {
    const open = openAt(query, corte, day, sql`invoices.id`);
    return (await sql`select 1 from (${open}) open limit ${mostRows}`.execute(db)).rows.length === mostRows;
  };
  if (query.supplierId || mostRows === Infinity || !(await areMany()))
    return { invoices: await readOpenInvoices(db, query, corte, day), others: [] };
  const invoices = opened ? await readOpenInvoices(db, { ...query, supplierId: opened }, corte, day) : [];
  const whose = { exceptSupplierId: opened, jobId: query.jobId };
  return { invoices, others: await sumOwing(db, whose, { today: corte, timeZone: day.timeZone }, apartFrom) };
}

const sumOverdue = (all: readonly Owing[], corte: PlainDate): CountAndSum => ({
  count: countOf(all, corte),
  sumCents: all.reduce((sum, { vence, pendingCents }) => (vence < corte ? sum + pendingCents : sum), 0),
});

const countOf = (all: readonly Owing[], before?: PlainDate): number =>
  all.reduce((sum, { vence, count = 1 }) => (before === undefined || vence < before ? sum + count : sum), 0);

/** Every payment on file counts, whatever its date. */
export async function readOwedNow(db: Db, query: Narrowed): Promise<DueRow[]> {
  const { rows } = await sql<DueRow>`
    select ${DUE}, invoices."totalCents" - invoices."paidCents" as "pendingCents"
    from invoices where invoices."paidCents" < invoices."totalCents" ${narrowed(query)}`.execute(db);
  return rows;
}

/**
 * The one query behind all figures of what is owed at the end of a day. Candidates are invoices that are open by now,
 * and those that were paid after the corte. Of a past day the balance is the total without the payments until
 * then; from today on it is the stored one, and payments dated later are added back.
 */
export async function readOpenInvoices(
  db: Db,
  query: Narrowed,
  corte: PlainDate,
  day: Day,
): Promise<DueRow[]> {
  const { rows } = await openAt<DueRow>(query, corte, day, DUE).execute(db);
  return rows.every(isOwed) ? rows : rows.filter(isOwed);
}

const DUE = sql`invoices.id, invoices."supplierId", invoices."jobId", invoices.numfactura, invoices.vence,
  invoices.fechavencimiento`;

/** Rows of some columns and `pendingCents`. */
function openAt<Row>(query: Narrowed, corte: PlainDate, day: Day, columns: RawBuilder<unknown>) {
  const paymentsOf = sql`select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id`;
  const paid =
    corte < day.today
      ? sql`coalesce((${paymentsOf} and p.paymentdate <= ${corte}), 0)`
      : sql`invoices."paidCents" - case when exists (select 1 from payments where paymentdate > ${corte})
          then coalesce((${paymentsOf} and p.paymentdate > ${corte}), 0) else 0 end`;
  const candidates = (among?: 'few') => sql`
    select ${columns}, invoices."totalCents" - (${paid}) as "pendingCents"
    from invoices where ${countsAt(corte, day)} ${narrowed(query, among)}`;
  return sql<Row>`
    ${candidates()} and invoices."paidCents" < invoices."totalCents"
    union all
    ${candidates(corte < day.today ? undefined : 'few')} and invoices."paidCents" >= invoices."totalCents"
      and invoices.id in (select "facturaproveedorId" from payments where paymentdate > ${corte})`;
}

const isOwed = ({ pendingCents }: DueRow): boolean => pendingCents > 0;

/**
 * issuedBy in a form that no index serves: nearly all invoices are issued by then, and SQLite, where it has
 * no statistics, would take the index of issue dates over the small one of open invoices.
 */
const countsAt = (corte: PlainDate, { timeZone }: Day) =>
  sql`case when invoices.fechaemision is null then invoices."createdAt" < ${endOfDay(corte, timeZone)}
    else invoices.fechaemision <= ${corte} end`;

/** @param among what there is to narrow: few of them are not looked for among all of a supplier, or of an obra */
const narrowed = ({ supplierId, jobId, due }: Narrowed, among?: 'few') => {
  const of = (column: 'supplierId' | 'jobId') =>
    among ? sql`invoices.${sql.ref(column)} + 0` : sql`invoices.${sql.ref(column)}`;
  return sql`
  ${due ? sql`and invoices.vence between ${due.from} and ${due.to}` : sql``}
  ${supplierId ? sql`and ${of('supplierId')} = ${supplierId}` : sql``}
  ${jobId ? sql`and ${of('jobId')} = ${jobId}` : sql``}`;
};

const readSuppliers = (db: Db): Promise<Named[]> =>
  db.selectFrom('suppliers').select(['id', 'suppliername as name']).orderBy('id').execute();

const readJobs = (db: Db): Promise<Named[]> =>
  db.selectFrom('jobs').select(['id', 'jobtitle as name']).orderBy('id').execute();

function latestDue(invoices: readonly Owing[]): PlainDate | undefined {
  let latest: PlainDate | undefined;
  for (const { vence } of invoices) if (latest === undefined || vence > latest) latest = vence;
  return latest;
}

/**
 * Adds up what each supplier is owed at the end of a day, by when it is due and whether that was worked out; in the
 * order in which an index has open invoices, and without the changes of later days.
 * @param apartFrom days from which on what is due is told apart from what was due before
 */
async function sumOwing(
  db: Db,
  { exceptSupplierId, jobId }: { exceptSupplierId?: number | null; jobId?: number | null },
  day: Day,
  apartFrom: readonly PlainDate[],
): Promise<Owing[]> {
  const columns = sql`i."supplierId", i."jobId", i.vence, i.fechavencimiento`;
  const later = await datedLater(db, columns, day);
  const days = [...new Set(apartFrom)].sort();
  const places = days.map((from, place) => sql`when vence < ${from} then ${sql.lit(place)}`);
  const { rows } = await sql<Owing>`
    select "supplierId", min(vence) as vence, min(fechavencimiento) as fechavencimiento, sum(count) as count,
      sum(cents) as "pendingCents"
    from (select ${columns}, 1 as count, i."totalCents" - i."paidCents" as cents from invoices i
      where i."paidCents" < i."totalCents" ${later}) open
    where true
      ${exceptSupplierId ? sql`and "supplierId" <> ${exceptSupplierId}` : sql``}
      ${jobId ? sql`and "jobId" = ${jobId}` : sql``}
    group by "supplierId", case ${sql.join(places, sql` `)} else ${sql.lit(days.length)} end, fechavencimiento is null
    having sum(count) > 0`.execute(db);
  return rows;
}

/**
 * Takes back what later days have changed in the sums of now: rows of the same columns, with the signs turned round.
 * @param by the first of them, of `i`, an invoice
 */
async function datedLater(db: Db, by: RawBuilder<unknown>, { today, timeZone }: Day) {
  if (await isAsNow(db, today, { today, timeZone })) return sql``;
  const before = endOfDay(today, timeZone);
  const later = sql`(i.fechaemision > ${today} or (i.fechaemision is null and i."createdAt" >= ${before}))`;
  return sql`
    union all select ${by}, -1, i."paidCents" - i."totalCents" from invoices i
      where ${later} and i."paidCents" < i."totalCents"
    union all select ${by}, case when i."paidCents" < i."totalCents" then 0 else 1 end, p.cents
      from (select "facturaproveedorId" as id, sum("amountCents") as cents from payments
        where paymentdate > ${today} group by "facturaproveedorId") p
      cross join invoices i where i.id = p.id and ${later} is not true`; // without an issue date it is null
}
