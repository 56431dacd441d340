import type { BalanceReport, BalanceRow } from '../../shared/balances.ts';
import { day, money, type Sheet, type SheetColumn } from './sheet.ts';

/** The whole report, summaries included: what the page, the command line and other formats export. */
export function balancesSheet({ columns, rows }: BalanceReport): Sheet<BalanceRow> {
  const weeks = columns.map(
    ({ key, heading }): SheetColumn<BalanceRow> => ({
      name: key,
      heading,
      cell: (row) => money(row.amounts[key] ?? 0),
    }),
  );
  return {
    columns: [
      { name: 'suppliername', heading: 'Proveedor', cell: (row) => row.suppliername },
      { name: 'jobtitle', heading: 'Obra', cell: (row) => row.jobtitle },
      { name: 'numfactura', heading: 'Factura', cell: (row) => row.numfactura },
      { name: 'fechavencimiento', heading: 'Vencimiento', cell: (row) => day(row.fechavencimiento) },
      {
        name: 'vencimientoEstimado',
        heading: 'Vencimiento estimado',
        cell: (row) => (row.vencimientoEstimado ? 'sí' : ''),
      },
      ...weeks,
      { name: 'total', heading: 'Total', cell: (row) => money(row.totalCents) },
    ],
    pages: slices(rows),
  };
}

/** Read as one, written some at a time. */
function* slices<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let from = 0; from < rows.length; from += 1000) yield rows.slice(from, from + 1000);
}
