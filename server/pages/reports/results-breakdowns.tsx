import type { CSSProperties } from 'react';
import { formatCount } from '../../../shared/counts.ts';
import { shortMonthName } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { formatMoney } from '../../../shared/money.ts';
import { listLastMonths, type Period, splitIntoMonths } from '../../../shared/periods.ts';
import { BarChart } from '../../../shared/ui/BarChart.tsx';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import { type Cost, type CostCell, computeCostAfterCredits, sumCosts } from '../../services/costs.ts';
import { renderFooterCells } from '../ui/columns.tsx';
import { resultsHref } from './addresses.ts';
import { CostFigure, findCostListHref, nameAndBarColumn } from './results-figures.tsx';
import type { ResultsData } from './results-reading.ts';

const MAX_RUBROS = 10;

export function RubroBars({ query, iva, byRubro, names, requested }: ResultsData) {
  const sorted = byRubro.toSorted(
    (a, b) => computeCostAfterCredits(b, iva) - computeCostAfterCredits(a, iva) || a.rubroId - b.rubroId,
  );
  const shown = sorted.slice(0, MAX_RUBROS);
  const rest = sorted.slice(MAX_RUBROS);
  const columns: Column<CostCell>[] = [
    nameAndBarColumn(shown, {
      label: 'Rubro',
      nameOf: ({ rubroId }) => names.rubros.get(rubroId) ?? NO_RUBRO_NAME,
      centsOf: (cell) => computeCostAfterCredits(cell, iva),
    }),
    {
      key: 'spent',
      label: 'Gastado',
      align: 'end',
      card: 'corner',
      render(cell) {
        const { rubroId } = cell;
        const elsewhere = resultsHref({ ...requested, rubroId }, query);
        return <CostFigure query={{ ...query, rubroId }} cost={cell} iva={iva} breakdownHref={elsewhere} />;
      },
    },
  ];
  return (
    <section aria-labelledby="by-rubro">
      <h2 id="by-rubro">Por rubro</h2>
      <DataTable caption="Costo por rubro" columns={columns} rows={shown} rowKey={({ rubroId }) => rubroId} />
      {rest.length > 0 && (
        <p className="note">
          <a href={resultsHref(requested, query, { vista: 'rubros' })}>
            {rest.length === 1 ? 'Otro rubro' : `Otros ${rest.length} rubros`}
          </a>
        </p>
      )}
    </section>
  );
}

export function MonthsChart({ query, iva, months, requested }: ResultsData) {
  const costs = Map.groupBy(months, ({ month }) => month);
  return (
    <section aria-labelledby="by-month">
      <h2 id="by-month">Últimos 12 meses, {iva} IVA</h2>
      <BarChart
        caption="Costo de los últimos 12 meses"
        heading="Mes"
        series={['Gastado']}
        bars={listLastMonths(query.to, 12).map(({ from, to: end }) => {
          const to = end > query.to ? query.to : end;
          const cost = sumCosts(costs.get(from.slice(0, 7)) ?? []);
          const cents = computeCostAfterCredits(cost, iva);
          const href =
            findCostListHref({ ...query, from, to }, cost, iva) ?? resultsHref(requested, { from, to });
          return {
            label: shortMonthName(from),
            note: from.slice(0, 4),
            amounts: [{ cents, href: cents === 0 ? undefined : href }],
          };
        })}
      />
    </section>
  );
}

/** Number of months shown; for a longer period, one column sums the earlier months. */
const MAX_MONTHS = 12;
const EARLIER_COLUMN_KEY = 'before';
/** The larger the amount, the higher the percentage of the accent colour. */
const SHADE_PERCENTS = [5, 11, 17, 23, 30];

interface HeatTableRow {
  name: string;
  rubroId?: number;
  /** the costs of each column, by its key */
  costs: ReadonlyMap<string, Cost>;
  total: Cost;
}

/** Cost by rubro and month in whole pesos, larger amounts darker; the tooltip and the linked list have the cents. */
export function RubroMonthHeatTable({ requested, query, iva, names, byMonth }: ResultsData) {
  const months = splitIntoMonths(query);
  const before = months.at(-MAX_MONTHS - 1);
  const places = months.slice(-MAX_MONTHS).map((period) => ({
    key: period.from.slice(0, 7),
    label: shortMonthName(period.from),
    note: period.from.slice(0, 4) as string | undefined,
    period,
  }));
  const first = places[0]!.key;
  const columnKey = ({ month }: CostCell) => (month < first ? EARLIER_COLUMN_KEY : month);
  if (before)
    places.unshift({
      key: EARLIER_COLUMN_KEY,
      label: 'Antes',
      note: undefined,
      period: { from: query.from, to: before.to },
    });
  const createHeatRow = (name: string, cells: readonly CostCell[], rubroId?: number): HeatTableRow => ({
    name,
    rubroId,
    costs: new Map([...Map.groupBy(cells, columnKey)].map(([key, ofPlace]) => [key, sumCosts(ofPlace)])),
    total: sumCosts(cells),
  });
  const rows = [...Map.groupBy(byMonth, ({ rubroId }) => rubroId)]
    .map(([id, cells]) => createHeatRow(names.rubros.get(id) ?? NO_RUBRO_NAME, cells, id))
    .sort(
      (a, b) =>
        computeCostAfterCredits(b.total, iva) - computeCostAfterCredits(a.total, iva) ||
        a.rubroId! - b.rubroId!,
    );
  const largest = Math.max(
    0,
    ...rows.flatMap(({ costs }) => [...costs.values()].map((one) => computeCostAfterCredits(one, iva))),
  );
  const renderCost = (
    { rubroId }: HeatTableRow,
    cost: Cost | undefined,
    period: Period,
    isShaded: boolean,
  ) => {
    const cents = cost ? computeCostAfterCredits(cost, iva) : 0;
    if (!cost || cents === 0) return null;
    const of = { ...period, ...(rubroId !== undefined && { rubroId }) };
    const narrowed = { ...query, ...of };
    const href = findCostListHref(narrowed, cost, iva) ?? resultsHref({ ...requested, ...of }, narrowed);
    // Sums have no shade: they are larger than any single cell.
    const step = Math.max(1, Math.ceil((cents / largest) * SHADE_PERCENTS.length)) - 1;
    const shade =
      isShaded && cents > 0 ? ({ '--heat': `${SHADE_PERCENTS[step]}%` } as CSSProperties) : undefined;
    return (
      <a href={href} className="money" style={shade} title={formatMoney(cents)}>
        {formatCount(Math.round(cents / 100))}
      </a>
    );
  };
  const columns: Column<HeatTableRow>[] = [
    { key: 'rubro', label: 'Rubro', className: 'c1', render: ({ name }) => <span title={name}>{name}</span> },
    ...places.map(
      ({ period, ...place }): Column<HeatTableRow> => ({
        ...place,
        align: 'end',
        render: (row) =>
          renderCost(
            row,
            row.costs.get(place.key),
            period,
            row.rubroId !== undefined && place.key !== EARLIER_COLUMN_KEY,
          ),
      }),
    ),
    {
      key: 'total',
      label: 'Total',
      align: 'end',
      className: 'sum',
      render: (row) => renderCost(row, row.total, query, false),
    },
  ];
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
    <section className="report-frame" tabIndex={0} aria-label="Costo por rubro y mes">
      <DataTable
        className="report heat"
        caption="Costo por rubro y mes, en pesos"
        columns={columns}
        rows={rows}
        rowKey={({ rubroId }) => rubroId!}
        footer={renderFooterCells(columns, createHeatRow('Total', byMonth))}
      />
    </section>
  );
}
