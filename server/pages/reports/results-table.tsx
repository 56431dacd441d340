import { addDays, formatDate, type PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Period } from '../../../shared/periods.ts';
import { LinkButton } from '../../../shared/ui/Button.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { EmptyState } from '../../../shared/ui/EmptyState.tsx';
import { pages, withQuery } from '../../../shared/urls.ts';
import type { ResultsQuery, UndatedInvoice } from '../../services/results.ts';
import type { Cost, Results, ResultsRow } from '../../services/results-layout.ts';
import { CostFigure, PeriodTotals, PlainFigure } from './results-figures.tsx';
import { UndatedInvoices } from './results-undated.tsx';

export interface ResultsView {
  query: ResultsQuery;
  /** whether all obras show, however many there are */
  isWhole: boolean;
  results: Results;
  undated: readonly UndatedInvoice[];
  /** the days of issue that there are */
  all?: Period;
  today: PlainDate;
  timeZone: string;
}

export function ResultsTables(view: ResultsView) {
  const { query, results } = view;
  return (
    <div className="stack">
      <div>
        <Periods {...view} />
        <p className="note">
          Costo de las facturas emitidas del {formatDate(query.from)} al {formatDate(query.to)}: subtotal y
          otros impuestos, sin IVA
          {results.creditTotalCents > 0 && ', menos las notas de crédito de esos días, también sin IVA'}. Cada
          cifra lleva a sus facturas; la caja chica no entra.
        </p>
      </div>
      {results.rows.length === 0 ? <NoCosts {...view} /> : <Matrix {...view} />}
      {results.undated.count > 0 && <UndatedInvoices {...view} />}
    </div>
  );
}

/** The periods that an office asks for, under the filters chosen. */
function Periods({ query, today, all }: ResultsView) {
  const year = Number(today.slice(0, 4));
  const month = `${today.slice(0, 8)}01`;
  const monthBefore = addDays(month, -1);
  const periods: (Period & { label: string })[] = [
    { label: 'Este mes', from: month, to: today },
    { label: 'Mes pasado', from: `${monthBefore.slice(0, 8)}01`, to: monthBefore },
    { label: 'Este año', from: `${year}-01-01`, to: today },
    { label: 'Año pasado', from: `${year - 1}-01-01`, to: `${year - 1}-12-31` },
    ...(all ? [{ label: 'Todo', from: all.from, to: all.to > today ? all.to : today }] : []),
  ];
  return (
    <nav className="periods" aria-label="Periodos">
      {periods.map(({ label, from, to }) => (
        <a
          key={label}
          href={addressOf({ ...query, from, to }, {})}
          aria-current={from === query.from && to === query.to ? 'true' : undefined}
        >
          {label}
        </a>
      ))}
    </nav>
  );
}

function Matrix({ query, results, isWhole }: ResultsView) {
  const { rubros, byRubro } = results;
  const others = results.others && {
    ...results.others,
    jobId: OTHERS,
    jobtitle:
      results.others.jobs === 1 ? 'Otra obra' : `Otras ${results.others.jobs.toLocaleString('es-MX')} obras`,
  };
  const rows = others ? [...results.rows, others] : results.rows;
  const figure = (cents: Cents, credit: Cents, place: Place = {}) =>
    place.jobId === OTHERS ? (
      <PlainFigure cents={cents} credit={credit} />
    ) : (
      <CostFigure query={query} place={place} cents={cents} credit={credit} />
    );
  const costOf = ({ costCents, creditCents }: Cost = NO_COST, place?: Place) =>
    figure(costCents, creditCents, place);
  const totalOf = ({ totalCents, creditTotalCents }: Totaled, place?: Place) =>
    figure(totalCents, creditTotalCents, place);
  const columns: Column<ResultsRow>[] = [
    {
      key: 'job',
      label: 'Obra',
      className: 'c1',
      render: ({ jobId, jobtitle }) =>
        jobId === OTHERS ? (
          <a href={addressOf(query, { todo: '1' })}>{jobtitle}</a>
        ) : (
          <span title={jobtitle}>{jobtitle}</span>
        ),
    },
    {
      key: 'cost',
      label: 'Costo',
      note: 'sin IVA',
      align: 'end',
      className: 'cost',
      render: (row) => costOf(row, { jobId: row.jobId }),
    },
    {
      key: 'total',
      label: 'Total',
      note: 'con IVA',
      align: 'end',
      render: (row) => totalOf(row, { jobId: row.jobId }),
    },
    ...rubros.map(
      ({ id, name }): Column<ResultsRow> => ({
        key: String(id),
        label: name,
        align: 'end',
        render: (row) => costOf(row.byRubro[id], { jobId: row.jobId, rubroId: id }),
      }),
    ),
  ];
  const rubroTotals = rubros.map(({ id }) => [id, costOf(byRubro[id], { rubroId: id })]);
  return (
    <div>
      <PeriodTotals query={query} results={results} />
      {others && (
        <p className="note">
          Se muestran las {results.rows.length} obras de mayor costo; las demás están juntas en «
          {others.jobtitle}
          ».
        </p>
      )}
      {isWhole && (
        <p className="note">
          <a href={addressOf(query, {})}>Mostrar solo las de mayor costo</a>
        </p>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard */}
      <section className="report-frame goes-on" tabIndex={0} aria-label="Costo por obra y rubro">
        <DataTable
          className="report results"
          caption={`Costo por obra y rubro, del ${formatDate(query.from)} al ${formatDate(query.to)}`}
          columns={columns}
          rows={rows}
          rowKey={(row) => row.jobId}
          rowClass={(row) => (row === others ? 'summary' : undefined)}
          footer={{
            ...Object.fromEntries(rubroTotals),
            job: 'Total',
            cost: costOf(results),
            total: totalOf(results),
          }}
        />
      </section>
    </div>
  );
}

type Place = Pick<ResultsQuery, 'jobId' | 'rubroId'>;
type Totaled = Pick<Results, 'totalCents' | 'creditTotalCents'>;

const NO_COST: Cost = { costCents: 0, creditCents: 0 };

/** In the place of a row's obra: it stands for several. */
const OTHERS = 0;

const addressOf = ({ from, to, jobId, rubroId }: ResultsQuery, more: Readonly<Record<string, string>>) =>
  withQuery(pages.results, { desde: from, hasta: to, jobId, rubroId, ...more });

function NoCosts({ query, results, today }: ResultsView) {
  const year = Number(today.slice(0, 4)) - 1;
  const isFiltered = Boolean(query.jobId) || typeof query.rubroId === 'number';
  const { from, to } = query;
  return (
    <EmptyState
      title="Sin costos en este periodo"
      action={
        isFiltered ? (
          <LinkButton href={withQuery(pages.results, { desde: from, hasta: to })}>Quitar filtros</LinkButton>
        ) : (
          <LinkButton href={withQuery(pages.results, { desde: `${year}-01-01`, hasta: `${year}-12-31` })}>
            Ver el año pasado
          </LinkButton>
        )
      }
    >
      {results.undated.count > 0
        ? 'Ninguna factura tiene su fecha de emisión en estos días; abajo están las que no tienen fecha.'
        : 'Aquí se ve cuánto cuesta cada obra y en qué rubros, según las facturas emitidas en el periodo.'}
    </EmptyState>
  );
}
