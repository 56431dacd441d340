import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { addDays, endOfDay, type Instant, type PlainDate } from '../../shared/dates.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';

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

/** What each obra cost in a period, by rubro; figures are those of the invoice list under the same filter. */
export async function readResults(db: Db, query: ResultsQuery, timeZone: string): Promise<Results> {
  const { rows: cells } = await sql<Cell>`
    select sums.*, jobs.jobtitle, rubros.nombrerubro
    from (
      select invoices."jobId", invoices."rubroId",
        case when invoices.fechaemision is null then 1 else 0 end as "isUndated",
        count(*) as count, sum(invoices."subtotalCents" + invoices."otrosimpuestosCents") as "costCents",
        sum(invoices."totalCents") as "totalCents"
      from invoices
      where (invoices.fechaemision between ${query.from} and ${query.to} or ${capturedUndated(query, timeZone)})
        ${narrowed(query)}
      group by invoices."jobId", invoices."rubroId", case when invoices.fechaemision is null then 1 else 0 end
    ) sums
    join jobs on jobs.id = sums."jobId"
    left join rubros on rubros.id = sums."rubroId"`.execute(db);
  return layOut(cells);
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

interface Cell extends CostFigure {
  jobId: number;
  jobtitle: string;
  rubroId: number | null;
  nombrerubro: string | null;
  isUndated: number;
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

function layOut(cells: readonly Cell[]): Results {
  const rubros = new Map<number, string>();
  const jobs = new Map<number, ResultsRow & { byRubro: Record<number, Cents> }>();
  const byRubro: Record<number, Cents> = {};
  const total = nothing();
  const undated = nothing();
  for (const cell of cells) {
    if (cell.isUndated) {
      add(undated, cell);
      continue;
    }
    const { jobId, jobtitle, costCents } = cell;
    const rubroId = cell.rubroId ?? NO_RUBRO;
    const row = jobs.get(jobId) ?? { jobId, jobtitle, byRubro: {}, ...nothing() };
    row.byRubro[rubroId] = costCents;
    byRubro[rubroId] = (byRubro[rubroId] ?? 0) + costCents;
    add(row, cell);
    add(total, cell);
    jobs.set(jobId, row);
    rubros.set(rubroId, cell.nombrerubro ?? NO_RUBRO_NAME);
  }
  return {
    ...total,
    rubros: [...rubros].map(([id, name]) => ({ id, name })).sort(byNameWithNoneLast),
    rows: [...jobs.values()].sort((a, b) => spanish.compare(a.jobtitle, b.jobtitle) || a.jobId - b.jobId),
    byRubro,
    undated,
  };
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
