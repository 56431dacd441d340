import type { BalanceReport, BalanceRow } from '../../../shared/balances.ts';
import { day, money, type Sheet, type SheetColumn } from '../../formats/sheets/sheet.ts';

/** The whole report, summaries included: what the page, the command line and other formats export. */
export function balancesSheet({ columns, rows }: BalanceReport): Sheet<BalanceRow> {
  const weeks = columns.map(
    ({ key, heading, days }): SheetColumn<BalanceRow> => ({
      name: key,
      heading,
      headingLines: [key, days],
      cell: (row) => money(row.amounts[key] ?? 0),
      // The total says 0.00, so that a week without a balance stays in its place.
      paper: (row) => (row.amounts[key] || isTotal(row) ? money(row.amounts[key] ?? 0) : null),
    }),
  );
  return {
    columns: [
      {
        name: 'suppliername',
        heading: 'Proveedor',
        cell: (row) => row.suppliername,
        paper: (row) => (row.isSummary ? row.jobtitle || row.suppliername : row.suppliername),
        key: true,
      },
      {
        name: 'jobtitle',
        heading: 'Obra',
        cell: (row) => row.jobtitle,
        paper: (row) => (row.isSummary ? null : row.jobtitle),
        key: true,
      },
      {
        name: 'numfactura',
        heading: 'Factura',
        cell: (row) => row.numfactura,
        paper: ({ isSummary, numfactura, invoiceId, vencimientoEstimado }) =>
          isSummary ? null : `${vencimientoEstimado ? '* ' : ''}${numfactura || `#${invoiceId}`}`,
        key: true,
      },
      {
        name: 'fechavencimiento',
        heading: 'Vencimiento',
        cell: (row) => day(row.fechavencimiento),
        paper: false,
      },
      {
        name: 'vencimientoEstimado',
        heading: 'Vencimiento estimado',
        cell: (row) => (row.vencimientoEstimado ? 'sí' : ''),
        paper: false,
      },
      {
        name: 'isSummary',
        heading: 'isSummary',
        cell: (row) => (row.isSummary ? 'true' : 'false'),
        paper: false,
      },
      ...weeks,
      { name: 'total', heading: 'Total', cell: (row) => money(row.totalCents) },
    ],
    pages: slices(rows),
    roleOf: (row) => (isTotal(row) ? 'total' : row.isSummary ? 'group' : undefined),
  };
}

const isTotal = ({ isSummary, supplierId }: BalanceRow) => isSummary && supplierId === null;

/** Read as one, written some at a time. */
function* slices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += 1000) yield rows.slice(from, from + 1000);
}
