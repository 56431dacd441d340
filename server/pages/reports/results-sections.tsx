import {
  addDays,
  formatDate,
  formatLongDate,
  mondayOf,
  type PlainDate,
  plainDateIn,
} from '../../../shared/dates.ts';
import { monthPeriodOf, type Period } from '../../../shared/periods.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { Disclosure } from '../../../shared/ui/Disclosure.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { Money } from '../../../shared/ui/Money.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import { invoiceNumberColumn, moneyColumn } from '../ui/columns.tsx';
import { resultsHref } from './addresses.ts';
import { RankRangeNote } from './notes.tsx';
import { MonthsChart, RubroBars, RubroMonthHeatTable } from './results-breakdowns.tsx';
import { PeriodFigures } from './results-figures.tsx';
import { describeOverBudget, findJobsOverBudget, JobsOverBudget, JobsTable } from './results-jobs.tsx';
import type { ResultsData } from './results-reading.ts';

export function ResultsSections(data: ResultsData) {
  const { requested, query, byJob, undated } = data;
  const { rows, ranks } = byJob;
  return (
    <div className="stack">
      <p className="print-only">{describeBasis(data)}</p>
      {rows.length === 0 ? (
        <NoCosts {...data} />
      ) : (
        <>
          <PeriodFigures query={query} iva={data.iva} total={byJob.total} budgetCents={data.budgetCents} />
          <section aria-label="Detalle">
            <JobsOverBudget {...data} />
            <ViewLinks {...data} />
            {requested.vista === 'rubros' ? <RubroMonthHeatTable {...data} /> : <JobsTable {...data} />}
            {requested.vista !== 'rubros' && (
              <RankRangeNote
                rankRange={ranks}
                label="Obras de mayor costo"
                addressOf={(parte) => resultsHref(requested, query, { parte })}
              />
            )}
          </section>
          <div className="pairs">
            {requested.vista !== 'rubros' && <RubroBars {...data} />}
            <MonthsChart {...data} />
          </div>
        </>
      )}
      {undated.sum.count > 0 && <UndatedInvoices {...data} />}
      <Disclosure summary="Cómo se calcula">
        <p className="note">{describeBasis(data)} Haz clic en una cifra para ver de qué se compone.</p>
      </Disclosure>
    </div>
  );
}

function describeBasis({ query: { from, to, base, caja }, iva, byJob: { total } }: ResultsData): string {
  const days = `del ${formatLongDate(from)} al ${formatLongDate(to)}`;
  const petty =
    caja === 'sin' ? ', sin la caja chica' : total.pettyCents > 0 ? ', con los gastos de caja chica' : '';
  if (base === 'pagado')
    return `Lo pagado ${days}${iva === 'con' ? ', con IVA' : ': de cada pago, su parte sin IVA'}${petty}.`;
  const credits = total.creditTotalCents > 0 ? ', menos las notas de crédito de esos días' : '';
  return `Facturas emitidas ${days}, ${iva === 'con' ? 'con IVA' : 'sin IVA (subtotal y otros impuestos)'}${credits}${petty}.`;
}

/** Only "Todo" may end after today. */
export function listResultPeriods(today: PlainDate, all?: Period): (Period & { name: string })[] {
  const year = Number(today.slice(0, 4));
  const month = monthPeriodOf(today);
  return [
    { name: 'Esta semana', from: mondayOf(today), to: today },
    { name: 'Este mes', from: month.from, to: today },
    { name: 'Mes pasado', ...monthPeriodOf(addDays(month.from, -1)) },
    { name: 'Este año', from: `${year}-01-01`, to: today },
    { name: 'Año pasado', from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
    ...(all ? [{ name: 'Todo', from: all.from, to: all.to > today ? all.to : today }] : []),
  ];
}

const VIEWS = [
  { label: 'Por obra', vista: undefined },
  { label: 'Rubro por mes', vista: 'rubros' },
] as const;

function ViewLinks(data: ResultsData) {
  const { requested, query } = data;
  const overCount = findJobsOverBudget(data).length;
  return (
    <nav className="periods" aria-label="Vistas">
      {VIEWS.map(({ label, vista }) => (
        <a
          key={label}
          href={resultsHref(requested, query, { vista })}
          aria-current={requested.vista === vista ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
      {overCount > 0 && (
        <a className="late on-card" href={withQuery(pages.budgets, { jobId: requested.jobId })}>
          {describeOverBudget(overCount)}
        </a>
      )}
    </nav>
  );
}

const NO_FILTERS = { jobId: undefined, clientId: undefined, rubroId: undefined };

function NoCosts({ requested, undated, today, query }: ResultsData) {
  const { vista } = requested;
  const lastYear = Number(today.slice(0, 4)) - 1;
  const isFiltered = Boolean(requested.jobId || requested.clientId) || typeof requested.rubroId === 'number';
  return (
    <EmptyState
      title="Sin costos en este periodo"
      action={
        isFiltered ? (
          <LinkButton href={resultsHref({ ...requested, ...NO_FILTERS }, query, { vista })}>
            Quitar filtros
          </LinkButton>
        ) : (
          <LinkButton
            href={resultsHref(requested, { from: `${lastYear}-01-01`, to: `${lastYear}-12-31` }, { vista })}
          >
            Ver el año pasado
          </LinkButton>
        )
      }
    >
      {undated.sum.count > 0
        ? 'Ninguna factura tiene su fecha de emisión en estos días; abajo están las que no tienen fecha.'
        : 'Aquí se ve cuánto cuesta cada obra y en qué rubros, según las facturas emitidas en el periodo.'}
    </EmptyState>
  );
}

function UndatedInvoices({
  query,
  undated: { sum, invoices },
  timeZone,
}: Pick<ResultsData, 'query' | 'undated' | 'timeZone'>) {
  const { count, costCents } = sum;
  const { from, to, jobId, clientId, rubroId } = query;
  const captured = { emision: 'sin', capturaDesde: from, capturaHasta: to };
  const list = withQuery(pages.invoices, { jobId, clientId, rubroId, ...captured });
  return (
    <section>
      <h2>Sin fecha de emisión</h2>
      <p className="note">
        {count === 1 ? 'Una factura capturada' : `${count} facturas capturadas`} en el periodo no{' '}
        {count === 1 ? 'tiene' : 'tienen'} fecha de emisión: <Money cents={costCents} href={list} /> sin IVA
        que no {count === 1 ? 'está' : 'están'} en las cifras de arriba. {count === 1 ? 'Ponle' : 'Ponles'} su
        fecha.
      </p>
      <DataTable
        caption="Facturas sin fecha de emisión"
        columns={undatedColumns(timeZone)}
        rows={invoices}
        rowKey={(invoice) => invoice.id}
        rowHref={(invoice) => pages.editInvoice(invoice.id)}
      />
      {count > invoices.length && (
        <p className="note">Se muestran las {invoices.length} capturadas al último.</p>
      )}
    </section>
  );
}

const undatedColumns = (timeZone: string): Column<ResultsData['undated']['invoices'][number]>[] => [
  invoiceNumberColumn(),
  { key: 'suppliername', label: 'Proveedor', wraps: true },
  { key: 'jobtitle', label: 'Obra', wraps: true },
  { key: 'nombrerubro', label: 'Rubro', wraps: 24, render: ({ nombrerubro }) => nombrerubro ?? '' },
  {
    key: 'createdAt',
    label: 'Capturada',
    render: ({ createdAt }) => formatDate(plainDateIn(new Date(createdAt), timeZone)),
  },
  moneyColumn('cost', 'Costo', ({ costCents }) => costCents, { card: 'corner' }),
];
