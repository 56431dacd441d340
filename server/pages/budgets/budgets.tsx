import { Hono } from 'hono';
import { inTransaction } from '../../../db/transaction.ts';
import { availableOf, type BudgetAndSpending, budgetTexts as texts } from '../../../shared/budgets.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { pluralize } from '../../../shared/counts.ts';
import { DomainError } from '../../../shared/errors.ts';
import { NO_RUBRO } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { readFormWithList } from '../../http/request.ts';
import { type AppContext, type AppEnv, actorOf, requireSession } from '../../http/session.ts';
import { getPageShape } from '../../lists/query-shapes.ts';
import { budgetList } from '../../lists/reports.ts';
import { requireArea } from '../../services/area-access.ts';
import { type BudgetedJob, type BudgetOverview, readOverview } from '../../services/budgets/overview.ts';
import { listBudget, readHistory } from '../../services/budgets/reading.ts';
import { saveBudgetOfJob } from '../../services/budgets/write.ts';
import { getRow } from '../../services/catalogs/reading.ts';
import { choiceField, idOrZeroField, wholeNumberField } from '../../shapes/fields.ts';
import { handleParsedForm, type RefusedForm, redirectWithMessage } from '../../shell/render.tsx';
import {
  BudgetUsedBar,
  MAX_UNWRAPPED_NAME_LENGTH,
  RemainingBudget,
  USED_COLUMN,
} from '../ui/budget-used.tsx';
import { moneyColumn, renderFooterCells } from '../ui/columns.tsx';
import { FirstLinks } from '../ui/first-links.tsx';
import { showReport } from '../ui/report-page.tsx';
import {
  type BudgetCell,
  GridCell,
  GridForm,
  type GridState,
  type PostedGridChanges,
  parsePostedGrid,
} from './grid.tsx';
import { BudgetHistory, BudgetOfJob } from './job.tsx';

/** `desde`: first row shown; `editar`: opens the grid; `historia`: the rubro whose changes are shown. */
const queryShape = getPageShape(budgetList).extend({
  desde: wholeNumberField('desde', 0, 1_000_000),
  editar: choiceField('editar', ['1']),
  historia: idOrZeroField('historia'),
});
/** The largest grid and the form around it have fewer fields than this. */
const MAX_FIELDS = 4200;

export const budgetsPages = new Hono<AppEnv>({ strict: false })
  .get(pages.budgets, (c) => showBudgets(c))
  .post(pages.budgets, async (c) => {
    const { fields } = await readFormWithList(c, '', MAX_FIELDS);
    const posted = parsePostedGrid(fields);
    const renderRefused = (_: AppContext, refused: RefusedForm) => showBudgets(c, posted, refused);
    return handleParsedForm(c, fields, renderRefused, async () => {
      const count = await saveCells(c, posted);
      const { jobId, desde } = c.req.query();
      return redirectWithMessage(c, withQuery(pages.budgets, { jobId, desde }), texts.saved(count));
    });
  });

async function saveCells(c: AppContext, { motivo, changes, errors }: PostedGridChanges): Promise<number> {
  const actor = actorOf(c, motivo);
  requireArea(actor, 'budgets');
  const [wrong] = Object.values(errors);
  if (wrong !== undefined) throw new DomainError('invalid', wrong, { fields: errors });
  return inTransaction(c.get('deps').db, async (trx) => {
    let count = 0;
    for (const [jobId, partidas] of changes)
      count += await saveBudgetOfJob(trx, actor, jobId, { motivo, partidas });
    return count;
  });
}

function showBudgets(c: AppContext, posted?: PostedGridChanges, refused?: RefusedForm) {
  const { db, config } = c.get('deps');
  const isReadOnly = !mayEnter('budgets', requireSession(c).roles);
  const state = { postedChanges: posted, motivoError: refused?.problem.fields?.motivo, isReadOnly };
  return showReport(c, budgetList, {
    shape: queryShape,
    first: 'xlsx',
    loadFailed: 'Ocurrió un error al cargar el presupuesto.',
    refused,
    async read({ jobId, desde, editar, historia }) {
      const from = desde ?? 0;
      const isGrid = posted !== undefined || editar !== undefined;
      const words = isReadOnly ? 'Ver por rubro' : 'Editar';
      // One job's page already shows everything by rubro, so users who may not edit need no link.
      const actions = (isGrid || !isReadOnly || !jobId) && (
        <LinkButton href={withQuery(pages.budgets, { jobId, desde, editar: isGrid ? undefined : 1 })}>
          {isGrid ? 'Cerrar' : words}
        </LinkButton>
      );
      if (!jobId)
        return {
          actions,
          results: (
            <BudgetTables {...(await readOverview(db, from))} {...{ firstRow: from, isGrid, state }} />
          ),
        };
      const jobtitle = String((await getRow(db, jobs, jobId)).jobtitle);
      const rows = await listBudget(db, jobId, { all: isGrid });
      const changes = (await readHistory(db, jobId)).filter(
        ({ rubroId }) => historia === undefined || (rubroId ?? NO_RUBRO) === historia,
      );
      const budget = { job: { id: jobId, jobtitle }, rows, from, isGrid, state };
      return {
        actions,
        results: (
          <>
            <h2>{jobtitle}</h2>
            <p className="periods">
              <a href={withQuery(pages.budgets, { editar: isGrid ? 1 : undefined })}>Todas las obras</a>
            </p>
            <div className="stack">
              <BudgetOfJob {...budget} />
              {changes.length > 0 && (
                <BudgetHistory changes={changes} timeZone={config.timeZone} isOpen={historia !== undefined} />
              )}
            </div>
          </>
        ),
      };
    },
  });
}

interface OverviewProps extends BudgetOverview {
  firstRow: number;
  isGrid: boolean;
  state: GridState;
}

function BudgetTables(props: OverviewProps) {
  const { jobs, count, firstRow, isGrid } = props;
  if (count === 0)
    return (
      <EmptyState title="Todavía no hay obras" action={<LinkButton href="/new-job">Nueva obra</LinkButton>}>
        Aquí se dice cuánto puede costar cada obra en cada rubro, y se ve cuánto lleva.
      </EmptyState>
    );
  const next = firstRow + jobs.length;
  const editar = isGrid ? 1 : undefined;
  const shown = { ...props, label: count > jobs.length ? `Total de estas ${jobs.length} obras` : 'Total' };
  return (
    <>
      {isGrid ? <OverviewGrid {...shown} /> : <SpendingTable {...shown} />}
      {(firstRow > 0 || next < count) && (
        <p className="actions">
          {firstRow > 0 && (
            <LinkButton href={withQuery(pages.budgets, { editar })}>Primeras obras</LinkButton>
          )}
          {next < count && (
            <LinkButton href={withQuery(pages.budgets, { desde: next, editar })}>Siguientes obras</LinkButton>
          )}
        </p>
      )}
    </>
  );
}

type JobSpendingRow = BudgetAndSpending & { id?: number; jobtitle: string };

function SpendingTable({ jobs, count, label }: OverviewProps & { label: string }) {
  const budgetOfJobHref = ({ id }: JobSpendingRow) =>
    id ? withQuery(pages.budgets, { jobId: id }) : undefined;
  const sum = (name: keyof BudgetAndSpending) => jobs.reduce((all, job) => all + job[name], 0);
  const total: JobSpendingRow = {
    jobtitle: label,
    presupuestoCents: sum('presupuestoCents'),
    gastadoCents: sum('gastadoCents'),
  };
  const columns: Column<JobSpendingRow>[] = [
    { key: 'jobtitle', label: 'Obra', card: 'title', wraps: MAX_UNWRAPPED_NAME_LENGTH },
    moneyColumn('presupuesto', 'Presupuesto', (job) => job.presupuestoCents, {
      href: budgetOfJobHref,
      isBlank: true,
      note: 'sin IVA',
      card: 'corner',
    }),
    moneyColumn('gastado', 'Gastado', (job) => job.gastadoCents, {
      href: budgetOfJobHref,
      isBlank: true,
      card: 'half',
    }),
    {
      key: 'disponible',
      label: 'Por ejercer',
      align: 'end',
      card: 'half',
      render: (job) =>
        job.presupuestoCents > 0 && <RemainingBudget cents={availableOf(job)} href={budgetOfJobHref(job)} />,
    },
    { ...USED_COLUMN, render: (job) => job.presupuestoCents > 0 && <BudgetUsedBar line={job} /> },
  ];
  const footer = renderFooterCells(columns, total);
  const exceeded = jobs
    .filter((job) => job.presupuestoCents > 0 && availableOf(job) < 0)
    .sort((a, b) => availableOf(a) - availableOf(b));
  const excessCents = exceeded.reduce((all, job) => all - availableOf(job), 0);
  return (
    <>
      {exceeded.length > 0 && (
        <p className="wrong">
          {pluralize(exceeded.length, 'obra rebasada', 'obras rebasadas')} por {formatMoney(excessCents)}
          {count > jobs.length && `, de estas ${jobs.length} obras`}:{' '}
          <FirstLinks items={exceeded.map((job) => ({ text: job.jobtitle, href: budgetOfJobHref(job)! }))} />.
        </p>
      )}
      <DataTable
        caption="Presupuesto por obra, sin IVA"
        columns={columns}
        rows={jobs}
        rowKey={({ id }) => id!}
        rowHref={budgetOfJobHref}
        footer={{
          ...footer,
          presupuesto: (
            <>
              <span className="on-card">Total </span>
              {footer.presupuesto}
            </>
          ),
        }}
      />
    </>
  );
}

function OverviewGrid({ jobs, rubros, firstRow, state, label }: OverviewProps & { label: string }) {
  const cellOf = (job: BudgetedJob, rubroId: number): BudgetCell => {
    const line = job.lines.get(rubroId);
    return { jobId: job.id, rubroId, cents: line?.amountCents ?? 0, version: line?.version ?? 0 };
  };
  const sumOf = (centsOf: (job: BudgetedJob) => number) => (
    <Money cents={jobs.reduce((all, job) => all + centsOf(job), 0)} />
  );
  const columns: Column<BudgetedJob>[] = [
    { key: 'jobtitle', label: 'Obra', className: 'c1' },
    moneyColumn('presupuesto', 'Presupuesto', (job) => job.presupuestoCents, { isBlank: true }),
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
  return (
    <>
      {rubros.length === 0 && (
        <p className="note">
          Los rubros son demasiados para verse aquí: abre una obra para escribir su presupuesto.
        </p>
      )}
      <GridForm
        action={withQuery(pages.budgets, { desde: firstRow || undefined })}
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
            rowHref={({ id }) => withQuery(pages.budgets, { jobId: id, editar: 1 })}
            footer={{
              jobtitle: label,
              presupuesto: sumOf((job) => job.presupuestoCents),
              ...Object.fromEntries(rubros.map(({ id }) => [id, sumOf((job) => cellOf(job, id).cents)])),
            }}
          />
        </section>
      </GridForm>
    </>
  );
}
