import type { Db } from '../../../db/schema.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import type { Cents } from '../../../shared/money.ts';
import { readJobFigures } from '../catalogs/figures.ts';
import { readPettyCosts } from '../costs.ts';
import { readBudgets, type StoredBudget } from './reading.ts';
import { readCommitted } from './spending.ts';

/** An obra with what it may cost in all, and has cost. */
export interface BudgetedJob {
  id: number;
  jobtitle: string;
  presupuestoCents: Cents;
  comprometidoCents: Cents;
  gastadoCents: Cents;
  /** by rubro, NO_RUBRO for none */
  lines: ReadonlyMap<number, StoredBudget>;
}

export interface BudgetOverview {
  jobs: readonly BudgetedJob[];
  rubros: readonly { id: number; name: string }[];
  /** obras in all */
  count: number;
}

/** So many amounts are shown at a time. */
const MOST_CELLS = 4000;
const MOST_JOBS = 50;

/** Obras by name, from the one at `from` on, and every rubro: what each may cost, and what it has cost in all. */
export async function readOverview(db: Db, from = 0): Promise<BudgetOverview> {
  const named = await db
    .selectFrom('rubros')
    .select(['id', 'nombrerubro as name'])
    .orderBy('nombrerubroFold')
    .execute();
  const rubros = [...named, { id: NO_RUBRO, name: NO_RUBRO_NAME }];
  const limit = Math.max(1, Math.min(MOST_JOBS, Math.floor(MOST_CELLS / rubros.length)));
  const { count } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  const jobs = await db
    .selectFrom('jobs')
    .select(['id', 'jobtitle'])
    .orderBy('jobtitleFold')
    .orderBy('id')
    .limit(limit)
    .offset(from)
    .execute();
  const ids = jobs.map(({ id }) => id);
  const stored = Map.groupBy(await readBudgets(db, ids), ({ jobId }) => jobId);
  const figures = await readJobFigures(db, ids);
  const committed = await readCommitted(db, ids);
  const spent = ids.length > 0 ? await readPettyCosts(db, { jobId: ids }, ['jobId']) : [];
  const petty = new Map(spent.map(({ jobId, pettyCents = 0 }) => [jobId, pettyCents]));
  return {
    count,
    rubros,
    jobs: jobs.map((job) => {
      const lines = stored.get(job.id) ?? [];
      const { costCents = 0, creditCents = 0 } = figures.get(job.id) ?? {};
      return {
        ...job,
        presupuestoCents: lines.reduce((sum, { amountCents }) => sum + amountCents, 0),
        comprometidoCents: [...committed.get(job.id)!.values()].reduce((sum, cents) => sum + cents, 0),
        gastadoCents: costCents - creditCents + (petty.get(job.id) ?? 0),
        lines: new Map(lines.map((line) => [line.rubroId ?? NO_RUBRO, line])),
      };
    }),
  };
}
