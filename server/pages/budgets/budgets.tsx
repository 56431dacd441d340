import { Hono } from 'hono';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { inTransaction } from '../../../db/transaction.ts';
import { budgetTexts as texts } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { DomainError } from '../../../shared/errors.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { Alert } from '../../../shared/ui/Alert.tsx';
import { ExportLinks } from '../../../shared/ui/ExportLinks.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { budgetList } from '../../lists/budgets.ts';
import { pageShape } from '../../lists/shapes.ts';
import { saveBudget } from '../../services/budgets/budgets.ts';
import { readOverview } from '../../services/budgets/overview.ts';
import { listBudget, readHistory } from '../../services/budgets/reading.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { requireArea } from '../../services/users/may-act.ts';
import { wholeField } from '../../shapes/fields.ts';
import { type RefusedForm, redirectWith, takeFields } from '../../shell/render.tsx';
import { renderFilter, resolveNames } from '../ui/list-filters.tsx';
import { answerList, parseListQuery, renderList } from '../ui/lists.tsx';
import type { GridState } from './grid.tsx';
import { JobGrid } from './job.tsx';
import { OverviewGrid } from './overview.tsx';
import { type PostedGrid, readGrid } from './posted.ts';

/** Which of many obras, or rubros, are shown is the page's own matter. */
const SHAPE = pageShape(budgetList).extend({ desde: wholeField('desde', 0, 1_000_000) });
const LOAD_FAILED = 'Ocurrió un error al cargar el presupuesto.';
/** Of a grid that is shown whole, and what stands around it. */
const MOST_FIELDS = 4200;

export const budgetsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.budgets, (c) => showGrid(c, {}))
  .post(pages.budgets, async (c) => {
    const { fields } = await readRowsForm(c, '', MOST_FIELDS);
    const posted = readGrid(fields);
    const again = (_: AppContext, { problem, status }: RefusedForm) =>
      showGrid(c, { posted, motivoError: problem.fields?.motivo }, problem, status);
    return takeFields(c, fields, again, async () => {
      const count = await save(c, posted);
      const { jobId, desde } = c.req.query();
      return redirectWith(c, withQuery(pages.budgets, { jobId, desde }), texts.saved(count));
    });
  });

/** All of the cells that differ, or none. @returns how many differed */
async function save(c: AppContext, { motivo, changes, errors }: PostedGrid): Promise<number> {
  const actor = actorOf(c, motivo);
  requireArea(actor, 'budgets');
  const [wrong] = Object.values(errors);
  if (wrong !== undefined) throw new DomainError('invalid', wrong, { fields: errors });
  return inTransaction(c.get('deps').db, async (trx) => {
    let count = 0;
    for (const [jobId, partidas] of changes)
      count += await saveBudget(trx, actor, jobId, { motivo, partidas });
    return count;
  });
}

/** The grid of one obra or of all, and what is wrong with what was sent. */
function showGrid(
  c: AppContext,
  posted: Omit<GridState, 'isReadOnly'>,
  problem?: DomainError,
  status?: ContentfulStatusCode,
) {
  const state = { ...posted, isReadOnly: !mayEnter('budgets', requireSession(c).roles) };
  const options = { title: budgetList.title, loadFailed: LOAD_FAILED, address: pages.budgets };
  return answerList(c, { ...options, status }, async () => {
    const asked = await resolveNames(c, budgetList, parseListQuery(c, SHAPE));
    return renderList(
      c,
      {
        title: budgetList.title,
        status,
        draws: true,
        actions: <ExportLinks list={pages.budgets} first="xlsx" query={{ jobId: asked.jobId }} />,
      },
      {
        alert: problem && <Alert tone="error">{problem.message}</Alert>,
        filter: () => renderFilter(c, budgetList, asked),
        results: asked.jobId
          ? await drawJob(c, asked.jobId, asked.desde ?? 0, state)
          : await drawOverview(c, asked.desde ?? 0, state),
      },
    );
  });
}

async function drawJob(c: AppContext, jobId: number, from: number, state: GridState) {
  const { db, config } = c.get('deps');
  const { jobtitle } = await getRow(db, jobs, jobId);
  return (
    <>
      <h2>{String(jobtitle)}</h2>
      <JobGrid
        job={{ id: jobId, jobtitle: String(jobtitle) }}
        rows={await listBudget(db, jobId, { all: true })}
        from={from}
        history={await readHistory(db, jobId)}
        state={state}
        timeZone={config.timeZone}
      />
    </>
  );
}

const drawOverview = async (c: AppContext, from: number, state: GridState) => (
  <OverviewGrid overview={await readOverview(c.get('deps').db, from)} from={from} state={state} />
);
