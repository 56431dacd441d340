import { type RawBuilder, sql } from 'kysely';
import { rolledRows } from '../../db/rolled-sums.ts';
import type { Db } from '../../db/schema.ts';
import { addDays, endOfDay, type Instant, type PlainDate } from '../../shared/dates.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import { wholeMonths } from '../../shared/periods.ts';

export interface ResultsQuery {
  /** first and last day of issue */
  from: PlainDate;
  to: PlainDate;
  jobId?: number | null;
  /** 0: invoices without one */
  rubroId?: number | null;
}

interface CostFigure {
  count: number;
  /** subtotal + otros impuestos: sin IVA */
  costCents: Cents;
  /** what the invoices say in all, IVA and withholdings included */
  totalCents: Cents;
}

export interface ResultsRow extends CostFigure {
  jobId: number;
  jobtitle: string;
  /** cost by rubro id; a rubro that is missing has none */
  byRubro: Readonly<Record<number, Cents>>;
}

export interface Results extends CostFigure {
  /** those with a cost, by name; NO_RUBRO last */
  rubros: readonly { id: number; name: string }[];
  /** those with a cost, by name */
  rows: readonly ResultsRow[];
  /** all the others together, where they were not to be told apart */
  others?: Omit<ResultsRow, 'jobId' | 'jobtitle'> & { jobs: number };
  byRubro: Readonly<Record<number, Cents>>;
  /** without issue date and captured in the period: in none of the figures above */
  undated: CostFigure;
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
 * What each obra cost in a period, by rubro; figures are those of the invoice list under the same filter.
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
  const isAll = !query.jobId && typeof query.rubroId !== 'number';
  const byJob = isAll && most < Infinity ? await sumRolled(db, query, 'jobId') : [];
  const byRubro = byJob.length > 0 ? await sumRolled(db, query, 'rubroId') : [];
  const mostJobs = Math.max(FEWEST_JOBS, Math.floor(most / (byRubro.length + 2)));
  const within = sql<boolean>`invoices.fechaemision between ${query.from} and ${query.to}`;
  if (byJob.length <= mostJobs) return { ...layOut(names, await sumCells(db, within, query)), undated };
  const largest = byJob.sort((a, b) => b.costCents - a.costCents || a.jobId - b.jobId).slice(0, mostJobs);
  const ids = sql.join(largest.map(({ jobId }) => jobId));
  // The index of obras, for the days are most of a large table.
  const cells = await sumCells(db, sql`invoices."jobId" in (${ids}) and (${within}) is true`, query);
  const { rows } = layOut(names, cells);
  const all = layOut(names, byRubro);
  const rest = byJob.slice(mostJobs);
  const left = { ...all.byRubro };
  for (const row of rows) for (const [id, cents] of Object.entries(row.byRubro)) left[Number(id)]! -= cents;
  return { ...all, rows, others: { ...sumOf(rest), byRubro: left, jobs: rest.length }, undated };
}

/** However many rubros there are. */
const FEWEST_JOBS = 20;

interface Cell extends CostFigure {
  jobId: number;
  rubroId: number | null;
}

async function sumCells(db: Db, which: RawBuilder<unknown>, query: ResultsQuery): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    select invoices."jobId", invoices."rubroId", count(*) as count,
      sum(invoices."subtotalCents" + invoices."otrosimpuestosCents") as "costCents",
      sum(invoices."totalCents") as "totalCents"
    from invoices where ${which} ${narrowed(query)} group by invoices."jobId", invoices."rubroId"`.execute(
    db,
  );
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
  const { rows } = await sql<CostFigure & { id: number }>`
    select id, sum(count) as count, sum("sinIvaCents") as "costCents", sum("totalCents") as "totalCents" from (
      select ${column} as id, count, "sinIvaCents", "totalCents" from ${rolledRows('invoice_month_sums', told, within)} rolled
      ${sql.join(ofDays, sql` `)}) parts
    group by id having sum(count) > 0`.execute(db);
  return rows.map(({ id, ...sums }) =>
    by === 'jobId' ? { ...sums, jobId: id, rubroId: null } : { ...sums, jobId: 0, rubroId: id || null },
  );
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

const narrowed = ({ jobId, rubroId }: ResultsQuery) => sql`
  ${jobId ? sql`and invoices."jobId" = ${jobId}` : sql``}
  ${rubroId ? sql`and invoices."rubroId" = ${rubroId}` : sql``}
  ${rubroId === NO_RUBRO ? sql`and invoices."rubroId" is null` : sql``}`;

interface Names {
  jobs: ReadonlyMap<number, string>;
  rubros: ReadonlyMap<number, string>;
}

function layOut(names: Names, cells: readonly Cell[]): Omit<Results, 'undated'> {
  const rubros = new Map<number, string>();
  const jobs = new Map<number, ResultsRow & { byRubro: Record<number, Cents> }>();
  const byRubro: Record<number, Cents> = {};
  for (const cell of cells) {
    const { jobId, costCents } = cell;
    const rubroId = cell.rubroId ?? NO_RUBRO;
    const row = jobs.get(jobId) ?? {
      jobId,
      jobtitle: names.jobs.get(jobId) ?? '',
      byRubro: {},
      ...nothing(),
    };
    row.byRubro[rubroId] = costCents;
    byRubro[rubroId] = (byRubro[rubroId] ?? 0) + costCents;
    add(row, cell);
    jobs.set(jobId, row);
    rubros.set(rubroId, names.rubros.get(rubroId) ?? NO_RUBRO_NAME);
  }
  return {
    ...sumOf(cells),
    rubros: [...rubros].map(([id, name]) => ({ id, name })).sort(byNameWithNoneLast),
    rows: [...jobs.values()].sort((a, b) => spanish.compare(a.jobtitle, b.jobtitle) || a.jobId - b.jobId),
    byRubro,
  };
}

const readNames = async (db: Db): Promise<Names> => ({
  jobs: await namesOf(db, 'jobs', 'jobtitle'),
  rubros: await namesOf(db, 'rubros', 'nombrerubro'),
});

async function namesOf(db: Db, table: 'jobs' | 'rubros', name: string): Promise<Map<number, string>> {
  const { rows } = await sql<{ id: number; name: string }>`
    select id, ${sql.ref(name)} as name from ${sql.table(table)}`.execute(db);
  return new Map(rows.map((row) => [row.id, row.name]));
}

function sumOf(figures: readonly CostFigure[]): CostFigure {
  const sum = nothing();
  for (const figure of figures) add(sum, figure);
  return sum;
}

const nothing = (): CostFigure => ({ count: 0, costCents: 0, totalCents: 0 });

function add(sum: CostFigure, { count, costCents, totalCents }: CostFigure): void {
  sum.count += count;
  sum.costCents += costCents;
  sum.totalCents += totalCents;
}

/** As Spanish readers look names up: case and accents last, 9 before 10. */
const spanish = new Intl.Collator('es-MX', { numeric: true });

type Named = Results['rubros'][number];

const byNameWithNoneLast = (a: Named, b: Named): number =>
  Number(a.id === NO_RUBRO) - Number(b.id === NO_RUBRO) || spanish.compare(a.name, b.name) || a.id - b.id;
