import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { buildBalanceColumns, resolveFirstWeek } from '../../../shared/balances.ts';
import { type PlainDate, startOfNextDay, sundayOf } from '../../../shared/dates.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { readAllNamesById } from '../by-name.ts';
import { sumUnappliedBySupplier } from '../credit-notes/reading.ts';
import type { TodayAndTimeZone } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { sumDatedLater } from './after-corte.ts';
import { type LayoutLimits, layOutReport, layOutRows, type OpenInvoiceRow } from './report-layout.ts';

export interface BalanceQuery extends BalanceScope {
  /** today by default */
  corte?: PlainDate | null;
  /** ISO week and year of the first column; those of the corte by default */
  weeknum?: number;
  yr?: number;
}

interface BalanceScope {
  supplierId?: number | null;
  jobId?: number | null;
}

export type BalanceReport = Awaited<ReturnType<typeof readBalances>>;

/**
 * Reads the report "Saldos por proveedor": open balances by supplier and week.
 * @throws DomainError malformed where the first week does not exist
 */
export async function readBalances(
  db: Db,
  query: BalanceQuery,
  day: TodayAndTimeZone,
  limits?: LayoutLimits,
) {
  const { corte, firstWeek, open, names, columns } = await readOwedInvoices(db, query, day);
  const overdue = open.filter(({ vence }) => vence < corte);
  const sunday = sundayOf(corte);
  const overdueBySupplier = new Map<number, Cents>();
  for (const { supplierId, pendingCents } of overdue)
    overdueBySupplier.set(supplierId, (overdueBySupplier.get(supplierId) ?? 0) + pendingCents);
  return {
    corte,
    firstWeek,
    columns,
    ...layOutReport(open, names, columns, limits),
    invoiceCount: open.length,
    /** the due days that are estimated, one for each such invoice */
    estimatedDays: open.filter(isDueEstimated).map(({ vence }) => vence),
    overdue: {
      count: overdue.length,
      sumCents: overdue.reduce((sum, { pendingCents }) => sum + pendingCents, 0),
    },
    /** due from the corte to the end of its week */
    thisWeekCents: open.reduce(
      (sum, { vence, pendingCents }) => (vence >= corte && vence <= sunday ? sum + pendingCents : sum),
      0,
    ),
    overdueBySupplier,
    later: await sumDatedLater(db, query, corte, day),
    /** each supplier's sum of unapplied credit notes at the corte, which belongs to no balance and no obra */
    unapplied: query.jobId ? [] : await sumUnappliedBySupplier(db, { supplierId: query.supplierId, corte }),
  };
}

/** Reads only the report's rows, and computes each one when it is asked for. */
export async function readBalanceRows(db: Db, query: BalanceQuery, day: TodayAndTimeZone) {
  const { open, names, columns } = await readOwedInvoices(db, query, day);
  return { columns, rows: layOutRows(open, names, columns) };
}

async function readOwedInvoices(db: Db, query: BalanceQuery, day: TodayAndTimeZone) {
  const corte = query.corte ?? day.today;
  const firstWeek = resolveFirstWeek(corte, { week: query.weeknum, year: query.yr });
  const { semanas } = await readSettings(db);
  const open = await readInvoicesOpenAt(db, query, corte, day);
  // Names are read after the rows, so that no row lacks its name.
  const names = {
    suppliers: await readAllNamesById(db, 'suppliers', 'suppliername'),
    jobs: await readAllNamesById(db, 'jobs', 'jobtitle'),
  };
  const columns = buildBalanceColumns(firstWeek, findLatestDueDay(open), Number(semanas));
  return { corte, firstWeek, open, names, columns };
}

function findLatestDueDay(openInvoices: readonly OpenInvoiceRow[]): PlainDate | undefined {
  let latest: PlainDate | undefined;
  for (const { vence } of openInvoices) if (latest === undefined || vence > latest) latest = vence;
  return latest;
}

/** All stored payments count, whatever their date. */
export async function readInvoicesOpenNow(db: Db, query: BalanceScope): Promise<OpenInvoiceRow[]> {
  const { rows } = await sql<OpenInvoiceRow>`
    select ${OPEN_INVOICE_COLUMNS}, invoices."totalCents" - invoices."paidCents" as "pendingCents"
    from invoices where invoices."paidCents" < invoices."totalCents" ${scopeConditions(query)}`.execute(db);
  return rows;
}

/**
 * The one query behind all figures of what is owed at the end of a day. It reads the invoices that are open now and
 * those that were paid after the corte. If the corte is a past day, the balance is the total less the payments until
 * then. Otherwise it is the stored balance plus the payments that are dated after the corte.
 */
export async function readInvoicesOpenAt(
  db: Db,
  query: BalanceScope,
  corte: PlainDate,
  day: TodayAndTimeZone,
): Promise<OpenInvoiceRow[]> {
  const paymentsOf = sql`select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id`;
  const paid =
    corte < day.today
      ? sql`coalesce((${paymentsOf} and p.paymentdate <= ${corte}), 0)`
      : sql`invoices."paidCents" - case when (select max(paymentdate) from payments) > ${corte}
          then coalesce((${paymentsOf} and p.paymentdate > ${corte}), 0) else 0 end`;
  const candidates = sql`
    select ${OPEN_INVOICE_COLUMNS}, invoices."totalCents" - (${paid}) as "pendingCents"
    from invoices where ${issuedUpToConditionWithoutIndex(corte, day)} ${scopeConditions(query)}`;
  const { rows } = await sql<OpenInvoiceRow>`
    ${candidates} and invoices."paidCents" < invoices."totalCents"
    union all
    ${candidates} and invoices."paidCents" >= invoices."totalCents"
      and invoices.id in (select "facturaproveedorId" from payments where paymentdate > ${corte})`.execute(
    db,
  );
  return rows.every(isOwed) ? rows : rows.filter(isOwed);
}

const OPEN_INVOICE_COLUMNS = sql`invoices.id, invoices."supplierId", invoices."jobId", invoices.numfactura, invoices.vence,
  invoices.fechavencimiento`;

const isOwed = ({ pendingCents }: OpenInvoiceRow): boolean => pendingCents > 0;

/**
 * Like issuedUpToCondition, but written so that no index fits. Nearly all invoices are issued by then, and without
 * statistics SQLite would choose the index of issue dates over the small one of open invoices.
 */
const issuedUpToConditionWithoutIndex = (corte: PlainDate, { timeZone }: TodayAndTimeZone) =>
  sql`case when invoices.fechaemision is null then invoices."createdAt" < ${startOfNextDay(corte, timeZone)}
    else invoices.fechaemision <= ${corte} end`;

/**
 * `+ 0` makes the database use the small index of open invoices: the indexes of suppliers and jobs also have all paid
 * invoices.
 */
const scopeConditions = ({ supplierId, jobId }: BalanceScope) => sql`
  ${supplierId ? sql`and invoices."supplierId" + 0 = ${supplierId}` : sql``}
  ${jobId ? sql`and invoices."jobId" + 0 = ${jobId}` : sql``}`;
