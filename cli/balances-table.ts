import type { BalanceReport } from '../server/services/balances/balances.ts';
import { type BalanceColumn, type BalanceRow, GRAND_TOTAL_LABEL } from '../shared/balances.ts';
import { formatShortDayMonth } from '../shared/dates.ts';
import { ESTIMATED_MARK } from '../shared/invoices-due.ts';
import { formatMoney } from '../shared/money.ts';
import { describeOverdue } from '../shared/overdue.ts';
import { formatTable, truncate } from './command.ts';

interface FigureColumn {
  key: string;
  days: string;
  cell(row: BalanceRow): string;
}

/** @param width the terminal's width: only as many weeks are shown as fit; without it, all weeks are shown */
export function formatBalances(report: BalanceReport, width?: number): string {
  const { corte, total } = report;
  const { headings, rows } =
    width === undefined ? layOutThreeNameColumns(report) : layOutSingleNameColumn(report, width);
  const widest = Math.max(
    countCharacters(headings[0]!),
    ...rows.map(({ cells }) => countCharacters(cells[0]!)),
  );
  const { figures, firstHidden } = selectFittingWeeks(
    report,
    width === undefined ? Infinity : width - widest - COLUMN_GAP,
  );
  const table = formatTable(
    [...headings, ...figures.map(({ key }) => key)],
    rows.map(({ row, cells }) => [...cells, ...figures.map(({ cell }) => cell(row))]),
    new Set(figures.map((_, index) => headings.length + index)),
    [...headings.map(() => ''), ...figures.map(({ days }) => days)],
  );
  const lines = [
    ...(report.estimatedDays.length > 0 ? [`${ESTIMATED_MARK} vencimiento estimado`] : []),
    ...(firstHidden
      ? [
          `Lo que vence desde ${firstHidden.heading} está junto en DESPUÉS: más ancha la ventana, o con --format csv, cada semana tiene su columna.`,
        ]
      : []),
    `${describeOverdue(report)}.`,
    `${GRAND_TOTAL_LABEL} ${formatMoney(total.totalCents)} = pendiente de saldo export invoices --status por-pagar --corte ${corte}`,
  ];
  return `Saldos por proveedor al ${corte}\n\n${table}${lines.join('\n')}\n`;
}

const COLUMN_GAP = 2;

const countCharacters = (text: string): number => [...text].length;

const invoiceLabel = ({ numfactura, invoiceId }: BalanceRow): string =>
  numfactura || (invoiceId === null ? '' : `#${invoiceId}`);

const layOutThreeNameColumns = ({ rows }: BalanceReport) => ({
  headings: ['Proveedor', 'Obra', 'Factura'],
  rows: rows.map((row) => {
    const supplier = row.isSummary && row.jobtitle ? '' : row.suppliername;
    return { row, cells: [supplier, row.jobtitle, invoiceLabel(row)] };
  }),
});

/** On a screen, a supplier's sums come first, with its invoices indented below. Names are cut where space is short. */
function layOutSingleNameColumn(
  { rows }: BalanceReport,
  width: number,
): ReturnType<typeof layOutThreeNameColumns> {
  const suppliers = [...Map.groupBy(rows, ({ supplierId }) => supplierId).values()];
  const ordered = suppliers.flatMap((supplierRows) => [supplierRows.at(-1)!, ...supplierRows.slice(0, -1)]);
  const maxWidth = Math.max(16, Math.floor(width * 0.3));
  const rowLabel = (row: BalanceRow) =>
    row.isSummary ? row.suppliername : `  ${invoiceLabel(row)} ${row.jobtitle}`.trimEnd();
  return {
    headings: ['Proveedor y obra'],
    rows: ordered.map((row) => ({ row, cells: [truncate(rowLabel(row), maxWidth)] })),
  };
}

function createFigureColumn(
  columns: readonly BalanceColumn[],
  { key, days }: Pick<FigureColumn, 'key' | 'days'>,
  anyEstimated: boolean,
): FigureColumn {
  const formatRowTotal = ({ amounts, estimatedColumns }: BalanceRow) => {
    const cents = columns.reduce((sum, column) => sum + (amounts[column.key] ?? 0), 0);
    const isEstimated = columns.some((column) => estimatedColumns.has(column.key));
    return cents === 0 ? '' : formatMoney(cents) + (isEstimated ? ESTIMATED_MARK : anyEstimated ? ' ' : '');
  };
  return { key, days, cell: formatRowTotal };
}

/** Keeps the columns that fit: ANTERIORES, the first weeks, the sum of the later weeks, and the total. */
function selectFittingWeeks({ columns, rows, estimatedDays }: BalanceReport, room: number) {
  const anyEstimated = estimatedDays.length > 0;
  const weeks = columns.map((column) => createFigureColumn([column], column, anyEstimated));
  const total = createFigureColumn(columns, { key: 'Total', days: '' }, anyEstimated);
  const columnWidth = ({ key, days, cell }: FigureColumn) =>
    COLUMN_GAP +
    Math.max(countCharacters(key), countCharacters(days), ...rows.map((row) => countCharacters(cell(row))));
  const fitsWidth = (figures: readonly FigureColumn[]) =>
    figures.reduce((sum, one) => sum + columnWidth(one), 0) <= room + COLUMN_GAP;
  let shown = { figures: [...weeks, total], firstHidden: undefined as BalanceColumn | undefined };
  for (let count = columns.length - 1; count > 0 && !fitsWidth(shown.figures); count--) {
    const rest = columns.slice(count);
    const days = `desde el ${formatShortDayMonth(rest[0]!.from!)}`;
    const later = createFigureColumn(rest, { key: 'DESPUÉS', days }, anyEstimated);
    shown = { figures: [...weeks.slice(0, count), later, total], firstHidden: rest[0] };
  }
  return shown;
}
