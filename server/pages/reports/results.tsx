import { Hono } from 'hono';
import ListFilter from '../../../islands/ListFilter.tsx';
import { DomainError } from '../../../shared/errors.ts';
import { type Period, periodOf, requirePeriod } from '../../../shared/periods.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages } from '../../../shared/urls.ts';
import type { AppContext, AppEnv } from '../../http/session.ts';
import { type AskedResults, resultList } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { type ResultsQuery, readIssueDays, readResults, readUndated } from '../../services/results.ts';
import { choiceField } from '../../shapes/fields.ts';
import { Island } from '../../shell/island.tsx';
import { filterFields, resolveNames, typedNames } from '../ui/list-filters.tsx';
import { answerList, parseListQuery, readableQuery, renderList } from '../ui/lists.tsx';
import { ResultsTables, type ResultsView } from './results-table.tsx';

const { title: TITLE } = resultList;
/** Whether all of many obras show is the page's own matter. */
const SHAPE = pageShape(resultList).extend({ todo: choiceField('todo', ['1']) });
const LOAD_FAILED = 'Ocurrió un error al cargar los resultados.';
const UNDATED_SHOWN = 20;
/** So many figures show at first, each with its link: a page for a slow line. */
const MOST_FIGURES = 1000;

export const resultsPages = new Hono<AppEnv>({ strict: false }).get(pages.results, (c) =>
  answerList(c, fallbackOf(c), async () => {
    const asked = parseListQuery(c, SHAPE);
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

type AskedPage = AskedResults & { todo?: string };

/** What of the address can be read is still in the filter of a page that can't be shown. */
function fallbackOf(c: AppContext) {
  const filter = () => {
    const asked = readableQuery(c, SHAPE);
    return renderFilter(c, asked, periodOf(asked, c.get('today')));
  };
  return { title: TITLE, loadFailed: LOAD_FAILED, address: pages.results, filter };
}

const Export = ({ asked }: { asked: AskedResults }) => (
  <ExportLinks list={pages.results} first="xlsx" query={asked} />
);

/** The figures, or why there are none: a period that ends before it begins, a name that leads to no row. */
async function tryToRead(
  c: AppContext,
  asked: AskedPage,
  period: Period,
): Promise<{ view?: ResultsView; problem?: DomainError }> {
  const { db, config } = c.get('deps');
  try {
    const query = await queryOf(c, asked, period);
    const isWhole = asked.todo === '1';
    const results = await readResults(db, query, config.timeZone, isWhole ? Infinity : MOST_FIGURES);
    const undated =
      results.undated.count > 0 ? await readUndated(db, query, config.timeZone, UNDATED_SHOWN) : [];
    const all = await readIssueDays(db);
    return {
      view: { query, isWhole, results, undated, all, today: c.get('today'), timeZone: config.timeZone },
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return { problem: error };
  }
}

async function queryOf(c: AppContext, asked: AskedResults, period: Period): Promise<ResultsQuery> {
  requirePeriod(period);
  const { jobId, rubroId } = await resolveNames(c, resultList, asked);
  return { ...period, jobId, rubroId };
}

async function renderFilter(c: AppContext, asked: AskedResults, { from, to }: Period) {
  const shown = { ...asked, desde: from, hasta: to };
  const fields = await filterFields(c, resultList, shown, {
    typed: typedNames(resultList, asked),
  });
  return <Island of={ListFilter} props={{ action: pages.results, fields, resultsId: 'results' }} />;
}
