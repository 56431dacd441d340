import { shortMonth } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { lastMonths } from '../../../shared/periods.ts';
import { BarChart } from '../../../shared/ui/BarChart.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { ShareBar } from '../../../shared/ui/ShareBar.tsx';
import type { CostCell } from '../../services/cost-rows.ts';
import { netOf, sumOf } from '../../services/costs.ts';
import { resultsAddress } from './results-address.ts';
import { CostFigure, listOf } from './results-figures.tsx';
import type { ResultsView } from './results-view.ts';

const MOST_RUBROS = 10;

/** What each rubro cost, the largest first. */
export function RubroBars({ query, iva, byRubro, names, asked }: ResultsView) {
  const sorted = byRubro.toSorted((a, b) => netOf(b, iva) - netOf(a, iva) || a.rubroId - b.rubroId);
  const shown = sorted.slice(0, MOST_RUBROS);
  const rest = sorted.slice(MOST_RUBROS);
  const most = Math.max(0, ...shown.map((cell) => netOf(cell, iva)));
  const columns: Column<CostCell>[] = [
    {
      key: 'rubro',
      label: 'Rubro',
      clip: true,
      card: 'title',
      render: ({ rubroId }) => names.rubros.get(rubroId) ?? NO_RUBRO_NAME,
    },
    {
      key: 'share',
      label: 'Parte del mayor',
      card: 'line',
      className: 'bars',
      render: (cell) => <ShareBar of={netOf(cell, iva)} most={most} />,
    },
    {
      key: 'spent',
      label: 'Gastado',
      align: 'end',
      card: 'corner',
      render: (cell) => {
        const { rubroId } = cell;
        const elsewhere = resultsAddress({ ...asked, rubroId }, query);
        return <CostFigure query={{ ...query, rubroId }} cost={cell} iva={iva} elsewhere={elsewhere} />;
      },
    },
  ];
  return (
    <section aria-labelledby="by-rubro">
      <h2 id="by-rubro">Por rubro</h2>
      <DataTable caption="Costo por rubro" columns={columns} rows={shown} rowKey={({ rubroId }) => rubroId} />
      {rest.length > 0 && (
        <p className="note">
          <a href={resultsAddress(asked, query, { vista: 'rubros' })}>
            {rest.length === 1 ? 'Otro rubro' : `Otros ${rest.length} rubros`}
          </a>
        </p>
      )}
    </section>
  );
}

/** The last twelve months until the end of the period, under the same filters. */
export function MonthsChart({ query, iva, months, asked }: ResultsView) {
  const costs = Map.groupBy(months, ({ month }) => month);
  return (
    <section aria-labelledby="by-month">
      <h2 id="by-month">Por mes, los últimos doce</h2>
      <BarChart
        caption="Costo por mes, los últimos doce"
        heading="Mes"
        series={['Gastado']}
        bars={lastMonths(query.to, 12).map(({ from, to: end }) => {
          const to = end > query.to ? query.to : end;
          const cost = sumOf(costs.get(from.slice(0, 7)) ?? []);
          const cents = netOf(cost, iva);
          const href = listOf({ ...query, from, to }, cost, iva) ?? resultsAddress(asked, { from, to });
          return {
            label: shortMonth(from),
            short: shortMonth(from).slice(0, 1).toUpperCase(),
            note: from.slice(0, 4),
            amounts: [{ cents, href: cents === 0 ? undefined : href }],
          };
        })}
      />
    </section>
  );
}
