import { shortMonth } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { lastMonths, monthsOf } from '../../../shared/periods.ts';
import { BarChart } from '../../../shared/ui/BarChart.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import type { Cost, CostCell, CostQuery } from '../../services/cost-rows.ts';
import { netOf, sumOf } from '../../services/costs.ts';
import { resultsAddress } from './addresses.ts';
import { CostFigure, listOf, rankedColumn } from './results-figures.tsx';
import type { ResultsView } from './results-reading.ts';

const MOST_RUBROS = 10;

export function RubroBars({ query, iva, byRubro, names, asked }: ResultsView) {
  const sorted = byRubro.toSorted((a, b) => netOf(b, iva) - netOf(a, iva) || a.rubroId - b.rubroId);
  const shown = sorted.slice(0, MOST_RUBROS);
  const rest = sorted.slice(MOST_RUBROS);
  const columns: Column<CostCell>[] = [
    rankedColumn(shown, {
      label: 'Rubro',
      nameOf: ({ rubroId }) => names.rubros.get(rubroId) ?? NO_RUBRO_NAME,
      centsOf: (cell) => netOf(cell, iva),
    }),
    {
      key: 'spent',
      label: 'Gastado',
      align: 'end',
      card: 'corner',
      render(cell) {
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
      <h2 id="by-month">Últimos 12 meses</h2>
      <BarChart
        caption="Costo de los últimos 12 meses"
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

/** Of a longer period the last months stand beside one another, and what was before them in one column. */
const MOST_MONTHS = 12;
const SHADES = 5;

/** Rubro by month in whole pesos, the darker the more it is; to the cent under the pointer and behind the link. */
export function HeatTable({ asked, query, iva, names, byMonth }: ResultsView) {
  const months = monthsOf(query);
  const shown = months.slice(-MOST_MONTHS);
  const before = months.at(-MOST_MONTHS - 1);
  const places = [
    ...(before ? [{ key: '', label: 'Antes', period: { from: query.from, to: before.to } }] : []),
    ...shown.map((period) => ({
      key: period.from.slice(0, 7),
      label: shortMonth(period.from),
      period,
    })),
  ];
  const placeOf = ({ month }: CostCell) => (month < shown[0]!.from.slice(0, 7) ? '' : month);
  const rows = [...Map.groupBy(byMonth, ({ rubroId }) => rubroId)]
    .map(([rubroId, cells]) => {
      const costs = [...Map.groupBy(cells, placeOf)].map(([key, own]) => [key, sumOf(own)] as const);
      const total = sumOf(cells);
      const name = names.rubros.get(rubroId) ?? NO_RUBRO_NAME;
      return { rubroId, name, costs: new Map(costs), total, cents: netOf(total, iva) };
    })
    .sort((a, b) => b.cents - a.cents || a.rubroId - b.rubroId);
  const most = Math.max(
    0,
    ...rows.flatMap(({ costs }) => [...costs.values()].map((cost) => netOf(cost, iva))),
  );
  /** @param isShaded not the sums, which are larger than all that they are made of */
  const figureOf = (cost: Cost | undefined, of: Partial<CostQuery>, isShaded = false) => {
    const cents = cost ? netOf(cost, iva) : 0;
    if (!cost || cents === 0) return null;
    const narrowed = { ...query, ...of };
    const href = listOf(narrowed, cost, iva) ?? resultsAddress({ ...asked, ...of }, narrowed);
    const shade = isShaded && cents > 0 ? Math.max(1, Math.ceil((cents / most) * SHADES)) : 0;
    return (
      <a href={href} className={`money h${shade}`} title={formatMoney(cents)}>
        {Math.round(cents / 100).toLocaleString('es-MX')}
      </a>
    );
  };
  const columns: Column<(typeof rows)[number]>[] = [
    { key: 'rubro', label: 'Rubro', className: 'c1', render: ({ name }) => <span title={name}>{name}</span> },
    ...places.map(({ key, label, period }): (typeof columns)[number] => ({
      key: key || 'before',
      label,
      note: key ? key.slice(0, 4) : undefined,
      align: 'end',
      render: ({ rubroId, costs }) => figureOf(costs.get(key), { ...period, rubroId }, key !== ''),
    })),
    {
      key: 'total',
      label: 'Total',
      align: 'end',
      className: 'sum',
      render: ({ rubroId, total }) => figureOf(total, { rubroId }),
    },
  ];
  const totals = places.map(({ key, period }) => {
    const own = byMonth.filter((cell) => placeOf(cell) === key);
    return [key || 'before', figureOf(sumOf(own), period)] as const;
  });
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section className="report-frame goes-on" tabIndex={0} aria-label="Costo por rubro y mes">
      <DataTable
        className="report heat"
        caption="Costo por rubro y mes, en pesos"
        columns={columns}
        rows={rows}
        rowKey={({ rubroId }) => rubroId}
        footer={{ rubro: 'Total', total: figureOf(sumOf(byMonth), {}), ...Object.fromEntries(totals) }}
      />
    </section>
  );
}
