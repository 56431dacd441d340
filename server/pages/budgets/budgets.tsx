import { Hono } from 'hono';
import { inTransaction } from '../../../db/transaction.ts';
import { availableOf, budgetTexts as texts } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readRowsForm } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { budgetList } from '../../lists/reports.ts';
import { pageShape } from '../../lists/shapes.ts';
import { saveBudget } from '../../services/budgets/budgets.ts';
import { type BudgetedJob, type BudgetOverview, readOverview } from '../../services/budgets/overview.ts';
import { listBudget, readHistory } from '../../services/budgets/reading.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { requireArea } from '../../services/may-act.ts';
import { wholeField } from '../../shapes/fields.ts';
import { type RefusedForm, redirectWith, takeFields } from '../../shell/render.tsx';
import { moneyColumn } from '../ui/columns.tsx';
import { showReport } from '../ui/report-page.tsx';
import { type Cell, GridCell, GridForm, type GridState, type PostedGrid, readGrid } from './grid.tsx';
import { JobGrid } from './job.tsx';
import { Left, Used } from './used.tsx';

/** The page has its own parameter for the part of many obras or rubros that it shows. */
const shape = pageShape(budgetList).extend({ desde: wholeField('desde', 0, 1_000_000) });
/** Of a grid that is shown whole, and of the form around it. */
const MOST_FIELDS = 4200;

export const budgetsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.budgets, (c) => showGrid(c))
  .post(pages.budgets, async (c) => {
    const { fields } = await readRowsForm(c, '', MOST_FIELDS);
    const posted = readGrid(fields);
    const again = (_: AppContext, refused: RefusedForm) => showGrid(c, posted, refused);
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

/** The grid of one obra or of all, and what was refused of it. */
function showGrid(c: AppContext, posted?: PostedGrid, refused?: RefusedForm) {
  const { db, config } = c.get('deps');
  const isReadOnly = !mayEnter('budgets', requireSession(c).roles);
  const state = { posted, motivoError: refused?.problem.fields?.motivo, isReadOnly };
  return showReport(c, budgetList, {
    shape,
    first: 'xlsx',
    loadFailed: 'Ocurrió un error al cargar el presupuesto.',
    draws: true,
    refused,
    async read({ jobId, desde }) {
      const from = desde ?? 0;
      if (!jobId) {
        const overview = await readOverview(db, from);
        return { results: <OverviewGrid overview={overview} from={from} state={state} /> };
      }
      const jobtitle = String((await getRow(db, jobs, jobId)).jobtitle);
      const rows = await listBudget(db, jobId, { all: true });
      const history = await readHistory(db, jobId);
      const props = { job: { id: jobId, jobtitle }, rows, from, history, state, timeZone: config.timeZone };
      return {
        results: (
          <>
            <h2>{jobtitle}</h2>
            <JobGrid {...props} />
          </>
        ),
      };
    },
  });
}

interface OverviewGridProps {
  overview: BudgetOverview;
  from: number;
  state: GridState;
}

/** Every obra with every rubro: budgets are typed where they stand. */
function OverviewGrid({ overview: { jobs, rubros, count }, from, state }: OverviewGridProps) {
  if (count === 0)
    return (
      <EmptyState title="Todavía no hay obras" action={<LinkButton href="/new-job">Nueva obra</LinkButton>}>
        Aquí se dice cuánto puede costar cada obra en cada rubro, y se ve cuánto lleva.
      </EmptyState>
    );
  const cellOf = (job: BudgetedJob, rubroId: number): Cell => {
    const line = job.lines.get(rubroId);
    return { jobId: job.id, rubroId, cents: line?.amountCents ?? 0, version: line?.version ?? 0 };
  };
  const sum = (of: (job: BudgetedJob) => number) => jobs.reduce((all, job) => all + of(job), 0);
  const total = {
    presupuestoCents: sum((job) => job.presupuestoCents),
    comprometidoCents: sum((job) => job.comprometidoCents),
    gastadoCents: sum((job) => job.gastadoCents),
  };
  const columns: Column<BudgetedJob>[] = [
    { key: 'jobtitle', label: 'Obra', className: 'c1', clip: true },
    moneyColumn('presupuesto', 'Presupuesto', (job) => job.presupuestoCents, { isBlank: true }),
    moneyColumn('gastado', 'Gastado', (job) => Math.max(0, job.gastadoCents), { isBlank: true }),
    {
      key: 'disponible',
      label: 'Por ejercer',
      align: 'end',
      render: (job) => (job.presupuestoCents > 0 ? <Left cents={availableOf(job)} /> : null),
    },
    {
      key: 'porcentaje',
      label: '%',
      align: 'end',
      render: (job) => (job.presupuestoCents > 0 ? <Used line={job} /> : null),
    },
    ...rubros.map(
      ({ id, name }): Column<BudgetedJob> => ({
        key: String(id),
        label: name,
        align: 'end',
        className: state.isReadOnly ? undefined : 'typed',
        render: (job) => (
          <GridCell cell={cellOf(job, id)} label={`${name} de ${job.jobtitle}`} state={state} />
        ),
      }),
    ),
  ];
  const next = from + jobs.length;
  return (
    <>
      <p className="note">
        Da clic en una obra para ver sus rubros con lo facturado, lo pagado y la historia
        {rubros.length === 0 && ', y para escribir su presupuesto: los rubros son demasiados para verse aquí'}
        . Todo es sin IVA.
      </p>
      <GridForm
        action={withQuery(pages.budgets, { desde: from || undefined })}
        cells={jobs.flatMap((job) => rubros.map(({ id }) => cellOf(job, id)))}
        state={state}
      >
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <section className="report-frame" tabIndex={0} aria-label="Obras y rubros">
          <DataTable
            caption="Presupuesto por obra y rubro"
            className="report"
            columns={columns}
            rows={jobs}
            rowKey={({ id }) => id}
            rowHref={({ id }) => withQuery(pages.budgets, { jobId: id })}
            footer={{
              jobtitle: count > jobs.length ? `Total de estas ${jobs.length} obras` : 'Total',
              presupuesto: formatMoney(total.presupuestoCents),
              gastado: formatMoney(total.gastadoCents),
              disponible: <Left cents={availableOf(total)} />,
              porcentaje: <Used line={total} />,
              ...Object.fromEntries(
                rubros.map(({ id }) => [id, <Money key={id} cents={sum((job) => cellOf(job, id).cents)} />]),
              ),
            }}
          />
        </section>
      </GridForm>
      {(from > 0 || next < count) && (
        <p className="actions">
          {from > 0 && <LinkButton href={pages.budgets}>Primeras obras</LinkButton>}
          {next < count && (
            <LinkButton href={withQuery(pages.budgets, { desde: next })}>Siguientes obras</LinkButton>
          )}
        </p>
      )}
    </>
  );
}
