import type { BalanceReport } from '../server/services/balances/balances.ts';
import { type BalanceColumn, type BalanceRow, GRAND_TOTAL } from '../shared/balances.ts';
import { formatDayMonth } from '../shared/dates.ts';
import { ESTIMATED_MARK } from '../shared/invoices-due.ts';
import { formatMoney } from '../shared/money.ts';
import { describeOverdue } from '../shared/overdue.ts';
import { cut, formatTable } from './command.ts';

interface Figures {
  key: string;
  days: string;
  cell(row: BalanceRow): string;
}

/** Blank where nothing is due, with balancing sums below. @param width shows as many weeks as fit, all without it */
export function formatBalances(report: BalanceReport, width?: number): string {
  const { corte, total } = report;
  const { headings, rows } = width === undefined ? inColumns(report) : inOneColumn(report, width);
  const widest = Math.max(lengthOf(headings[0]!), ...rows.map(({ cells }) => lengthOf(cells[0]!)));
  const { figures, left } = fitting(report, width === undefined ? Infinity : width - widest - GAP);
  const table = formatTable(
    [...headings, ...figures.map(({ key }) => key)],
    rows.map(({ row, cells }) => [...cells, ...figures.map(({ cell }) => cell(row))]),
    new Set(figures.map((_, index) => headings.length + index)),
    [...headings.map(() => ''), ...figures.map(({ days }) => days)],
  );
  const lines = [
    ...(report.anyEstimated ? [`${ESTIMATED_MARK} vencimiento estimado`] : []),
    ...(left
      ? [
          `Lo que vence desde ${left.heading} está junto en DESPUÉS: más ancha la ventana, o con --format csv, cada semana tiene su columna.`,
        ]
      : []),
    `${describeOverdue(report)}.`,
    `${GRAND_TOTAL} ${formatMoney(total.totalCents)} = pendiente de saldo export invoices --status por-pagar --corte ${corte}`,
  ];
  return `Saldos por proveedor al ${corte}\n\n${table}${lines.join('\n')}\n`;
}

const GAP = 2;

const lengthOf = (text: string): number => [...text].length;

const numberOf = ({ numfactura, invoiceId }: BalanceRow): string =>
  numfactura || (invoiceId === null ? '' : `#${invoiceId}`);

/** In a pipe every row repeats its supplier's name. */
const inColumns = ({ rows }: BalanceReport) => ({
  headings: ['Proveedor', 'Obra', 'Factura'],
  rows: rows.map((row) => {
    const supplier = row.isSummary && row.jobtitle ? '' : row.suppliername;
    return { row, cells: [supplier, row.jobtitle, numberOf(row)] };
  }),
});

/** On a screen a supplier's sums come first, its invoices indented below; names are cut where room is short. */
function inOneColumn({ rows }: BalanceReport, width: number): ReturnType<typeof inColumns> {
  const suppliers = [...Map.groupBy(rows, ({ supplierId }) => supplierId).values()];
  const ordered = suppliers.flatMap((own) => [own.at(-1)!, ...own.slice(0, -1)]);
  const most = Math.max(16, Math.floor(width * 0.3));
  const nameOf = (row: BalanceRow) =>
    row.isSummary ? row.suppliername : `  ${numberOf(row)} ${row.jobtitle}`.trimEnd();
  return {
    headings: ['Proveedor y obra'],
    rows: ordered.map((row) => ({ row, cells: [cut(nameOf(row), most)] })),
  };
}

function sumOf(
  columns: readonly BalanceColumn[],
  { key, days }: Pick<Figures, 'key' | 'days'>,
  anyEstimated: boolean,
): Figures {
  const cell = ({ amounts, estimated }: BalanceRow) => {
    const cents = columns.reduce((sum, column) => sum + (amounts[column.key] ?? 0), 0);
    const isEstimated = columns.some((column) => estimated.has(column.key));
    // A blank replaces the mark, so that figures line up.
    return cents === 0 ? '' : formatMoney(cents) + (isEstimated ? ESTIMATED_MARK : anyEstimated ? ' ' : '');
  };
  return { key, days, cell };
}

/** Keeps ANTERIORES, as many of the first weeks as fit, the sum of the others, and the total. */
function fitting({ columns, rows, anyEstimated }: BalanceReport, room: number) {
  const weeks = columns.map((column) => sumOf([column], column, anyEstimated));
  const total = sumOf(columns, { key: 'Total', days: '' }, anyEstimated);
  const widthIn = ({ key, days, cell }: Figures) =>
    GAP + Math.max(lengthOf(key), lengthOf(days), ...rows.map((row) => lengthOf(cell(row))));
  const fits = (figures: readonly Figures[]) =>
    figures.reduce((sum, one) => sum + widthIn(one), 0) <= room + GAP;
  let shown = { figures: [...weeks, total], left: undefined as BalanceColumn | undefined };
  for (let kept = columns.length - 1; kept > 0 && !fits(shown.figures); kept--) {
    const rest = columns.slice(kept);
    const days = `desde el ${formatDayMonth(rest[0]!.from!)}`;
    const together = sumOf(rest, { key: 'DESPUÉS', days }, anyEstimated);
    shown = { figures: [...weeks.slice(0, kept), together, total], left: rest[0] };
  }
  return shown;
}
