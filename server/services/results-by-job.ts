import { sql } from 'kysely';
import { isOneOf } from '../../db/expressions.ts';
import type { Db } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';
import type { Cents } from '../../shared/money.ts';
import { placesOf, type Ranks, ranksOf } from '../../shared/ranks.ts';
import type { Cost, CostCell } from './cost-rows.ts';
import { type CostQuery, netOf, nothing, readCosts, readCredits, sumOf } from './costs.ts';
import { readLastIssued } from './results.ts';
import { NO_JOB_NAME } from './results-layout.ts';

/** Amounts beside a cost, with IVA. */
export interface Payable {
  /** in money: of the period's invoices what is paid of them by now, or what was paid in the period */
  paidCents: Cents;
  /** of the period's invoices, now */
  pendingCents: Cents;
}

export interface JobCost extends Cost, Payable {
  /** 0: petty cash that was spent on none */
  jobId: number;
  jobtitle: string;
  clientname: string;
  /** of the period */
  lastIssued: PlainDate | null;
}

interface ResultsByJob {
  /** those that cost most first */
  rows: readonly JobCost[];
  /** all the others together, where there are more */
  others?: Cost & Payable & { jobs: number };
  ranks: Ranks;
  total: Cost & Payable;
}

interface ByJobOptions {
  iva?: 'sin' | 'con';
  /** so many rows; of more obras those that cost most, or a later part of them */
  most?: number;
  part?: number | null;
  /** an obra that has its row whatever it cost */
  shown?: number | null;
  /** by obra, where they are read already */
  costs?: readonly CostCell[];
}

/**
 * The cost of each obra in a period, with what was paid for it and what is pending of the invoices of the period.
 */
export async function readByJob(
  db: Db,
  query: CostQuery,
  { iva, most = Infinity, part, shown, costs }: ByJobOptions,
): Promise<ResultsByJob> {
  costs ??= await readCosts(db, query, ['jobId']);
  const facts = await readPayable(db, query, costs);
  const ids = new Set([...costs.map(({ jobId }) => jobId), ...facts.keys()]);
  const own = new Map(costs.map((cell) => [cell.jobId, cell]));
  const all = [...ids].map((jobId) => ({
    ...costOf(own.get(jobId)),
    ...(facts.get(jobId) ?? NO_FACTS),
    jobId,
  }));
  all.sort((a, b) => netOf(b, iva) - netOf(a, iva) || a.jobId - b.jobId);
  const ranks = ranksOf(part, most, all.length);
  const { start, end } = placesOf(ranks);
  const isShown = ({ jobId }: { jobId: number }, place: number) =>
    (place >= start && place < end) || jobId === shown;
  const largest = all.filter(isShown);
  const rest = all.filter((row, place) => !isShown(row, place));
  const chosen = largest.map(({ jobId }) => jobId);
  const names = await readJobNames(db, chosen);
  const last = await readLastIssued(db, chosen, query);
  return {
    rows: largest.map((row) => ({
      ...row,
      ...(names.get(row.jobId) ?? { jobtitle: NO_JOB_NAME, clientname: '' }),
      lastIssued: last.get(row.jobId) ?? null,
    })),
    others: rest.length > 0 ? { ...together(rest), jobs: rest.length } : undefined,
    ranks,
    total: together(all),
  };
}

/** By obra. A credit note settles a part of an invoice and is no money paid. */
async function readPayable(
  db: Db,
  query: CostQuery,
  costs: readonly CostCell[],
): Promise<Map<number, Payable>> {
  const isPaid = query.base === 'pagado';
  const billed = isPaid
    ? await readCosts(db, { ...query, base: 'facturado', caja: 'sin' }, ['jobId'])
    : costs;
  const facts = new Map(
    billed.map(({ jobId, totalCents, settledCents }) => [
      jobId,
      { paidCents: isPaid ? 0 : settledCents, pendingCents: totalCents - settledCents },
    ]),
  );
  const put = (jobId: number, cents: Cents) => {
    const { paidCents, pendingCents } = facts.get(jobId) ?? NO_FACTS;
    facts.set(jobId, { paidCents: paidCents + cents, pendingCents });
  };
  if (isPaid) for (const { jobId, totalCents } of costs) put(jobId, totalCents);
  else {
    for (const { jobId, creditTotalCents } of await readCredits(db, query, ['jobId'], 'invoices'))
      put(jobId!, -creditTotalCents!);
  }
  return facts;
}

const NO_FACTS: Payable = { paidCents: 0, pendingCents: 0 };

const together = (rows: readonly (Cost & Payable)[]): Cost & Payable => ({
  ...sumOf(rows),
  paidCents: rows.reduce((sum, row) => sum + row.paidCents, 0),
  pendingCents: rows.reduce((sum, row) => sum + row.pendingCents, 0),
});

const costOf = (cell: CostCell | undefined): Cost => {
  if (!cell) return nothing();
  const { jobId: _job, rubroId: _rubro, month: _month, ...cost } = cell;
  return cost;
};

/** By their cost without IVA. */
export async function readLargestJobs(db: Db, query: CostQuery, most: number) {
  const costs = await readCosts(db, { ...query, isUnsettled: true }, ['jobId']);
  const largest = costs.sort((a, b) => netOf(b) - netOf(a) || a.jobId - b.jobId).slice(0, most);
  const names = await readJobNames(
    db,
    largest.map(({ jobId }) => jobId),
  );
  return largest.map((cost) => ({ ...cost, jobtitle: names.get(cost.jobId)?.jobtitle ?? NO_JOB_NAME }));
}

type JobNames = Pick<JobCost, 'jobtitle' | 'clientname'>;

async function readJobNames(db: Db, ids: readonly number[]): Promise<Map<number, JobNames>> {
  const { rows } = await sql<JobNames & { id: number }>`
    select jobs.id, jobs.jobtitle, coalesce(clients.clientname, '') as clientname
    from jobs left join clients on clients.id = jobs."clientId" where ${isOneOf(db, 'jobs.id', ids)}`.execute(
    db,
  );
  return new Map(rows.map(({ id, ...names }) => [id, names]));
}
