import { sql } from 'kysely';
import { isOneOf } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { resolveRowsPart, rowRangeOfPart } from '../../shared/table-parts.ts';
import {
  buildJobAndRubroConditions,
  type Cost,
  type CostCell,
  type CostFilterInPeriod,
  computeCostAfterCredits,
  createZeroCost,
  readCosts,
  readCredits,
  sumCellsBy,
  sumCosts,
} from './costs.ts';
import { NO_JOB_NAME } from './results.ts';

/** Amounts shown beside the costs, IVA included. */
export interface PaidAndPending {
  /** Without credit notes: what was paid by now of the period's invoices or, with base `pagado`, within the period. */
  paidCents: Cents;
  pendingCents: Cents;
}

interface ByJobOptions {
  iva?: 'sin' | 'con';
  /** How many rows are listed: the obras with the largest costs, or those of page `part` in that order. */
  limit?: number;
  part?: number | null;
  alwaysShownId?: number | null;
  /** The cells are not split by rubro, for which SQLite would have to sort. */
  skipsRubros?: boolean;
}

/** The largest cost comes first; what is beyond the limit is summed. */
export async function readCostsByJob(
  db: Db,
  query: CostFilterInPeriod,
  { iva, limit = Infinity, part, alwaysShownId, skipsRubros }: ByJobOptions,
) {
  const cells = await readCosts(db, query, skipsRubros ? ['jobId'] : ['jobId', 'rubroId']);
  const costs = sumCellsBy(cells, 'jobId');
  const payable = await readPaidAndPending(db, query, costs);
  const costByJob = new Map(costs.map((cell) => [cell.jobId, cell]));
  const all = [...new Set([...costByJob.keys(), ...payable.keys()])]
    .map((jobId) => ({
      ...createZeroCost(),
      ...costByJob.get(jobId),
      ...(payable.get(jobId) ?? ZERO_PAID_AND_PENDING),
      jobId,
    }))
    .sort((a, b) => computeCostAfterCredits(b, iva) - computeCostAfterCredits(a, iva) || a.jobId - b.jobId);
  const pageRanks = resolveRowsPart(part, limit, all.length);
  const { start, end } = rowRangeOfPart(pageRanks);
  const chosen = new Set(all.slice(start, end).map(({ jobId }) => jobId)).add(alwaysShownId ?? -1);
  const rest = all.filter(({ jobId }) => !chosen.has(jobId));
  return {
    cells,
    rows: await addJobFacts(
      db,
      all.filter(({ jobId }) => chosen.has(jobId)),
      query,
    ),
    others: rest.length > 0 ? { ...sumRows(rest), jobs: rest.length } : undefined,
    ranks: pageRanks,
    total: sumRows(all),
  };
}

/** A credit note settles a part of an invoice, but is no money paid. */
async function readPaidAndPending(db: Db, query: CostFilterInPeriod, costs: readonly CostCell[]) {
  const payable = new Map<number, PaidAndPending>();
  const add = (jobId: number, paid: Cents, pending: Cents) => {
    const { paidCents, pendingCents } = payable.get(jobId) ?? ZERO_PAID_AND_PENDING;
    payable.set(jobId, { paidCents: paidCents + paid, pendingCents: pendingCents + pending });
  };
  if (query.base === 'pagado') {
    for (const { jobId, pendingCents } of await readPendingOfBilledJobs(db, query))
      add(jobId, 0, pendingCents);
    for (const { jobId, totalCents } of costs) add(jobId, totalCents, 0);
  } else {
    for (const { jobId, totalCents, settledCents } of costs)
      add(jobId, settledCents, totalCents - settledCents);
    for (const { jobId, creditTotalCents } of await readCredits(db, query, ['jobId'], 'invoices'))
      add(jobId!, -creditTotalCents!, 0);
  }
  return payable;
}

/** For each obra with an invoice in the period. The index by obra and day has all that both subqueries read. */
async function readPendingOfBilledJobs(db: Db, query: CostFilterInPeriod) {
  const billed = sql`from invoices where "jobId" = jobs.id and fechaemision between ${query.from} and ${query.to}
    ${buildJobAndRubroConditions(query)}`;
  const { rows } = await sql<{ jobId: number; pendingCents: Cents }>`
    select jobs.id as "jobId", (select coalesce(sum("totalCents" - "paidCents"), 0) ${billed}
      and "paidCents" < "totalCents") as "pendingCents"
    from jobs where exists (select 1 ${billed})`.execute(db);
  return rows;
}

const ZERO_PAID_AND_PENDING: PaidAndPending = { paidCents: 0, pendingCents: 0 };

const sumRows = (rows: readonly (Cost & PaidAndPending)[]): Cost & PaidAndPending => ({
  ...sumCosts(rows),
  paidCents: rows.reduce((sum, row) => sum + row.paidCents, 0),
  pendingCents: rows.reduce((sum, row) => sum + row.pendingCents, 0),
});

export async function readLargestJobs(db: Db, query: CostFilterInPeriod, limit: number) {
  const costs = await readCosts(db, { ...query, skipsSettled: true }, ['jobId']);
  const largest = costs
    .sort((a, b) => computeCostAfterCredits(b) - computeCostAfterCredits(a) || a.jobId - b.jobId)
    .slice(0, limit);
  return addJobFacts(db, largest, query);
}

interface JobFacts {
  jobtitle: string;
  clientname: string;
  lastIssued: PlainDate | null;
}

async function addJobFacts<Row extends { jobId: number }>(
  db: Db,
  rows: readonly Row[],
  { from, to }: CostFilterInPeriod,
): Promise<(Row & JobFacts)[]> {
  const ids = rows.map(({ jobId }) => jobId);
  const found = await sql<JobFacts & { id: number }>`
    select jobs.id, jobs.jobtitle, coalesce(clients.clientname, '') as clientname,
      (select max(fechaemision) from invoices
        where invoices."jobId" = jobs.id and fechaemision between ${from} and ${to}) as "lastIssued"
    from jobs left join clients on clients.id = jobs."clientId" where ${isOneOf(db, 'jobs.id', ids)}`.execute(
    db,
  );
  const facts = new Map(found.rows.map(({ id, ...jobFacts }) => [id, jobFacts]));
  const none = { jobtitle: NO_JOB_NAME, clientname: '', lastIssued: null };
  return rows.map((row) => ({ ...row, ...(facts.get(row.jobId) ?? none) }));
}
