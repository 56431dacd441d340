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
  const suppliers = await readSuppliers(db);
  const jobs = await readJobs(db);
  const open = await readOpenInvoices(db, query, corte, day);
  const invoices = toInvoices(open, suppliers, jobs, day.timeZone);
  let lastDue: PlainDate | undefined;
  for (const { due } of invoices) if (lastDue === undefined || due > lastDue) lastDue = due;
  const columns = balanceColumns(firstWeek, lastDue, Number(semanas));
  const { rows, totals } = arrange(invoices, columns);
  return {
    corte,
    firstWeek,
    columns,
    rows,
    totals,
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
  const paid =
    corte < day.today
      ? sql`coalesce((select sum(p."amountCents") from payments p
          where p."facturaproveedorId" = invoices.id and p.paymentdate <= ${corte}), 0)`
      : sql`invoices."paidCents" - coalesce(later.cents, 0)`;
  const columns = sql`invoices.id, invoices."supplierId", invoices."jobId", invoices.numfactura, invoices.fechavencimiento,
    case when invoices.fechavencimiento is null then coalesce(invoices.fecharecepcion, invoices.fechaemision) end as "creditFrom",
    case when coalesce(invoices.fechavencimiento, invoices.fecharecepcion, invoices.fechaemision) is null
      then invoices."createdAt" end as "createdAt",
    invoices."totalCents" - ${paid} as "pendingCents"`;
  const counted = sql`${issuedBy(corte, day.timeZone)} ${narrowed(query)}`;
  const { rows } = await sql<OpenRow>`
    with later as (
      select "facturaproveedorId" as id, sum("amountCents") as cents from payments
      where paymentdate > ${corte} group by "facturaproveedorId"
    )
    select ${columns} from invoices left join later on later.id = invoices.id
    where invoices."paidCents" < invoices."totalCents" and ${counted}
    union all
    select ${columns} from later join invoices on invoices.id = later.id
    where invoices."paidCents" >= invoices."totalCents" and ${counted}`.execute(db);
  return rows.filter((row) => row.pendingCents > 0);
}

async function sumLaterPayments(db: Db, query: BalanceQuery, corte: PlainDate, day: Day): Promise<CountAndSum> {
  const { rows } = await sql<CountAndSum>`
    select count(*) as count, coalesce(sum(payments."amountCents"), 0) as "sumCents"
    from payments join invoices on invoices.id = payments."facturaproveedorId"
    where payments.paymentdate > ${corte} and ${issuedBy(corte, day.timeZone)} ${narrowed(query)}`.execute(db);
  return rows[0]!;
}

async function sumLaterInvoices(db: Db, query: BalanceQuery, corte: PlainDate, day: Day): Promise<CountAndSum> {
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

const readJobs = (db: Db): Promise<{ id: number; jobtitle: string }[]> =>
  db.selectFrom('jobs').select(['id', 'jobtitle']).execute();

interface OpenInvoice {
  id: number;
  supplier: Supplier;
  job: { id: number; jobtitle: string };
  numfactura: string;
  due: PlainDate;
  estimated: boolean;
  pendingCents: Cents;
}

function toInvoices(
  rows: OpenRow[],
  suppliers: Supplier[],
  jobs: { id: number; jobtitle: string }[],
  timeZone: string,
): OpenInvoice[] {
  const supplierById = new Map(suppliers.map((supplier) => [supplier.id, supplier]));
  const jobById = new Map(jobs.map((job) => [job.id, job]));
  return rows.map((row) => {
    const supplier = supplierById.get(row.supplierId)!;
    return {
      id: row.id,
      supplier,
      job: jobById.get(row.jobId)!,
      numfactura: row.numfactura,
      due: row.fechavencimiento ?? estimateDue(row, supplier, timeZone),
      estimated: row.fechavencimiento === null,
      pendingCents: row.pendingCents,
    };
  });
}

/** Reception (else issue) plus the supplier's credit days, else the day it was captured. */
function estimateDue({ creditFrom, createdAt }: OpenRow, { diascredito }: Supplier, timeZone: string): PlainDate {
  if (creditFrom !== null) return addDays(creditFrom, diascredito);
  return plainDateIn(new Date(createdAt!), timeZone);
}

/** As Spanish readers look names up: "Ñandú" after "Nogal", case and accents last. */
const spanish = new Intl.Collator('es-MX', { numeric: true });

/** Groups by supplier, sorts, sums. */
function arrange(invoices: OpenInvoice[], columns: readonly BalanceColumn[]) {
  const groups = new Map<Supplier, OpenInvoice[]>();
  for (const invoice of invoices) {
    const group = groups.get(invoice.supplier);
    if (group) group.push(invoice);
    else groups.set(invoice.supplier, [invoice]);
  }
  const columnByDay = new Map<PlainDate, number>();
  const columnOf = (due: PlainDate): number => {
    let index = columnByDay.get(due);
    if (index === undefined) {
      index = columnOfDay(columns, due);
      columnByDay.set(due, index);
    }
    return index;
  };
  const inOrder = [...groups.keys()].sort(
    (a, b) => spanish.compare(a.suppliername, b.suppliername) || a.id - b.id,
  );
  const rows: BalanceRow[] = [];
  const totals = new Array<Cents>(columns.length).fill(0);
  for (const supplier of inOrder) {
    const sums = new Array<Cents>(columns.length).fill(0);
    for (const invoice of groups.get(supplier)!.sort(byJobDueAndNumber)) {
      const amounts = new Array<Cents>(columns.length).fill(0);
      const column = columnOf(invoice.due);
      amounts[column] = invoice.pendingCents;
      sums[column]! += invoice.pendingCents;
      rows.push({
        isSummary: false,
        supplierId: supplier.id,
        suppliername: supplier.suppliername,
        jobtitle: invoice.job.jobtitle,
        invoiceId: invoice.id,
        numfactura: invoice.numfactura,
        fechavencimiento: invoice.due,
        vencimientoEstimado: invoice.estimated,
        amounts,
        totalCents: invoice.pendingCents,
      });
    }
    rows.push(summary(supplier.id, supplier.suppliername, `Total ${supplier.suppliername}`, sums));
    sums.forEach((sum, index) => {
      totals[index]! += sum;
    });
  }
  const grand = summary(null, GRAND_TOTAL, '', totals);
  rows.push(grand);
  return { rows, totals: { amounts: totals, totalCents: grand.totalCents } };
}

function byJobDueAndNumber(a: OpenInvoice, b: OpenInvoice): number {
  if (a.job !== b.job) {
    const order = spanish.compare(a.job.jobtitle, b.job.jobtitle) || a.job.id - b.job.id;
    if (order !== 0) return order;
  }
  if (a.due !== b.due) return a.due < b.due ? -1 : 1;
  if (a.numfactura !== b.numfactura) return spanish.compare(a.numfactura, b.numfactura) || a.id - b.id;
  return a.id - b.id;
}

function summary(supplierId: number | null, suppliername: string, jobtitle: string, amounts: Cents[]): BalanceRow {
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
    totalCents: amounts.reduce((sum, cents) => sum + cents, 0),
  };
}
