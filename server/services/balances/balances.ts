import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import {
  type BalanceReport,
  balanceColumns,
  type CountAndSum,
  firstWeekOf,
} from '../../../shared/balances.ts';
import { endOfDay, type PlainDate } from '../../../shared/dates.ts';
import { isDueEstimated } from '../../../shared/invoices-due.ts';
import type { Named } from '../by-name.ts';
import { unappliedBySupplier } from '../credit-notes.ts';
import type { Day } from '../invoices/reading.ts';
import { readSettings } from '../settings/settings.ts';
import { readDatedLater } from './dated-later.ts';
import { type DueRow, groupBySupplier, layOut } from './layout.ts';

export interface BalanceQuery {
  /** by default today */
  corte?: PlainDate | null;
  /** ISO week and year of the first column, by default those of the corte */
  week?: number;
  year?: number;
  supplierId?: number | null;
  jobId?: number | null;
}

type Narrowed = Pick<BalanceQuery, 'supplierId' | 'jobId'> & { due?: { from: PlainDate; to: PlainDate } };

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
  const invoices = await readOpenInvoices(db, query, corte, day);
  // Names after rows: whatever a row refers to is there by then.
  const suppliers = await readSuppliers(db);
  const jobs = await readJobs(db);
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
    anyEstimated: invoices.some(isDueEstimated),
    overdue: sumOverdue(invoices, corte),
    later: await readDatedLater(db, query, corte, day),
    // A credit note has no obra.
    unapplied: query.jobId ? [] : await unappliedBySupplier(db, { supplierId: query.supplierId, corte }),
  };
}

function sumOverdue(invoices: readonly DueRow[], corte: PlainDate): CountAndSum {
  const sum = { count: 0, sumCents: 0 };
  for (const { vence, pendingCents } of invoices) {
    if (vence >= corte) continue;
    sum.count += 1;
    sum.sumCents += pendingCents;
  }
  return sum;
}

/**
 * The one query behind all figures. Candidates are invoices that are open by now, and those that were paid
 * after the corte. Of a past day the balance is the total without the payments until then; from today on it
 * is the stored one, and payments dated later are added back.
 */
export async function readOpenInvoices(
  db: Db,
  query: Narrowed,
  corte: PlainDate,
  day: Day,
): Promise<DueRow[]> {
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
  const { rows } = await sql<DueRow>`
    ${candidates} and invoices."paidCents" < invoices."totalCents"
    union all
    ${candidates} and invoices."paidCents" >= invoices."totalCents"
      and invoices.id in (select "facturaproveedorId" from payments where paymentdate > ${corte})`.execute(
    db,
  );
  return rows.every(isOwed) ? rows : rows.filter(isOwed);
}

const isOwed = ({ pendingCents }: DueRow): boolean => pendingCents > 0;

/**
 * issuedBy in a form that no index serves: nearly all invoices are issued by then, and SQLite, where it has
 * no statistics, would take the index of issue dates over the small one of open invoices.
 */
const countsAt = (corte: PlainDate, { timeZone }: Day) =>
  sql`case when invoices.fechaemision is null then invoices."createdAt" < ${endOfDay(corte, timeZone)}
    else invoices.fechaemision <= ${corte} end`;

const narrowed = ({ supplierId, jobId, due }: Narrowed) => sql`
  ${due ? sql`and invoices.vence between ${due.from} and ${due.to}` : sql``}
  ${supplierId ? sql`and invoices."supplierId" = ${supplierId}` : sql``}
  ${jobId ? sql`and invoices."jobId" = ${jobId}` : sql``}`;

const readSuppliers = (db: Db): Promise<Named[]> =>
  db.selectFrom('suppliers').select(['id', 'suppliername as name']).orderBy('id').execute();

const readJobs = (db: Db): Promise<Named[]> =>
  db.selectFrom('jobs').select(['id', 'jobtitle as name']).orderBy('id').execute();

function latestDue(invoices: readonly DueRow[]): PlainDate | undefined {
  let latest: PlainDate | undefined;
  for (const { vence } of invoices) if (latest === undefined || vence > latest) latest = vence;
  return latest;
}
