import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import { costAfterCredits, readCredits, zeroCost } from '../costs.ts';

export interface SupplierFigures {
  owedCents: Cents;
  overdueCents: Cents;
  /** the first due day from today on */
  nextDue: PlainDate | null;
}

/** Costs and credits are without IVA; `costCents` is before credits. */
export interface JobFigures {
  costCents: Cents;
  creditCents: Cents;
  owedCents: Cents;
}

/** The figures that a list can be sorted by (FIGURE_SORTS), by the id of the row. */
export async function readSortFigures(
  db: Db,
  noun: string,
  { ids, today }: { ids: readonly number[]; today: PlainDate },
): Promise<(id: number) => Readonly<Record<string, string | number | null>>> {
  if (noun === 'jobs') {
    const figures = await readJobFigures(db, ids);
    return (id) => {
      const { owedCents = 0, ...cost } = figures.get(id) ?? {};
      return { owed: owedCents, cost: costAfterCredits({ ...zeroCost(), ...cost }, 'sin') };
    };
  }
  const figures = await readSupplierFigures(db, ids, today);
  return (id) => {
    const { owedCents = 0, overdueCents = 0, nextDue = null } = figures.get(id) ?? {};
    return { owed: owedCents, overdue: overdueCents, nextDue };
  };
}

/** Suppliers that are owed nothing are absent. */
export async function readSupplierFigures(
  db: Db,
  ids: readonly number[],
  today: PlainDate,
): Promise<Map<number, SupplierFigures>> {
  // Adding 0 makes the database use the small index of open invoices: the index of suppliers has all their invoices.
  const { rows } = await sql<SupplierFigures & { id: number }>`
    select id, sum(cents) as "owedCents", sum(case when vence < ${today} then cents else 0 end) as "overdueCents",
      min(case when vence >= ${today} then vence end) as "nextDue"
    from (select "supplierId" + 0 as id, vence, "totalCents" - "paidCents" as cents from invoices
      where "paidCents" < "totalCents") open
    where ${isOneOf(db, 'open.id', ids)} group by id`.execute(db);
  return new Map(rows.map(({ id, ...figures }) => [id, figures]));
}

/** Obras without invoices are absent. */
export async function readJobFigures(db: Db, ids: readonly number[]): Promise<Map<number, JobFigures>> {
  const { rows } = await sql<JobFigures & { id: number }>`
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
