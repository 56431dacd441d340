import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import type { TableImportResult } from '../../formats/tables/table.ts';
import { type BudgetDraft, type BudgetInput, writeBudgets } from '../budgets/write.ts';
import { importDrafts, readEachRow } from './import-drafts.ts';
import type { TableImportRun } from './import-run.ts';
import { centsOf, textOf } from './row-values.ts';

const IMPORTED_REASON = 'Importado de una tabla';

export const importBudgets = (run: TableImportRun): Promise<TableImportResult> =>
  importDrafts<BudgetInput, BudgetDraft>(run, {
    entity: 'budgets',
    names: { jobId: jobs, rubroId: rubros },
    readInputs: () =>
      readEachRow(run, ({ line, values }) => ({
        line,
        jobId: run.references.findOrAddEntry(jobs, values)?.id ?? null,
        rubroId: run.references.findOrAddRubro(values)?.id ?? null,
        presupuestoCents: centsOf(values, 'presupuesto'),
        motivo: textOf(values, 'motivo') || IMPORTED_REASON,
      })),
    write: (trx, actor, drafts, options) =>
      writeBudgets(trx, actor, drafts, { ...options, skipsExisting: true, nameOf: run.references.nameOf }),
  });
