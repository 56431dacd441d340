import { lastMonths, periodOf, requirePeriod } from '../../../shared/periods.ts';
import type { AppContext } from '../../http/session.ts';
import type { AskedResults } from '../../lists/reports.ts';
import { readJobBudgets, sumBudgets } from '../../services/budgets/overview.ts';
import type { CostQuery } from '../../services/cost-rows.ts';
import { readCosts } from '../../services/costs.ts';
import { readIssueDays, readNames, readUndated } from '../../services/results.ts';
import { readByJob } from '../../services/results-by-job.ts';
import type { ResultsPlace } from './addresses.ts';

const UNDATED_SHOWN = 20;
/** At first; more would make the page too long for a slow line. */
const JOBS_SHOWN = 40;

export type ResultsView = Awaited<ReturnType<typeof readResultsView>>;

/** All that Resultados shows. @throws DomainError malformed where the period ends before it begins */
export async function readResultsView(c: AppContext, asked: AskedResults & ResultsPlace) {
  const { db, config } = c.get('deps');
  const { timeZone } = config;
  const { jobId, clientId, rubroId, base, iva = 'sin', caja, abierta, vista, parte } = asked;
  const period = periodOf(asked, c.get('today'));
  requirePeriod(period);
  const query: CostQuery = { ...period, jobId, clientId, rubroId, base, caja };
  const isByMonth = vista === 'rubros';
  const lastYear = { ...query, from: lastMonths(period.to, 12)[0]!.from };
  const months = await readCosts(db, lastYear, ['month']);
  const byRubro = await readCosts(db, query, isByMonth ? ['rubroId', 'month'] : ['rubroId']);
  const byJob = await readByJob(db, query, { iva, most: JOBS_SHOWN, part: parte, shown: abierta });
  const shown = byJob.rows.flatMap((row) => (row.jobId > 0 ? [row.jobId] : []));
  return {
    asked,
    query,
    iva,
    names: await readNames(db),
    byJob,
    /** of the obras shown those that have a budget, in the rubro that was asked for or in all */
    budgets: await readJobBudgets(db, shown, rubroId),
    /** the budget of all that was asked for */
    budgetCents: await sumBudgets(db, query),
    byRubro: isByMonth ? [] : byRubro,
    byMonth: isByMonth ? byRubro : [],
    months,
    /** the rubros of the obra that is open */
    opened: abierta ? await readOpened(c, { ...query, jobId: abierta }) : [],
    undated: await readUndated(db, query, timeZone, UNDATED_SHOWN),
    /** the days of issue that there are */
    all: await readIssueDays(db),
    today: c.get('today'),
    timeZone,
  };
}

async function readOpened(c: AppContext, query: CostQuery) {
  const cells = await readCosts(c.get('deps').db, query, ['rubroId']);
  return cells
    .sort((a, b) => b.costCents - a.costCents || a.rubroId - b.rubroId)
    .map((cell) => ({ ...cell, jobId: query.jobId! }));
}
