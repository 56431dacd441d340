import { type BalanceColumn, type BalanceReport, type BalanceRow, GRAND_TOTAL } from '../shared/balances.ts';
import { formatDayMonth } from '../shared/dates.ts';
import { ESTIMATED_MARK } from '../shared/invoices-due.ts';
import { formatMoney } from '../shared/money.ts';
import { describeSum, overdueOf } from '../shared/overdue.ts';
import { cut, formatTable } from './command.ts';

interface Figures {
  key: string;
  days: string;
  cell(row: BalanceRow): string;
}

/**
 * Blank where nothing is due, with the sums that tie it out below. @param width as many weeks as fit are shown, or all
 * without it
 */
export function formatBalances(report: BalanceReport, width?: number): string {
  const { corte, total } = report;
  const names = width === undefined ? inColumns(report) : inOneColumn(report, width);
  const figures = figuresOf(report);
  const room = width === undefined ? Infinity : width - widthOf(names.widest);
  const shown = fitting(figures, report, room);
  const table = formatTable(
    [...names.headings, ...shown.figures.map(({ key }) => key)],
    names.rows.map(({ row, cells }) => [...cells, ...shown.figures.map(({ cell }) => cell(row))]),
    new Set(shown.figures.map((_, index) => names.headings.length + index)),
    [...names.headings.map(() => ''), ...shown.figures.map(({ days }) => days)],
  );
  const lines = [
    ...(report.anyEstimated ? [`${ESTIMATED_MARK} vencimiento estimado`] : []),
    ...(shown.left ? [sayLeft(shown.left)] : []),
    `${describeSum(overdueOf(report))}.`,
    `${GRAND_TOTAL} ${formatMoney(total.totalCents)} = pendiente de saldo export invoices --status por-pagar --corte ${corte}`,
  ];
  return `Saldos por proveedor al ${corte}\n\n${table}${lines.join('\n')}\n`;
}

const GAP = 2;

const widthOf = (widths: readonly number[]): number => widths.reduce((sum, width) => sum + width + GAP, 0);

const lengthOf = (text: string): number => [...text].length;

interface Names {
  headings: readonly string[];
  rows: readonly { row: BalanceRow; cells: readonly string[] }[];
  widest: readonly number[];
}

const numberOf = ({ numfactura, invoiceId }: BalanceRow): string =>
  numfactura || (invoiceId === null ? '' : `#${invoiceId}`);

/** In a pipe every row carries its supplier's name. */
function inColumns({ rows }: BalanceReport): Names {
  const cells = (row: BalanceRow) => [
    row.isSummary && row.jobtitle ? '' : row.suppliername,
    row.jobtitle,
    numberOf(row),
  ];
  return {
    headings: ['Proveedor', 'Obra', 'Factura'],
    rows: rows.map((row) => ({ row, cells: cells(row) })),
    widest: [],
  };
}

/**
 * On a screen a supplier's sums come first, its invoices are set in under them, and names are cut where there is little
 * room.
 */
function inOneColumn({ rows }: BalanceReport, width: number): Names {
  const ordered: BalanceRow[] = [];
  let invoices: BalanceRow[] = [];
  for (const row of rows) {
    if (!row.isSummary) invoices.push(row);
    else {
      ordered.push(row, ...invoices);
      invoices = [];
    }
  }
  const nameOf = (row: BalanceRow) =>
    row.isSummary ? row.suppliername : `  ${numberOf(row)} ${row.jobtitle}`.replace(/\s+$/, '');
  const most = Math.max(16, Math.floor(width * 0.3));
  const names = ordered.map(nameOf).map((name) => cut(name, most));
  const heading = 'Proveedor y obra';
  return {
    headings: [heading],
    rows: ordered.map((row, index) => ({ row, cells: [names[index]!] })),
    widest: [Math.max(lengthOf(heading), ...names.map(lengthOf))],
  };
}

const figuresOf = ({ columns, anyEstimated }: BalanceReport): Figures[] => [
  ...columns.map((column) => sumOf([column], column, anyEstimated)),
  sumOf(columns, { key: 'Total', days: '' }, anyEstimated),
];

function sumOf(
  columns: readonly BalanceColumn[],
  { key, days }: Pick<Figures, 'key' | 'days'>,
  anyEstimated: boolean,
): Figures {
  const cell = ({ amounts, estimated }: BalanceRow) => {
    const cents = columns.reduce((sum, column) => sum + (amounts[column.key] ?? 0), 0);
    const isEstimated = columns.some((column) => estimated.has(column.key));
    // A blank stands in the mark's place, so that figures line up.
    return cents === 0 ? '' : formatMoney(cents) + (isEstimated ? ESTIMATED_MARK : anyEstimated ? ' ' : '');
  };
  return { key, days, cell };
}

/** Keeps ANTERIORES, as many of the first weeks as fit, the rest together, and the total. */
function fitting(
  all: readonly Figures[],
  { columns, rows, anyEstimated }: BalanceReport,
  room: number,
): { figures: readonly Figures[]; left?: BalanceColumn } {
  const widthIn = ({ key, days, cell }: Figures) =>
    GAP + Math.max(lengthOf(key), lengthOf(days), ...rows.map((row) => lengthOf(cell(row))));
  const fits = (figures: readonly Figures[]) =>
    figures.reduce((sum, one) => sum + widthIn(one), 0) <= room + GAP;
  if (fits(all)) return { figures: all };
  for (let weeks = columns.length - 1; ; weeks--) {
    const rest = columns.slice(weeks);
    const days = `desde el ${formatDayMonth(rest[0]!.from!)}`;
    const together = sumOf(rest, { key: 'DESPUÉS', days }, anyEstimated);
    const figures = [...all.slice(0, weeks), together, all.at(-1)!];
    if (weeks === 1 || fits(figures)) return { figures, left: rest[0] };
  }
}

const sayLeft = ({ heading }: BalanceColumn): string =>
  `Lo que vence desde ${heading} está junto en DESPUÉS: más ancha la ventana, o con --format csv, cada semana tiene su columna.`;
