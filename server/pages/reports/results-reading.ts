import { listLastMonths, requireOrderedPeriod, resolvePeriod } from '../../../shared/periods.ts';
import type { AppContext } from '../../http/session.ts';
import type { ResultsQuery } from '../../lists/reports.ts';
import { readJobBudgets, sumBudgets } from '../../services/budgets/overview.ts';
import { type CostCell, type CostFilterInPeriod, readCosts, sumCellsBy } from '../../services/costs.ts';
import { readIssuePeriod, readJobAndRubroNames, readUndatedInvoices } from '../../services/results.ts';
import { readCostsByJob } from '../../services/results-by-job.ts';
import type { ResultsPageState } from './addresses.ts';

const MAX_UNDATED_INVOICES = 20;
/** More would make the page too large for a slow connection. */
const MAX_JOBS = 40;

export type ResultsData = Awaited<ReturnType<typeof readResultsData>>;

/** @throws DomainError malformed where the period ends before it begins */
export async function readResultsData(c: AppContext, requested: ResultsQuery & ResultsPageState) {
  const { db, config } = c.get('deps');
  const { timeZone } = config;
  const { jobId, clientId, rubroId, base, iva = 'sin', caja, abierta, vista, parte } = requested;
  const period = resolvePeriod(requested, c.get('today'));
  requireOrderedPeriod(period);
  const query: CostFilterInPeriod = { ...period, jobId, clientId, rubroId, base, caja };
  const isByMonth = vista === 'rubros';
  const options = { iva, limit: MAX_JOBS, part: parte, alwaysShownId: abierta, skipsRubros: isByMonth };
  const byJob = await readCostsByJob(db, query, options);
  const shown = byJob.rows.flatMap((row) => (row.jobId > 0 ? [row.jobId] : []));
  return {
    requested,
    query,
    iva,
    names: await readJobAndRubroNames(db),
    byJob,
    /** budgets of the shown jobs, in the requested rubro or in all */
    budgets: await readJobBudgets(db, shown, rubroId),
    /** The sum covers every budget that the filters allow. */
    budgetCents: await sumBudgets(db, query),
    byRubro: isByMonth ? [] : sumCellsBy(byJob.cells, 'rubroId'),
    byMonth: isByMonth ? await readCosts(db, query, ['rubroId', 'month']) : [],
    months: await readCosts(db, { ...query, from: listLastMonths(period.to, 12)[0]!.from }, ['month']),
    opened: abierta ? rubroCostsOfJob(byJob.cells, abierta) : [],
    undated: await readUndatedInvoices(db, query, timeZone, MAX_UNDATED_INVOICES),
    /** from the first to the last issue date of all invoices */
    all: await readIssuePeriod(db),
    today: c.get('today'),
    timeZone,
  };
}

const rubroCostsOfJob = (cells: readonly CostCell[], jobId: number): CostCell[] =>
  cells
    .filter((cell) => cell.jobId === jobId)
    .sort((a, b) => b.costCents - a.costCents || a.rubroId - b.rubroId);
