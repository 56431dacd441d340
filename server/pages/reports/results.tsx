import { Hono } from 'hono';
import ListFilter from '../../../islands/ListFilter.tsx';
import { DomainError } from '../../../shared/errors.ts';
import { lastMonths, type Period, periodOf, requirePeriod } from '../../../shared/periods.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { type AskedResults, resultList } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { readJobBudgets, sumBudgets } from '../../services/budgets/overview.ts';
import { type CostQuery, readCosts, readCostsOf } from '../../services/costs.ts';
import { readIssueDays, readNames, readUndated, sumUndated } from '../../services/results.ts';
import { readByJob } from '../../services/results-by-job.ts';
import { choiceField, idField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { filterFields, resolveNames, typedNames } from '../ui/list-filters.tsx';
import { answerList, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import type { ResultsPlace } from './results-address.ts';
import { ResultsSections } from './results-sections.tsx';
import type { ResultsView } from './results-view.ts';

const { title: TITLE } = resultList;
/** How much of it shows, and in which form, is the page's own matter. */
const SHAPE = pageShape(resultList).extend({
  parte: idField('parte'),
  abierta: idField('abierta'),
  vista: choiceField('vista', ['rubros']),
});
const LOAD_FAILED = 'Ocurrió un error al cargar los resultados.';
const UNDATED_SHOWN = 20;
/** So many obras show at first: a page for a slow line. */
const JOBS_SHOWN = 40;

export const resultsPages = new Hono<AppEnv>({ strict: false }).get(pages.results, (c) =>
  answerList(c, fallbackOf(c), async () => {
    const asked = parseListQuery(c, SHAPE);
    const period = periodOf(asked, c.get('today'));
    const { view, problem } = await tryToRead(c, asked, period);
    return renderList(
      c,
      { title: TITLE, status: problem && 400, actions: <Export asked={asked} />, draws: true },
      {
        filter: () => renderFilter(c, { ...asked, ...view?.asked }, period),
        results: view ? <ResultsSections {...view} /> : <Alert tone="error">{problem?.message}</Alert>,
      },
    );
  }),
);

type AskedPage = AskedResults & ResultsPlace;

/** What of the address can be read is still in the filter of a page that can't be shown. */
function fallbackOf(c: AppContext) {
  const filter = () => {
    const asked = readableQuery(c, SHAPE);
    return renderFilter(c, asked, periodOf(asked, c.get('today')));
  };
  return { title: TITLE, loadFailed: LOAD_FAILED, address: pages.results, filter };
}

const Export = ({
  asked: { parte: _part, abierta: _open, vista: _view, ...asked },
}: {
  asked: AskedPage;
}) => <ExportLinks list={pages.results} first="xlsx" query={asked} />;

/** The figures, or why there are none: a period that ends before it begins, a name that leads to no row. */
async function tryToRead(
  c: AppContext,
  typed: AskedPage,
  period: Period,
): Promise<{ view?: ResultsView; problem?: DomainError }> {
  try {
    requirePeriod(period);
    const asked = await resolveNames(c, resultList, typed);
    return { view: await read(c, asked, period) };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { problem: error };
  }
}

async function read(c: AppContext, asked: AskedPage, period: Period): Promise<ResultsView> {
  const { db, config } = c.get('deps');
  const { timeZone } = config;
  const { jobId, clientId, rubroId, base, iva = 'sin', caja, abierta, vista, parte } = asked;
  const query: CostQuery = { ...period, jobId, clientId, rubroId, base, caja };
  const isByMonth = vista === 'rubros';
  const sum = await sumUndated(db, query, timeZone);
  const lastYear = { ...query, from: lastMonths(period.to, 12)[0]!.from };
  const [costs, months, byRubro] = await readCostsOf(db, base, [
    { query, by: ['jobId'] },
    { query: lastYear, by: ['month'] },
    { query, by: isByMonth ? ['rubroId', 'month'] : ['rubroId'] },
  ]);
  const byJob = await readByJob(db, query, { iva, most: JOBS_SHOWN, part: parte, shown: abierta, costs });
  const shown = byJob.rows.flatMap((row) => (row.jobId > 0 ? [row.jobId] : []));
  return {
    asked,
    query,
    iva,
    names: await readNames(db),
    byJob,
    budgets: await readJobBudgets(db, shown, rubroId),
    budgetCents: await sumBudgets(db, query),
    byRubro: isByMonth ? [] : byRubro!,
    byMonth: isByMonth ? byRubro! : [],
    months: months!,
    opened: abierta ? await readOpened(c, { ...query, jobId: abierta }) : [],
    undated: { sum, invoices: sum.count > 0 ? await readUndated(db, query, timeZone, UNDATED_SHOWN) : [] },
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

async function renderFilter(c: AppContext, asked: AskedPage, { from, to }: Period) {
  const shown = { ...asked, desde: from, hasta: to };
  const fields = await filterFields(c, resultList, shown, {
    typed: typedNames(resultList, asked),
  });
  // Periods are links above the figures, script or not.
  for (const field of fields) if (field.kind === 'range') field.presets = [];
  if (asked.vista) fields.push({ kind: 'hidden', name: 'vista', value: asked.vista });
  return <Island of={ListFilter} props={{ action: pages.results, fields, resultsId: 'results' }} />;
}
