import type { Db } from '../../../db/schema.ts';
import { jobs } from '../../../shared/catalogs/jobs.ts';
import { rubros } from '../../../shared/catalogs/rubros.ts';
import { NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { fold } from '../../../shared/text.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { type Asked, type BudgetToWrite, writeBudgets } from '../budgets/write.ts';
import { draftEach, importDrafts } from './drafts.ts';
import { References } from './references.ts';
import { centsOf, textOf } from './row-values.ts';
import type { Run, StoreOnce } from './run.ts';

/** Why an original is what it is, where the table does not say. */
const IMPORTED = 'Importado de una tabla';

/** What obras may cost by rubro. */
export function importBudgets(db: Db, run: Run, storeOnce: StoreOnce): Promise<TableImport> {
  const references = new References(run.options.createMissing, run.options.set);
  return importDrafts<BudgetToWrite, Asked>(db, run, storeOnce, {
    table: 'budgets',
    entity: 'budgets',
    columns: { jobId: 'jobtitle', rubroId: 'nombrerubro' },
    references,
    draftRows: async () => {
      await references.read(db, [jobs, rubros]);
      return draftEach(run, ({ line, values }) => {
        const jobId = references.named(jobs, values, 'jobtitle')?.id ?? null;
        const isNone = fold(textOf(values, 'nombrerubro')) === fold(NO_RUBRO_NAME);
        const rubro = isNone ? undefined : references.named(rubros, values, 'nombrerubro');
        const presupuestoCents = centsOf(values, 'presupuesto');
        const motivo = textOf(values, 'motivo') || IMPORTED;
        return { line, jobId, rubroId: rubro?.id ?? null, presupuestoCents, motivo };
      });
    },
    write: (trx, actor, drafts, options) =>
      writeBudgets(trx, actor, drafts, {
        ...options,
        isKnownOnce: true,
        nameOf: (catalog, id) => references.list(catalog).nameOf(id),
      }),
  });
}
