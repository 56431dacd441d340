import { Hono } from 'hono';
import ListFilter, { type FilterField } from '../../../islands/ListFilter.tsx';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { DomainError } from '../../../shared/errors.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { type ResultsQuery, readIssueDays, readResults, readUndated } from '../../services/results.ts';
import { parseId } from '../../shapes/fields.ts';
import {
  type AskedResults,
  type Period,
  periodOf,
  requirePeriod,
  resultsShape,
} from '../../shapes/results.ts';
import { Island } from '../../shell/island.tsx';
import { answerList, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import { filterPicker, pickedId } from '../ui/pickers.ts';
import { ResultsTables, type ResultsView } from './results-table.tsx';

const TITLE = 'Resultados';
const LOAD_FAILED = 'Ocurrió un error al cargar los resultados.';
const UNDATED_SHOWN = 20;

export const resultsPages = new Hono<AppEnv>({ strict: false }).get(pages.results, (c) =>
  answerList(c, fallbackOf(c), async () => {
    const asked = parseListQuery(c, resultsShape);
    const period = periodOf(asked, c.get('today'));
    const { view, problem } = await tryToRead(c, asked, period);
    return renderList(
      c,
      { title: TITLE, status: problem && 400, actions: <Export asked={asked} /> },
      {
        filter: () => renderFilter(c, { ...asked, ...view?.query }, period),
        results: view ? <ResultsTables {...view} /> : <Alert tone="error">{problem?.message}</Alert>,
      },
    );
  }),
);

/** What of the address can be read is still in the filter of a page that can't be shown. */
function fallbackOf(c: AppContext) {
  const filter = () => {
    const asked = readableQuery(c, resultsShape);
    return renderFilter(c, asked, periodOf(asked, c.get('today')));
  };
  return { title: TITLE, loadFailed: LOAD_FAILED, address: pages.results, filter };
}

const Export = ({ asked }: { asked: AskedResults }) => (
  <ExportLinks list={pages.results} first="xlsx" query={asked} />
);

/** What the page asks for. @throws DomainError malformed, or invalid where a typed name leads to no row */
export async function readResultsQuery(c: AppContext): Promise<ResultsQuery> {
  const asked = parseListQuery(c, resultsShape);
  return queryOf(c, asked, periodOf(asked, c.get('today')));
}

/** The figures, or why there are none: a period that ends before it begins, a name that leads to no row. */
async function tryToRead(
  c: AppContext,
  asked: AskedResults,
  period: Period,
): Promise<{ view?: ResultsView; problem?: DomainError }> {
  const { db, config } = c.get('deps');
  try {
    const query = await queryOf(c, asked, period);
    const results = await readResults(db, query, config.timeZone);
    const undated =
      results.undated.count > 0 ? await readUndated(db, query, config.timeZone, UNDATED_SHOWN) : [];
    const all = await readIssueDays(db);
    return { view: { query, results, undated, all, today: c.get('today'), timeZone: config.timeZone } };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { problem: error };
  }
}

async function queryOf(c: AppContext, asked: AskedResults, period: Period): Promise<ResultsQuery> {
  requirePeriod(period);
  return { ...period, ...(await resolveNames(c, asked)) };
}

/** Without script, and in long lists, pickers are text fields that hold a name. */
async function resolveNames(c: AppContext, asked: AskedResults) {
  const { db } = c.get('deps');
  const { jobtitle = '', nombrerubro = '' } = asked;
  const byName = (id: string | undefined) => (id ? parseId(id) : null);
  return {
    jobId: asked.jobId ?? byName(await pickedId(db, jobs, 'jobId', { jobtitle })),
    rubroId: asked.rubroId ?? byName(await pickedId(db, rubros, 'rubroId', { nombrerubro })),
  };
}

async function renderFilter(c: AppContext, asked: AskedResults, { from, to }: Period) {
  const { db } = c.get('deps');
  const job = { name: 'jobId', label: 'Obra', emptyLabel: 'Todas', catalog: jobs };
  const rubro = {
    name: 'rubroId',
    label: 'Rubro',
    emptyLabel: 'Todos',
    catalog: rubros,
    none: NO_RUBRO_NAME,
  };
  const fields: FilterField[] = [
    { kind: 'date', name: 'desde', label: 'Emisión desde', value: from },
    { kind: 'date', name: 'hasta', label: 'Emisión hasta', value: to },
    await filterPicker(db, job, asked.jobId ?? null, asked.jobtitle),
    await filterPicker(db, rubro, asked.rubroId ?? null, asked.nombrerubro),
  ];
  return <Island of={ListFilter} props={{ action: pages.results, fields, resultsId: 'results' }} />;
}
