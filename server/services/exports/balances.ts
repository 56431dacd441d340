import {
  type BalanceRow,
  getColumnOfDay,
  LATER_DATED_TITLE,
  type LaterDatedSums,
  listLaterDatedSums,
  toBalanceRecords,
} from '../../../shared/balances.ts';
import { formatDate, formatLongDate } from '../../../shared/dates.ts';
import { ESTIMATED_NOTE } from '../../../shared/invoices-due.ts';
import { formatMoney } from '../../../shared/money.ts';
import { describeOverdue } from '../../../shared/overdue.ts';
import {
  type AppliedFilter,
  createSheetColumns,
  dayCell,
  type ListExport,
  moneyCell,
  type Sheet,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import type { BalanceReport } from '../balances/balances.ts';
import { splitIntoChunks } from '../stored-rows.ts';

export function balancesExport(
  report: BalanceReport,
  appliedFilters: readonly AppliedFilter[],
): ListExport<BalanceRow> {
  const { corte, firstWeek, columns, total, estimatedDays, later } = report;
  return {
    file: `Saldos por proveedor ${corte}`,
    title: 'Saldos por proveedor',
    filters: [
      { label: 'Corte', value: formatDate(corte) },
      { label: 'Primera semana', value: `SEM ${firstWeek.week} ${firstWeek.year}` },
      ...appliedFilters,
    ],
    noun: ['factura', 'facturas'],
    sheet: balancesSheet(report),
    count: async () => report.rows.length,
    toRecords: (rows) => toBalanceRecords(rows, columns),
    notes: [
      ...(estimatedDays.length > 0 ? [ESTIMATED_NOTE] : []),
      `${describeOverdue(report)}.`,
      `Total general ${formatMoney(total.totalCents)} = pendiente de la lista de facturas al ${formatLongDate(corte)}.`,
      ...describeDatedLater(later),
    ],
  };
}

export function describeDatedLater(laterDated: LaterDatedSums): string[] {
  const named = listLaterDatedSums(laterDated).map(
    ({ description, sumCents }) => `${description} ${formatMoney(sumCents)}`,
  );
  return named.length === 0 ? [] : [`${LATER_DATED_TITLE} ${named.join(', ')}.`];
}

function balancesSheet({ columns, rows }: BalanceReport): Sheet<BalanceRow> {
  const weeks = columns.map(
    ({ key, heading, days }): SheetColumn<BalanceRow> => ({
      name: key,
      heading,
      headingLines: [key, days],
      cell: (row) => moneyCell(row.amounts[key] ?? 0),
      paperCell: (row) => (row.amounts[key] || isTotal(row) ? moneyCell(row.amounts[key] ?? 0) : null),
    }),
  );
  return {
    columns: createSheetColumns([
      {
        name: 'suppliername',
        heading: 'Proveedor',
        paperCell: (row) => (row.isSummary ? row.jobtitle || row.suppliername : row.suppliername),
        key: true,
      },
      {
        name: 'jobtitle',
        heading: 'Obra',
        paperCell: (row) => (row.isSummary ? null : row.jobtitle),
        key: true,
      },
      {
        name: 'numfactura',
        heading: 'Factura',
        paperCell: ({ isSummary, numfactura, invoiceId, vencimientoEstimado }) =>
          isSummary ? null : `${vencimientoEstimado ? '* ' : ''}${numfactura || `#${invoiceId}`}`,
        key: true,
      },
      { name: 'fechavencimiento', heading: 'Vencimiento', kind: 'date', paperCell: false },
      { ...IS_DUE_ESTIMATED_COLUMN, paperCell: false },
      {
        name: 'isSummary',
        heading: 'isSummary',
        cell: (row) => (row.isSummary ? 'true' : 'false'),
        paperCell: false,
      },
      ...weeks,
      { name: 'total', heading: 'Total', kind: 'money' },
    ]),
    pages: splitIntoChunks(rows, 1000),
    roleOf: (row) => (isTotal(row) ? 'total' : row.isSummary ? 'group' : undefined),
  };
}

const IS_DUE_ESTIMATED_COLUMN = {
  name: 'vencimientoEstimado',
  heading: 'Vencimiento estimado',
  cell: (row: BalanceRow) => (row.vencimientoEstimado ? 'sí' : ''),
};

const isTotal = ({ isSummary, supplierId }: BalanceRow) => isSummary && supplierId === null;

/** An export for programs: each row is an invoice with the week in which it is due, and the headings never change. */
export function balancesLongExport(
  report: BalanceReport,
  appliedFilters: readonly AppliedFilter[],
): ListExport<BalanceRow> {
  const weekOf = (row: BalanceRow) => getColumnOfDay(report.columns, row.fechavencimiento!);
  return {
    ...balancesExport(report, appliedFilters),
    sheet: {
      columns: createSheetColumns([
        { name: 'suppliername', heading: 'Proveedor', key: true },
        { name: 'jobtitle', heading: 'Obra' },
        { name: 'facturaproveedorId', heading: 'ID de factura', cell: (row) => row.invoiceId },
        { name: 'numfactura', heading: 'Factura' },
        { name: 'fechavencimiento', heading: 'Vencimiento', kind: 'date' },
        IS_DUE_ESTIMATED_COLUMN,
        { name: 'semana', heading: 'Semana', cell: (row) => weekOf(row).key },
        { name: 'desde', heading: 'Desde', cell: (row) => dayCell(weekOf(row).from) },
        { name: 'hasta', heading: 'Hasta', cell: (row) => dayCell(weekOf(row).to) },
        { name: 'saldo', heading: 'Saldo', kind: 'money', cents: 'totalCents' },
      ]),
      pages: [report.rows.filter((row) => !row.isSummary)],
    },
    count: async () => report.invoiceCount,
    toRecords: undefined,
  };
}
