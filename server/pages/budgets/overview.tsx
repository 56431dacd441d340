import { availableOf } from '../../../shared/budgets.ts';
import { formatMoney } from '../../../shared/money.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { BudgetedJob, BudgetOverview } from '../../services/budgets/overview.ts';
import { GridCell, GridForm, type GridState } from './grid.tsx';
import type { Cell } from './posted.ts';
import { Left, Used } from './used.tsx';

interface OverviewGridProps {
  overview: BudgetOverview;
  /** the first obra shown */
  from: number;
  state: GridState;
}

/** Every obra with every rubro: what each may cost is typed where it stands. */
export function OverviewGrid({ overview: { jobs, rubros, count }, from, state }: OverviewGridProps) {
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
    { key: 'jobtitle', label: 'Obra', className: 'c1', clip: true, render: ({ jobtitle }) => jobtitle },
    {
      key: 'presupuesto',
      label: 'Presupuesto',
      align: 'end',
      render: (job) => (job.presupuestoCents > 0 ? <Money cents={job.presupuestoCents} /> : null),
    },
    {
      key: 'gastado',
      label: 'Gastado',
      align: 'end',
      render: (job) => (job.gastadoCents > 0 ? <Money cents={job.gastadoCents} /> : null),
    },
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
