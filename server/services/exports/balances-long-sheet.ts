import { type BalanceReport, type BalanceRow, columnOfDay } from '../../../shared/balances.ts';
import { day, money, type Sheet } from '../../formats/sheets/sheet.ts';

/** For programs: one row for each invoice and the week in which it is due, under headings that never change. */
export function balancesLongSheet({ columns, rows }: BalanceReport): Sheet<BalanceRow> {
  const weekOf = (row: BalanceRow) => columnOfDay(columns, row.fechavencimiento!);
  return {
    columns: [
      { name: 'suppliername', heading: 'Proveedor', cell: (row) => row.suppliername, key: true },
      { name: 'jobtitle', heading: 'Obra', cell: (row) => row.jobtitle },
      { name: 'facturaproveedorId', heading: 'ID de factura', cell: (row) => row.invoiceId },
      { name: 'numfactura', heading: 'Factura', cell: (row) => row.numfactura },
      { name: 'fechavencimiento', heading: 'Vencimiento', cell: (row) => day(row.fechavencimiento) },
      {
        name: 'vencimientoEstimado',
        heading: 'Vencimiento estimado',
        cell: (row) => (row.vencimientoEstimado ? 'sí' : ''),
      },
      { name: 'semana', heading: 'Semana', cell: (row) => weekOf(row).key },
      { name: 'desde', heading: 'Desde', cell: (row) => day(weekOf(row).from) },
      { name: 'hasta', heading: 'Hasta', cell: (row) => day(weekOf(row).to) },
      { name: 'saldo', heading: 'Saldo', cell: (row) => money(row.totalCents) },
    ],
    pages: [rows.filter((row) => !row.isSummary)],
  };
}
