import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { addDays, type Instant, startOfNextDay } from '../../shared/dates.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../shared/invoices.ts';
import type { Cents } from '../../shared/money.ts';
import type { Period } from '../../shared/periods.ts';
import { compareByNameWithLast, readAllNamesById } from './by-name.ts';
import {
  buildJobAndRubroConditions,
  type Cost,
  type CostCell,
  type CostFilterInPeriod,
  createZeroCost,
  readCosts,
  sumCosts,
} from './costs.ts';

export type Results = Awaited<ReturnType<typeof readResults>>;

export const NO_JOB_NAME = 'Sin obra';

/** The figures equal those of the lists under the same filter. */
export async function readResults(db: Db, query: CostFilterInPeriod, timeZone: string) {
  const undated = await sumUndatedInvoices(db, query, timeZone);
  const cells = await readCosts(db, query, ['jobId', 'rubroId']);
  const names = await readJobAndRubroNames(db);
  const rubros = new Set(cells.map(({ rubroId }) => rubroId));
  const jobs = [...Map.groupBy(cells, ({ jobId }) => jobId)].map(([id, own]) => ({
    id,
    name: names.jobs.get(id) ?? NO_JOB_NAME,
    own,
  }));
  return {
    ...sumByRubro(cells),
    rubros: [...rubros]
      .map((id) => ({ id, name: names.rubros.get(id) ?? NO_RUBRO_NAME }))
      .sort(compareNamesNoRubroLast),
    rows: jobs
      .sort(compareNamesNoRubroLast)
      .map(({ id, name, own }) => ({ jobId: id, jobtitle: name, ...sumByRubro(own) })),
    /** Invoices captured in the period without an issue date; none of the figures above includes them. */
    undated,
  };
}

const compareNamesNoRubroLast = compareByNameWithLast(NO_RUBRO);

function sumByRubro(cells: readonly CostCell[]): Cost & { byRubro: Record<number, Cost> } {
  const parts = [...Map.groupBy(cells, ({ rubroId }) => rubroId)].map(([id, own]) => [id, sumCosts(own)]);
  return { ...sumCosts(cells), byRubro: Object.fromEntries(parts) };
}

export async function readIssuePeriod(db: Db): Promise<Period | undefined> {
  const { rows } = await sql<Period>`select * from (select (select min(fechaemision) from invoices) as "from",
    (select max(fechaemision) from invoices) as "to") days where "from" is not null`.execute(db);
  return rows[0];
}

async function sumUndatedInvoices(db: Db, query: CostFilterInPeriod, timeZone: string): Promise<Cost> {
  const { rows } = await sql<Pick<Cost, 'count' | 'costCents' | 'totalCents'>>`
    select count(*) as count, coalesce(sum("subtotalCents" + "otrosimpuestosCents"), 0) as "costCents",
      coalesce(sum("totalCents"), 0) as "totalCents"
    from invoices where ${undatedInPeriodCondition(query, timeZone)} ${buildJobAndRubroConditions(query)}`.execute(
    db,
  );
  return { ...createZeroCost(), ...rows[0] };
}

export async function readUndatedInvoices(
  db: Db,
  query: CostFilterInPeriod,
  timeZone: string,
  limit: number,
) {
  const sum = await sumUndatedInvoices(db, query, timeZone);
  const { rows: invoices } = await sql<{
    id: number;
    numfactura: string;
    suppliername: string;
    jobtitle: string;
    nombrerubro: string | null;
    createdAt: Instant;
    costCents: Cents;
  }>`
    select invoices.id, invoices.numfactura, suppliers.suppliername, jobs.jobtitle, rubros.nombrerubro,
      invoices."createdAt", invoices."subtotalCents" + invoices."otrosimpuestosCents" as "costCents"
    from invoices
    left join suppliers on suppliers.id = invoices."supplierId"
    left join jobs on jobs.id = invoices."jobId"
    left join rubros on rubros.id = invoices."rubroId"
    where ${undatedInPeriodCondition(query, timeZone)} ${buildJobAndRubroConditions(query)}
    order by invoices.id desc limit ${limit}`.execute(db);
  return { sum, invoices };
}

/** An invoice without an issue date counts on its day of capture, in the business's time zone. */
function undatedInPeriodCondition({ from, to }: CostFilterInPeriod, timeZone: string) {
  const start = startOfNextDay(addDays(from, -1), timeZone);
  const end = startOfNextDay(to, timeZone);
  return sql`(invoices.fechaemision is null and invoices."createdAt" >= ${start} and invoices."createdAt" < ${end})`;
}

export const readJobAndRubroNames = async (db: Db) => ({
  jobs: await readAllNamesById(db, 'jobs', 'jobtitle'),
  rubros: await readAllNamesById(db, 'rubros', 'nombrerubro'),
});
