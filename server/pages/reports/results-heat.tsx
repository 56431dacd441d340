import { shortMonth } from '../../../shared/dates.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import { monthsOf } from '../../../shared/periods.ts';
import { type Column, DataTable } from '../../../shared/ui/DataTable.tsx';
import type { Cost, CostCell } from '../../services/cost-rows.ts';
import { type CostQuery, netOf, sumOf } from '../../services/costs.ts';
import { resultsAddress } from './results-address.ts';
import { listOf } from './results-figures.tsx';
import type { ResultsView } from './results-view.ts';

/** Months beside one another; of a longer period the last ones, what was before them in one column. */
const MOST_MONTHS = 12;

interface Row {
  rubroId: number;
  name: string;
  /** by month, what was before the first one under '' */
  cells: ReadonlyMap<string, CostCell>;
}

/** Rubro by month in whole pesos, the darker the more it is; to the cent under the pointer and behind the link. */
export function HeatTable(view: ResultsView) {
  const { asked, query, iva, names, byMonth } = view;
  const months = monthsOf(query);
  const shown = months.slice(-MOST_MONTHS);
  const isCut = months.length > shown.length;
  const keyOf = ({ month }: CostCell) => (month < shown[0]!.from.slice(0, 7) ? '' : month);
  const byRubro = Map.groupBy(byMonth, ({ rubroId }) => rubroId);
  const rows = [...byRubro]
    .map(([rubroId, cells]): Row & { cents: Cents } => ({
      rubroId,
      name: names.rubros.get(rubroId) ?? NO_RUBRO_NAME,
      cells: addedUp(cells, keyOf),
      cents: netOf(sumOf(cells), iva),
    }))
    .sort((a, b) => b.cents - a.cents || a.rubroId - b.rubroId);
  const most = Math.max(
    0,
    ...rows.flatMap(({ cells }) => [...cells.values()].map((cell) => netOf(cell, iva))),
  );
  const places = shown.map((period) => ({
    key: period.from.slice(0, 7),
    label: shortMonth(period.from),
    period,
  }));
  if (isCut) {
    const until = months.at(-MOST_MONTHS - 1)!.to;
    places.unshift({ key: '', label: 'Antes', period: { from: query.from, to: until } });
  }
  const figureOf = (cost: Cost | undefined, of: Partial<CostQuery>, share = 0) => {
    const cents = cost ? netOf(cost, iva) : 0;
    if (!cost || cents === 0) return null;
    const href =
      listOf({ ...query, ...of }, cost, iva) ?? resultsAddress({ ...asked, ...of }, { ...query, ...of });
    return <Heat cents={cents} href={href} share={share && cents / share} />;
  };
  const columns: Column<Row>[] = [
    { key: 'rubro', label: 'Rubro', className: 'c1', render: ({ name }) => <span title={name}>{name}</span> },
    ...places.map(
      ({ key, label, period }): Column<Row> => ({
        key: key || 'before',
        label,
        note: key ? key.slice(0, 4) : undefined,
        align: 'end',
        render: ({ rubroId, cells }) => figureOf(cells.get(key), { ...period, rubroId }, key ? most : 0),
      }),
    ),
    {
      key: 'total',
      label: 'Total',
      align: 'end',
      className: 'sum',
      render: ({ rubroId, cells }) => figureOf(sumOf([...cells.values()]), { rubroId }),
    },
  ];
  const totals = {
    rubro: 'Total',
    total: figureOf(sumOf(byMonth), {}),
    ...Object.fromEntries(
      places.map(({ key, period }) => [
        key || 'before',
        figureOf(sumOf(byMonth.filter((cell) => keyOf(cell) === key)), period),
      ]),
    ),
  };
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reached by keyboard
    <section className="report-frame goes-on" tabIndex={0} aria-label="Costo por rubro y mes">
      <DataTable
        className="report heat"
        caption="Costo por rubro y mes, en pesos"
        columns={columns}
        rows={rows}
        rowKey={({ rubroId }) => rubroId}
        footer={totals}
      />
    </section>
  );
}

function addedUp(cells: readonly CostCell[], keyOf: (cell: CostCell) => string): Map<string, CostCell> {
  const groups = Map.groupBy(cells, keyOf);
  return new Map([...groups].map(([key, own]) => [key, { ...own[0]!, ...sumOf(own) }]));
}

const STEPS = 5;

function Heat({ cents, href, share }: { cents: Cents; href: string; share: number }) {
  const step = share > 0 ? Math.max(1, Math.ceil(share * STEPS)) : 0;
  const pesos = Math.round(cents / 100).toLocaleString('es-MX');
  return (
    <a href={href} className={`h${step}`} title={formatMoney(cents)}>
      {pesos}
    </a>
  );
}
