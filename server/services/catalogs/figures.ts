import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { computeCostAfterCredits, createZeroCost, readCredits } from '../costs.ts';

export interface SupplierDebt {
  owedCents: Cents;
  overdueCents: Cents;
  /** the first due day from today on */
  nextDue: PlainDate | null;
}

/** Costs and credits are without IVA; `costCents` is before credits. */
export interface JobCostAndDebt {
  costCents: Cents;
  creditCents: Cents;
  owedCents: Cents;
}

/** Reads the figures by which a list can be sorted (FIGURE_SORTS), by the row's id. */
export async function readSortFigureLookup(
  db: Db,
  noun: string,
  { ids, today }: { ids: readonly number[]; today: PlainDate },
): Promise<(id: number) => Readonly<Record<string, string | number | null>>> {
  if (noun === 'jobs') {
    const figures = await readJobCostsAndDebts(db, ids);
    return (id) => {
      const { owedCents = 0, ...cost } = figures.get(id) ?? {};
      return { owed: owedCents, cost: computeCostAfterCredits({ ...createZeroCost(), ...cost }, 'sin') };
    };
  }
  const figures = await readSupplierDebts(db, ids, today);
  return (id) => {
    const { owedCents = 0, overdueCents = 0, nextDue = null } = figures.get(id) ?? {};
    return { owed: owedCents, overdue: overdueCents, nextDue };
  };
}

/** Suppliers that are owed nothing are absent. */
export async function readSupplierDebts(
  db: Db,
  ids: readonly number[],
  today: PlainDate,
): Promise<Map<number, SupplierDebt>> {
  // Adding 0 makes the database use the small index of open invoices: the index of suppliers has all their invoices.
  const { rows } = await sql<SupplierDebt & { id: number }>`
    select id, sum(cents) as "owedCents", sum(case when vence < ${today} then cents else 0 end) as "overdueCents",
      min(case when vence >= ${today} then vence end) as "nextDue"
    from (select "supplierId" + 0 as id, vence, "totalCents" - "paidCents" as cents from invoices
      where "paidCents" < "totalCents") open
    where ${isOneOf(db, 'open.id', ids)} group by id`.execute(db);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** Obras without invoices are absent. */
export async function readJobCostsAndDebts(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, JobCostAndDebt>> {
  const { rows } = await sql<JobCostAndDebt & { id: number }>`
    select "jobId" as id, sum("subtotalCents" + "otrosimpuestosCents") as "costCents", 0 as "creditCents",
      sum("totalCents" - "paidCents") as "owedCents"
    from invoices where ${isOneOf(db, 'jobId', ids)} group by "jobId"`.execute(db);
  const figures = new Map(rows.map(({ id, ...sums }) => [id, sums]));
  for (const { jobId, creditCents } of await readCredits(db, {}, ['jobId'])) {
    const ofJob = figures.get(jobId!);
    if (ofJob && creditCents) ofJob.creditCents += creditCents;
  }
  return figures;
}
