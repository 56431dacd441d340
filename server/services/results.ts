import { type RawBuilder, sql } from 'kysely';
import { creditCost } from '../../db/expressions.ts';
import { rolledRows } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';
import { addDays, endOfDay, type Instant, type PlainDate } from '../../shared/dates.ts';
import { NO_RUBRO } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import { wholeMonths } from '../../shared/periods.ts';
import {
  type Cell,
  type CostFigure,
  layOut,
  type Names,
  nothing,
  type Results,
  sumOf,
} from './results-layout.ts';

export interface ResultsQuery {
  /** first and last day of issue */
  from: PlainDate;
  to: PlainDate;
  jobId?: number | null;
  /** 0: invoices without one */
  rubroId?: number | null;
}

export interface UndatedInvoice {
  id: number;
  numfactura: string;
  suppliername: string;
  jobtitle: string;
  nombrerubro: string | null;
  createdAt: Instant;
  costCents: Cents;
}

/**
 * What each obra cost in a period, by rubro: the invoices by their day of issue, less the credit notes by theirs, at
 * the obra and rubro of the invoice that they were applied to. Figures are those of the lists under the same filter.
 * @param most so many figures at the most: of more obras those that cost most, and the others together
 */
export async function readResults(
  db: Db,
  query: ResultsQuery,
  timeZone: string,
  most = Infinity,
): Promise<Results> {
  const undated = sumOf(await sumCells(db, capturedUndated(query, timeZone), query));
  const names = await readNames(db);
  const credits = await readCredits(db, query);
  const isAll = !query.jobId && typeof query.rubroId !== 'number';
  const byJob = isAll && most < Infinity ? await sumRolled(db, query, 'jobId') : [];
  const byRubro = byJob.length > 0 ? await sumRolled(db, query, 'rubroId') : [];
  const mostJobs = Math.max(FEWEST_JOBS, Math.floor(most / (byRubro.length + 2)));
  const within = sql<boolean>`invoices.fechaemision between ${query.from} and ${query.to}`;
  if (byJob.length <= mostJobs) {
    const cells = await sumCells(db, within, query);
    return { ...layOut(names, [...cells, ...credits]), undated };
  }
  byJob.sort((a, b) => b.costCents - a.costCents || a.jobId - b.jobId);
  const largest = new Set(byJob.slice(0, mostJobs).map(({ jobId }) => jobId));
  const ids = sql.join([...largest]);
  // The index of obras, for the days are most of a large table.
  const cells = await sumCells(db, sql`invoices."jobId" in (${ids}) and (${within}) is true`, query);
  const { rows } = layOut(names, [...cells, ...credits.filter(({ jobId }) => largest.has(jobId))]);
  const all = layOut(names, [...byRubro, ...credits]);
  const rest = [...byJob, ...credits].filter(({ jobId }) => !largest.has(jobId));
  const left = Object.fromEntries(Object.entries(all.byRubro).map(([id, cost]) => [id, { ...cost }]));
  for (const row of rows) {
    for (const [id, { costCents, creditCents }] of Object.entries(row.byRubro)) {
      left[id]!.costCents -= costCents;
      left[id]!.creditCents -= creditCents;
    }
  }
  const jobs = new Set(rest.map(({ jobId }) => jobId)).size;
  return { ...all, rows, others: { ...sumOf(rest), byRubro: left, jobs }, undated };
}

/** However many rubros there are. */
const FEWEST_JOBS = 20;

/** What the invoices of a condition cost, each obra and rubro apart. */
export async function sumCells(
  db: Db,
  which: RawBuilder<unknown>,
  query: Partial<ResultsQuery>,
): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select invoices."jobId", invoices."rubroId", count(*) as count,
      sum(invoices."subtotalCents" + invoices."otrosimpuestosCents") as "costCents",
      sum(invoices."totalCents") as "totalCents", 0 as "creditCents", 0 as "creditTotalCents"
    from invoices where ${which} ${narrowed(query)} group by invoices."jobId", invoices."rubroId"`.execute(
    db,
  );
  return rows;
}

/** What credit notes of these days, or all of them, took off, as cells of their own. */
export async function readCredits(db: Db, { from, to, ...query }: Partial<ResultsQuery>): Promise<Cell[]> {
  const within = from && to ? sql`and payments.paymentdate between ${from} and ${to}` : sql``;
  // Looked up one by one, for they are few: joined, PostgreSQL may read all invoices for them.
  const ofInvoice = (column: 'jobId' | 'rubroId') =>
    sql`(select i.${sql.ref(column)} from invoices i where i.id = payments."facturaproveedorId") as ${sql.ref(column)}`;
  const { rows } = await sql<Cell>`
    select "jobId", "rubroId", 0 as count, 0 as "costCents", 0 as "totalCents",
      sum(credit) as "creditCents", sum("amountCents") as "creditTotalCents"
    from (select ${ofInvoice('jobId')}, ${ofInvoice('rubroId')}, payments."amountCents",
        ${creditCost('payments', 'credit_notes')} as credit
      from credit_notes cross join payments
      where payments."creditNoteId" = credit_notes.id ${within}) credited
    where true ${narrowed(query)} group by "jobId", "rubroId"`.execute(db);
  return rows;
}

/** By one of both: whole months as they are rolled up, the days before and after them from the invoices. */
async function sumRolled(db: Db, { from, to }: ResultsQuery, by: 'jobId' | 'rubroId'): Promise<Cell[]> {
  const column = sql.ref(by);
  const { months, days } = wholeMonths({ from, to });
  // The level at which the other one is not told apart.
  const told = { [by === 'jobId' ? 'rubroId' : 'jobId']: undefined };
  const within = sql<boolean>`${column} >= 0 and month >= ${months.from} and month <= ${months.to}`;
  const ofDays = days.map(
    (
      part,
    ) => sql`union all select coalesce(${column}, 0), 1, "subtotalCents" + "otrosimpuestosCents", "totalCents"
      from invoices where fechaemision between ${part.from} and ${part.to}`,
  );
  const { rows } = await sql<Pick<CostFigure, 'count' | 'costCents' | 'totalCents'> & { id: number }>`
    select id, sum(count) as count, sum("sinIvaCents") as "costCents", sum("totalCents") as "totalCents" from (
      select ${column} as id, count, "sinIvaCents", "totalCents" from ${rolledRows('invoice_month_sums', told, within)} rolled
      ${sql.join(ofDays, sql` `)}) parts
    group by id having sum(count) > 0`.execute(db);
  return rows.map(({ id, ...sums }) => ({
    ...nothing(),
    ...sums,
    ...(by === 'jobId' ? { jobId: id, rubroId: null } : { jobId: 0, rubroId: id || null }),
  }));
}

/** From the first day of issue to the last one; undefined where no invoice has any. */
export async function readIssueDays(db: Db): Promise<{ from: PlainDate; to: PlainDate } | undefined> {
  const [first] = await issueDay(db, 'asc');
  const [last] = await issueDay(db, 'desc');
  return first?.fechaemision && last?.fechaemision
    ? { from: first.fechaemision, to: last.fechaemision }
    : undefined;
}

/** One end of the index. */
const issueDay = (db: Db, direction: 'asc' | 'desc') =>
  db
    .selectFrom('invoices')
    .select('fechaemision')
    .where('fechaemision', 'is not', null)
    .orderBy('fechaemision', direction)
    .limit(1)
    .execute();

/** The invoices behind `undated`, so that somebody may give them their date; the latest ones. */
export async function readUndated(
  db: Db,
  query: ResultsQuery,
  timeZone: string,
  limit: number,
): Promise<UndatedInvoice[]> {
  const { rows } = await sql<UndatedInvoice>`
    select invoices.id, invoices.numfactura, suppliers.suppliername, jobs.jobtitle, rubros.nombrerubro,
      invoices."createdAt", invoices."subtotalCents" + invoices."otrosimpuestosCents" as "costCents"
    from invoices
    left join suppliers on suppliers.id = invoices."supplierId"
    left join jobs on jobs.id = invoices."jobId"
    left join rubros on rubros.id = invoices."rubroId"
    where ${capturedUndated(query, timeZone)} ${narrowed(query)}
    order by invoices.id desc limit ${limit}`.execute(db);
  return rows;
}

/** Without an issue date the day of capture counts, as clocks in the business's zone saw it. */
function capturedUndated({ from, to }: ResultsQuery, timeZone: string) {
  const start = endOfDay(addDays(from, -1), timeZone);
  const end = endOfDay(to, timeZone);
  return sql`(invoices.fechaemision is null and invoices."createdAt" >= ${start} and invoices."createdAt" < ${end})`;
}

const narrowed = ({ jobId, rubroId }: Partial<ResultsQuery>) => sql`
  ${jobId ? sql`and "jobId" = ${jobId}` : sql``}
  ${rubroId ? sql`and "rubroId" = ${rubroId}` : sql``}
  ${rubroId === NO_RUBRO ? sql`and "rubroId" is null` : sql``}`;

const readNames = async (db: Db): Promise<Names> => ({
  jobs: await namesOf(db, 'jobs', 'jobtitle'),
  rubros: await namesOf(db, 'rubros', 'nombrerubro'),
});

async function namesOf(db: Db, table: 'jobs' | 'rubros', name: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}
