import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import { type BalanceReport, balanceColumns, firstWeekOf } from '../../../shared/balances.ts';
import { addDays, endOfDay, type PlainDate } from '../../../shared/dates.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Cents } from '../../../shared/money.ts';
import { sumWithin } from '../../../shared/overdue.ts';
import { unappliedBySupplier } from '../credit-notes.ts';
import type { Day } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { readDatedLater } from './dated-later.ts';
import { type DueRow, groupBySupplier, type Job, layOut, type Supplier } from './layout.ts';

export interface BalanceQuery {
  /** by default today */
  corte?: PlainDate | null;
  /** ISO week and year of the first column, by default those of the corte */
  week?: number;
  year?: number;
  supplierId?: number | null;
  jobId?: number | null;
}

/** How much of a long report is told. */
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
  const open = await readOpenInvoices(db, query, corte, day);
  // Names after rows: whatever a row refers to is there by then.
  const suppliers = new Map((await readSuppliers(db)).map((supplier) => [supplier.id, supplier]));
  const jobs = await readJobs(db);
  const invoices = open.map(({ fechavencimiento, vence, ...row }) => ({
    ...row,
    due: vence,
    estimated: isDueEstimated({ fechavencimiento }),
  }));
  const columns = balanceColumns(firstWeek, latestDue(invoices), Number(semanas));
  const groups = groupBySupplier(invoices, suppliers);
  const isLong = invoices.length + groups.length + 1 > mostRows;
  const rows = layOut(groups, jobs, columns, (supplierId) => !isLong || supplierId === opened);
  return {
    corte,
    firstWeek,
    columns,
    isLong,
    rows,
    total: rows.at(-1)!,
    invoiceCount: invoices.length,
    anyEstimated: invoices.some((invoice) => invoice.estimated),
    overdue: sumWithin(
      invoices.map(({ due, pendingCents }) => ({ vence: due, count: 1, sumCents: pendingCents })),
      null,
      addDays(corte, -1),
    ),
    later: await readDatedLater(db, query, corte, day),
    // A credit note has no obra.
    unapplied: query.jobId ? [] : await unappliedBySupplier(db, { supplierId: query.supplierId, corte }),
  };
}

type Owed = Pick<Invoice, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'fechavencimiento' | 'vence'>;

interface OpenInvoice extends Owed {
  pendingCents: Cents;
}

/**
 * The one query behind all figures. Candidates are invoices that are open by now, and those that were paid
 * after the corte. Of a past day the balance is the total without the payments until then; from today on it
 * is the stored one, and payments dated later are added back.
 */
export async function readOpenInvoices(
  db: Db,
  query: BalanceQuery,
  corte: PlainDate,
  day: Day,
): Promise<OpenInvoice[]> {
  const paymentsOf = sql`select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id`;
  const paid =
    corte < day.today
      ? sql`coalesce((${paymentsOf} and p.paymentdate <= ${corte}), 0)`
      : sql`invoices."paidCents" - case when exists (select 1 from payments where paymentdate > ${corte})
          then coalesce((${paymentsOf} and p.paymentdate > ${corte}), 0) else 0 end`;
  const candidates = sql`
    select invoices.id, invoices."supplierId", invoices."jobId", invoices.numfactura, invoices.vence,
      invoices.fechavencimiento,
      invoices."totalCents" - (${paid}) as "pendingCents"
    from invoices where ${countsAt(corte, day)} ${narrowed(query)}`;
  const { rows } = await sql<OpenInvoice>`
    ${candidates} and invoices."paidCents" < invoices."totalCents"
    union all
    ${candidates} and invoices."paidCents" >= invoices."totalCents"
      and invoices.id in (select "facturaproveedorId" from payments where paymentdate > ${corte})`.execute(
    db,
  );
  return rows.filter((row) => row.pendingCents > 0);
}

/**
 * issuedBy in a form that no index serves: nearly all invoices are issued by then, and SQLite, where it has
 * no statistics, would take the index of issue dates over the small one of open invoices.
 */
const countsAt = (corte: PlainDate, { timeZone }: Day) =>
  sql`case when invoices.fechaemision is null then invoices."createdAt" < ${endOfDay(corte, timeZone)}
    else invoices.fechaemision <= ${corte} end`;

const narrowed = ({ supplierId, jobId }: BalanceQuery) => sql`
  ${supplierId ? sql`and invoices."supplierId" = ${supplierId}` : sql``}
  ${jobId ? sql`and invoices."jobId" = ${jobId}` : sql``}`;

const readSuppliers = (db: Db): Promise<Supplier[]> =>
  db.selectFrom('suppliers').select(['id', 'suppliername']).execute();

const readJobs = (db: Db): Promise<Job[]> => db.selectFrom('jobs').select(['id', 'jobtitle']).execute();

function latestDue(invoices: DueRow[]): PlainDate | undefined {
  let latest: PlainDate | undefined;
  for (const { due } of invoices) if (latest === undefined || due > latest) latest = due;
  return latest;
}
