import type { Db } from '../../../db/schema.ts';
import { availableOf, computeUsedPercent } from '../../../shared/budgets.ts';
import {
  createSheetColumns,
  moneyCell,
  type PartialListExport,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { type BudgetRow, computeInvoicePayments, listBudget } from '../budgets/reading.ts';

/** Without `jobId`, exports every obra that has a budget. The export can be imported again. */
export async function budgetsExport(
  db: Db,
  jobId?: number | null,
): Promise<PartialListExport<BudgetSheetRow>> {
  return { sheet: { columns: COLUMNS, pages: readPages(db, await readJobs(db, jobId)) } };
}

function readJobs(db: Db, jobId: number | null | undefined): Promise<{ id: number; jobtitle: string }[]> {
  const jobs = db.selectFrom('jobs').select(['id', 'jobtitle']).orderBy('jobtitleFold').orderBy('id');
  if (jobId) return jobs.where('id', '=', jobId).execute();
  return jobs
    .where('id', 'in', db.selectFrom('budgets').select('jobId').where('amountCents', '>', 0))
    .execute();
}

async function* readPages(db: Db, jobs: readonly { id: number; jobtitle: string }[]) {
  for (const { id, jobtitle } of jobs) {
    const rows = await listBudget(db, id);
    yield rows.map((line): BudgetSheetRow => ({ ...line, jobtitle }));
  }
}

interface BudgetSheetRow extends BudgetRow {
  jobtitle: string;
}

const COLUMNS: readonly SheetColumn<BudgetSheetRow>[] = createSheetColumns([
  { name: 'jobtitle', heading: 'Obra', key: true },
  // Without rubro the cell is empty, as in a table to import.
  { name: 'nombrerubro', heading: 'Rubro', cell: (row) => (row.rubroId === null ? null : row.nombrerubro) },
  { name: 'original', heading: 'Original', kind: 'money' },
  { name: 'cambios', heading: 'Cambios', cell: (row) => moneyCell(row.presupuestoCents - row.originalCents) },
  { name: 'presupuesto', heading: 'Presupuesto', kind: 'money' },
  { name: 'comprometido', heading: 'Comprometido', cell: () => moneyCell(0) },
  { name: 'gastado', heading: 'Facturado', kind: 'money' },
  {
    name: 'pagado',
    heading: 'Pagado (con IVA)',
    cell: ({ cost }) => moneyCell(computeInvoicePayments(cost) + cost.pettyTotalCents),
  },
  { name: 'disponible', heading: 'Por ejercer', cell: (row) => moneyCell(availableOf(row)) },
  { name: 'porcentaje', heading: '%', cell: (row) => computeUsedPercent(row) ?? null },
]);
