import { sql } from 'kysely';
import { isOneOf, lockAdvisoryKey } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { BudgetChange } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { compareByNameWithLast } from '../by-name.ts';
import { getRow } from '../catalogs/reading.ts';
import { type Cost, computeCostAfterCredits, createZeroCost, readCosts } from '../costs.ts';

export type BudgetRow = Awaited<ReturnType<typeof listBudget>>[number];

/** Returns the payments of invoices, with IVA. Credit notes and petty cash are not included. */
export const computeInvoicePayments = ({ settledCents, creditTotalCents }: Cost): Cents =>
  settledCents - creditTotalCents;

export interface StoredBudget {
  id: number;
  jobId: number;
  jobtitle: string;
  rubroId: number | null;
  nombrerubro: string;
  originalCents: Cents;
  amountCents: Cents;
  version: number;
}

/** Transactions that change an obra's budget, or have to stay within it, wait for each other by this lock. */
export const lockBudgetsOfJob = (trx: Trx, jobId: number): Promise<void> =>
  lockAdvisoryKey(trx, `budget:${jobId}`);

/** Sorted by the rubro's name, those without rubro last. */
export async function readBudgetsOfJobs(db: Db, jobIds: readonly number[]): Promise<StoredBudget[]> {
  const { rows } = await sql<StoredBudget>`
    select b.id, b."jobId", jobs.jobtitle, b."rubroId", coalesce(rubros.nombrerubro, ${NO_RUBRO_NAME}) as nombrerubro,
      (select c."amountCents" from budget_changes c where c."budgetId" = b.id order by c.id limit 1) as "originalCents",
      b."amountCents", b.version
    from budgets b join jobs on jobs.id = b."jobId" left join rubros on rubros.id = b."rubroId"
    where ${isOneOf(db, 'b.jobId', jobIds)}`.execute(db);
  return rows.sort(compareRubros);
}

/** `all` adds the rubros that have neither a budget nor costs. @throws DomainError not-found */
export async function listBudget(db: Db, jobId: number, { all: includesUnusedRubros = false } = {}) {
  await getRow(db, jobs, jobId);
  const costs = new Map((await readCosts(db, { jobId }, ['rubroId'])).map((one) => [one.rubroId, one]));
  const stored = new Map((await readBudgetsOfJobs(db, [jobId])).map((one) => [one.rubroId ?? NO_RUBRO, one]));
  const rubros = await db.selectFrom('rubros').select(['id', 'nombrerubro']).execute();
  return [...rubros, { id: NO_RUBRO, nombrerubro: NO_RUBRO_NAME }]
    .filter(({ id }) => includesUnusedRubros || stored.has(id) || costs.has(id))
    .map(({ id, nombrerubro }) => {
      const cost = costs.get(id) ?? createZeroCost();
      const budget = stored.get(id);
      return {
        rubroId: id === NO_RUBRO ? null : id,
        nombrerubro,
        /** the first amount that was set; 0 where there is none */
        originalCents: budget?.originalCents ?? 0,
        presupuestoCents: budget?.amountCents ?? 0,
        gastadoCents: computeCostAfterCredits(cost),
        version: budget?.version ?? 0,
        cost,
      };
    })
    .sort(compareRubros);
}

/** The latest change comes first. @throws DomainError not-found */
export async function readHistory(db: Db, jobId: number): Promise<BudgetChange[]> {
  await getRow(db, jobs, jobId);
  const { rows } = await sql<BudgetChange>`
    select c.id, b."rubroId", coalesce(rubros.nombrerubro, ${NO_RUBRO_NAME}) as nombrerubro,
      (select earlier."amountCents" from budget_changes earlier
        where earlier."budgetId" = c."budgetId" and earlier.id < c.id order by earlier.id desc limit 1) as "antesCents",
      c."amountCents" as "despuesCents", c.motivo, c."userId", users.username, c."createdAt" as at
    from budgets b join budget_changes c on c."budgetId" = b.id join users on users.id = c."userId"
    left join rubros on rubros.id = b."rubroId"
    where b."jobId" = ${jobId} order by c.id desc`.execute(db);
  return rows;
}

type NamedRubro = Pick<StoredBudget, 'rubroId' | 'nombrerubro'>;

const compareRubros = (a: NamedRubro, b: NamedRubro): number =>
  compareNamesNoRubroLast(toIdAndName(a), toIdAndName(b));
const compareNamesNoRubroLast = compareByNameWithLast(NO_RUBRO);
const toIdAndName = ({ rubroId, nombrerubro: name }: NamedRubro) => ({ id: rubroId ?? NO_RUBRO, name });
