import { availableOf, usedPercent } from '../../../shared/budgets.ts';
import { money, type Sheet } from '../../formats/sheets/sheet.ts';
import type { BudgetRow } from '../budgets/reading.ts';

export interface BudgetSheetRow extends BudgetRow {
  jobtitle: string;
}

/** The grid of an obra as a file, obra after obra. */
export const budgetsSheet = (pages: AsyncIterable<readonly BudgetSheetRow[]>): Sheet<BudgetSheetRow> => ({
  columns: [
    { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle, key: true },
    // Without one the cell is empty, as where a table is imported.
    { name: 'nombrerubro', heading: 'Rubro', cell: (row) => (row.rubroId === null ? null : row.nombrerubro) },
    { name: 'original', heading: 'Original', cell: (row) => money(row.originalCents) },
    { name: 'cambios', heading: 'Cambios', cell: (row) => money(row.presupuestoCents - row.originalCents) },
    { name: 'presupuesto', heading: 'Presupuesto', cell: (row) => money(row.presupuestoCents) },
    { name: 'comprometido', heading: 'Comprometido', cell: (row) => money(row.comprometidoCents) },
    { name: 'gastado', heading: 'Facturado', cell: (row) => money(row.gastadoCents) },
    { name: 'pagado', heading: 'Pagado (con IVA)', cell: (row) => money(row.spent.paidCents) },
    { name: 'disponible', heading: 'Por ejercer', cell: (row) => money(availableOf(row)) },
    { name: 'porcentaje', heading: '%', cell: (row) => usedPercent(row) ?? null },
  ],
  pages,
});
