import type { BalanceReport } from '../../shared/balances.ts';
import type { CsvCell } from './csv.ts';

export interface Sheet {
  headings: string[];
  rows: CsvCell[][];
}

/** The whole report as a sheet, summaries included: what the page, the command line and other formats export. */
export function balancesSheet({ columns, rows }: BalanceReport): Sheet {
  return {
    headings: [
      'Proveedor',
      'Obra',
      'Factura',
      'Vencimiento',
      'Vencimiento estimado',
      ...columns.map((column) => column.heading),
      'Total',
    ],
    rows: rows.map((row) => [
      row.suppliername,
      row.jobtitle,
      row.numfactura,
      row.fechavencimiento,
      row.vencimientoEstimado ? 'sí' : '',
      ...columns.map(({ key }) => ({ cents: row.amounts[key] ?? 0 })),
      { cents: row.totalCents },
    ]),
  };
}
