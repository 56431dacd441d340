import { sql } from 'kysely';
import type { Db } from '../../../db/schema.ts';
import type { BudgetAndSpending } from '../../../shared/budgets.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { buildJobAndRubroConditions, computeCostAfterCredits, readCosts } from '../costs.ts';
import { readBudgetsOfJobs, type StoredBudget } from './reading.ts';

export type BudgetOverview = Awaited<ReturnType<typeof readOverview>>;
export type BudgetedJob = BudgetOverview['jobs'][number];

const MAX_JOBS = 50;
const MAX_RUBROS = 150;
/** Limits the cells of the grid, so that the page stays within 200 KB. */
const MAX_CELLS = 1000;

export async function readOverview(db: Db, firstRow = 0) {
  const namedRubros = await db
    .selectFrom('rubros')
    .select(['id', 'nombrerubro as name'])
    .orderBy('nombrerubroFold')
    .execute();
  const all = [...namedRubros, { id: NO_RUBRO, name: NO_RUBRO_NAME }];
  const rubros = all.length > MAX_RUBROS ? [] : all;
  const { count } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'jobtitle'])
    .orderBy('jobtitleFold')
    .orderBy('id')
    .limit(Math.max(1, Math.min(MAX_JOBS, Math.floor(MAX_CELLS / rubros.length))))
    .offset(firstRow)
    .execute();
  const ids = jobs.map(({ id }) => id);
  const stored = Map.groupBy(await readBudgetsOfJobs(db, ids), ({ jobId }) => jobId);
  const spent = await readSpentByJob(db, ids);
  return {
    count,
    rubros,
    jobs: jobs.map((job) => ({
      ...job,
      presupuestoCents: sumBudgetLines(stored.get(job.id) ?? []),
      gastadoCents: spent.get(job.id) ?? 0,
      lines: new Map((stored.get(job.id) ?? []).map((line) => [line.rubroId ?? NO_RUBRO, line])),
    })),
  };
}

/** Obras without a budget are absent. With `rubroId` only the budget and the costs of that rubro count. */
export async function readJobBudgets(
  db: Db,
  ids: readonly number[],
  rubroId?: number | null,
): Promise<Map<number, BudgetAndSpending>> {
  const lines = (await readBudgetsOfJobs(db, ids)).filter(
    (line) => line.amountCents > 0 && (typeof rubroId !== 'number' || (line.rubroId ?? NO_RUBRO) === rubroId),
  );
  const stored = Map.groupBy(lines, ({ jobId }) => jobId);
  const spent = await readSpentByJob(db, [...stored.keys()], rubroId);
  return new Map(
    [...stored].map(([id, jobLines]) => [
      id,
      { presupuestoCents: sumBudgetLines(jobLines), gastadoCents: spent.get(id) ?? 0 },
    ]),
  );
}

const sumBudgetLines = (lines: readonly StoredBudget[]): Cents =>
  lines.reduce((sum, { amountCents }) => sum + amountCents, 0);

async function readSpentByJob(db: Db, jobId: readonly number[], rubroId?: number | null) {
  const query = { jobId, rubroId, skipsSettled: true } as const;
  const costs = jobId.length > 0 ? await readCosts(db, query, ['jobId']) : [];
  return new Map(costs.map((cost) => [cost.jobId, computeCostAfterCredits(cost)]));
}

export async function sumBudgets(
  db: Db,
  query: Parameters<typeof buildJobAndRubroConditions>[0],
): Promise<Cents> {
  const { rows } = await sql<{ cents: Cents }>`
    select coalesce(sum("amountCents"), 0) as cents from budgets where true ${buildJobAndRubroConditions(query)}`.execute(
    db,
  );
  return rows[0]!.cents;
}
