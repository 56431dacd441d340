import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import {
  type BalanceColumn,
  type BalanceReport,
  type BalanceRow,
  balanceColumns,
  type CountAndSum,
  columnOfDay,
  firstWeekOf,
  GRAND_TOTAL,
} from '../../shared/balances.ts';
import { addDays, endOfDay, type Instant, type PlainDate, plainDateIn } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { type Day, issuedBy } from './invoice-reading.ts';
import { readSettings } from './settings.ts';

export interface BalanceQuery {
  /** by default today */
  corte?: PlainDate | null;
  /** ISO week and year of the first column, by default those of the corte */
  week?: number;
  year?: number;
  supplierId?: number | null;
  jobId?: number | null;
}

/**
 * Saldos por proveedor: what was open at the end of the corte, by the week in which it is due.
 * @throws DomainError malformed where the first week does not exist
 */
export async function readBalances(db: Db, query: BalanceQuery, day: Day): Promise<BalanceReport> {
  const corte = query.corte ?? day.today;
  const firstWeek = firstWeekOf(corte, query);
  const { semanas } = await readSettings(db);
  const open = await readOpenInvoices(db, query, corte, day);
  // Names after rows: whatever a row refers to is there by then.
  const suppliers = new Map((await readSuppliers(db)).map((supplier) => [supplier.id, supplier]));
  const jobs = await readJobs(db);
  const invoices = open.map((row) => withDue(row, suppliers.get(row.supplierId)!, day.timeZone));
  const columns = balanceColumns(firstWeek, latestDue(invoices), Number(semanas));
  const rows = layOut(groupInOrder(invoices, suppliers, jobs), jobs, columns);
  return {
    corte,
    firstWeek,
    columns,
    rows,
    total: rows.at(-1)!,
    invoiceCount: invoices.length,
    anyEstimated: invoices.some((invoice) => invoice.estimated),
    laterPayments: await sumLaterPayments(db, query, corte, day),
    laterInvoices: await sumLaterInvoices(db, query, corte, day),
  };
}

interface OpenRow {
  id: number;
  supplierId: number;
  jobId: number;
  numfactura: string;
  fechavencimiento: PlainDate | null;
  /** without a due date: the day from which the supplier's credit runs, else the moment of capture */
  creditFrom: PlainDate | null;
  createdAt: Instant | null;
  pendingCents: Cents;
}

/**
 * The one query behind all figures. Candidates are invoices that are open by now, and those that were paid
 * after the corte. Of a past day the balance is the total without the payments until then; from today on it
 * is the stored one, and payments dated later are added back.
 */
async function readOpenInvoices(db: Db, query: BalanceQuery, corte: PlainDate, day: Day): Promise<OpenRow[]> {
  const paymentsOf = sql`select sum(p."amountCents") from payments p where p."facturaproveedorId" = invoices.id`;
  const paid =
    corte < day.today
      ? sql`coalesce((${paymentsOf} and p.paymentdate <= ${corte}), 0)`
      : sql`invoices."paidCents" - case when exists (select 1 from payments where paymentdate > ${corte})
          then coalesce((${paymentsOf} and p.paymentdate > ${corte}), 0) else 0 end`;
  const candidates = sql`
    select invoices.id, invoices."supplierId", invoices."jobId", invoices.numfactura, invoices.fechavencimiento,
      case when invoices.fechavencimiento is null
        then coalesce(invoices.fecharecepcion, invoices.fechaemision) end as "creditFrom",
      case when coalesce(invoices.fechavencimiento, invoices.fecharecepcion, invoices.fechaemision) is null
        then invoices."createdAt" end as "createdAt",
      invoices."totalCents" - (${paid}) as "pendingCents"
    from invoices where ${countsAt(corte, day)} ${narrowed(query)}`;
  const { rows } = await sql<OpenRow>`
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

async function sumLaterPayments(
  db: Db,
  query: BalanceQuery,
  corte: PlainDate,
  day: Day,
): Promise<CountAndSum> {
  const { rows } = await sql<CountAndSum>`
    select count(*) as count, coalesce(sum(payments."amountCents"), 0) as "sumCents"
    from payments join invoices on invoices.id = payments."facturaproveedorId"
    where payments.paymentdate > ${corte} and ${issuedBy(corte, day.timeZone)} ${narrowed(query)}`.execute(
    db,
  );
  return rows[0]!;
}

async function sumLaterInvoices(
  db: Db,
  query: BalanceQuery,
  corte: PlainDate,
  day: Day,
): Promise<CountAndSum> {
  // The opposite of issuedBy, in the form that both databases answer from an index.
  const before = endOfDay(corte, day.timeZone);
  const { rows } = await sql<CountAndSum>`
    select count(*) as count, coalesce(sum("totalCents" - "paidCents"), 0) as "sumCents" from invoices
    where (invoices.fechaemision > ${corte} or (invoices.fechaemision is null and invoices."createdAt" >= ${before}))
    ${narrowed(query)}`.execute(db);
  return rows[0]!;
}

const narrowed = ({ supplierId, jobId }: BalanceQuery) => sql`
  ${supplierId ? sql`and invoices."supplierId" = ${supplierId}` : sql``}
  ${jobId ? sql`and invoices."jobId" = ${jobId}` : sql``}`;

interface Supplier {
  id: number;
  suppliername: string;
  diascredito: number;
}

const readSuppliers = (db: Db): Promise<Supplier[]> =>
  db.selectFrom('suppliers').select(['id', 'suppliername', 'diascredito']).execute();

interface Job {
  id: number;
  jobtitle: string;
}

const readJobs = (db: Db): Promise<Job[]> => db.selectFrom('jobs').select(['id', 'jobtitle']).execute();

interface DueRow extends Pick<OpenRow, 'id' | 'supplierId' | 'jobId' | 'numfactura' | 'pendingCents'> {
  due: PlainDate;
  estimated: boolean;
}

function withDue(row: OpenRow, supplier: Supplier, timeZone: string): DueRow {
  const { id, supplierId, jobId, numfactura, fechavencimiento, pendingCents } = row;
  const due = fechavencimiento ?? estimateDue(row, supplier, timeZone);
  return { id, supplierId, jobId, numfactura, pendingCents, due, estimated: fechavencimiento === null };
}

function latestDue(invoices: DueRow[]): PlainDate | undefined {
  let latest: PlainDate | undefined;
  for (const { due } of invoices) if (latest === undefined || due > latest) latest = due;
  return latest;
}

/** Reception (else issue) plus the supplier's credit days, else the day it was captured. */
function estimateDue(
  { creditFrom, createdAt }: OpenRow,
  { diascredito }: Supplier,
  timeZone: string,
): PlainDate {
  if (creditFrom !== null) return addDays(creditFrom, diascredito);
  return plainDateIn(new Date(createdAt!), timeZone);
}

/** As Spanish readers look names up: case and accents last, 9 before 10. */
const spanish = new Intl.Collator('es-MX', { numeric: true });

interface Group {
  supplier: Supplier;
  invoices: DueRow[];
}

/** By supplier, job, due date, number; suppliers and jobs of the same name stay apart by their ids. */
function groupInOrder(invoices: DueRow[], suppliers: ReadonlyMap<number, Supplier>, jobs: Job[]): Group[] {
  const groups = new Map<number, Group>();
  for (const invoice of invoices) {
    const group = groups.get(invoice.supplierId);
    if (group) group.invoices.push(invoice);
    else
      groups.set(invoice.supplierId, { supplier: suppliers.get(invoice.supplierId)!, invoices: [invoice] });
  }
  const used = new Set(invoices.map((invoice) => invoice.jobId));
  const sorted = jobs.filter((job) => used.has(job.id));
  sorted.sort((a, b) => spanish.compare(a.jobtitle, b.jobtitle) || a.id - b.id);
  const rank = new Map(sorted.map((job, index) => [job.id, index]));
  for (const group of groups.values()) {
    group.invoices.sort(
      (a, b) =>
        (a.jobId === b.jobId ? 0 : rank.get(a.jobId)! - rank.get(b.jobId)!) ||
        compareText(a.due, b.due) ||
        compareText(a.numfactura, b.numfactura) ||
        a.id - b.id,
    );
  }
  return [...groups.values()].sort(
    ({ supplier: a }, { supplier: b }) => spanish.compare(a.suppliername, b.suppliername) || a.id - b.id,
  );
}

const compareText = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);

/** The rows of all groups, each with its summary, and the total of all at the end. */
function layOut(groups: Group[], jobs: Job[], columns: readonly BalanceColumn[]): BalanceRow[] {
  const titles = new Map(jobs.map((job) => [job.id, job.jobtitle]));
  const keyOf = columnKeys(columns);
  const rows: BalanceRow[] = [];
  const totals: Record<string, Cents> = {};
  for (const { supplier, invoices } of groups) {
    const { id: supplierId, suppliername } = supplier;
    const sums: Record<string, Cents> = {};
    for (const { id, jobId, numfactura, due, estimated, pendingCents } of invoices) {
      const key = keyOf(due);
      sums[key] = (sums[key] ?? 0) + pendingCents;
      rows.push({
        isSummary: false,
        supplierId,
        suppliername,
        jobtitle: titles.get(jobId)!,
        invoiceId: id,
        numfactura,
        fechavencimiento: due,
        vencimientoEstimado: estimated,
        amounts: { [key]: pendingCents },
        totalCents: pendingCents,
      });
    }
    rows.push(summary(supplierId, suppliername, `Total ${suppliername}`, sums));
    for (const [key, cents] of Object.entries(sums)) totals[key] = (totals[key] ?? 0) + cents;
  }
  rows.push(summary(null, GRAND_TOTAL, '', totals));
  return rows;
}

/** Day → the key of its column; few days occur, and often. */
function columnKeys(columns: readonly BalanceColumn[]): (day: PlainDate) => string {
  const known = new Map<PlainDate, string>();
  return (day) => {
    let key = known.get(day);
    if (key === undefined) {
      key = columnOfDay(columns, day).key;
      known.set(day, key);
    }
    return key;
  };
}

function summary(
  supplierId: number | null,
  suppliername: string,
  jobtitle: string,
  amounts: Record<string, Cents>,
): BalanceRow {
  return {
    isSummary: true,
    supplierId,
    suppliername,
    jobtitle,
    invoiceId: null,
    numfactura: '',
    fechavencimiento: null,
    vencimientoEstimado: false,
    amounts,
    totalCents: Object.values(amounts).reduce((sum, cents) => sum + cents, 0),
  };
}
