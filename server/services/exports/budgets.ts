import type { Db } from '../../../db/schema.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { cellsRecord } from '../../formats/sheets/json.ts';
import type { FilterFact, ListExport, RowOf } from '../../formats/sheets/list-export.ts';
import { listBudget } from '../budgets/reading.ts';
import { type BudgetSheetRow, budgetsSheet } from './budgets-sheet.ts';

/** The lines of one obra, or of every obra that has a budget; what is exported can be imported again. */
export async function budgetsExport(
  db: Db,
  { jobId, today, facts }: { jobId?: number | null; today: PlainDate; facts: readonly FilterFact[] },
): Promise<ListExport<RowOf<typeof budgetsSheet>>> {
  const sheet = budgetsSheet(readPages(db, await readJobs(db, jobId)));
  return {
    file: `Presupuesto ${today}`,
    title: 'Presupuesto',
    filters: facts,
    noun: ['partida', 'partidas'],
    sheet,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}

function readJobs(db: Db, jobId: number | null | undefined): Promise<{ id: number; jobtitle: string }[]> {
  const jobs = db.selectFrom('jobs').select(['id', 'jobtitle']).orderBy('jobtitleFold').orderBy('id');
  if (jobId) return jobs.where('id', '=', jobId).execute();
  return jobs
    .where('id', 'in', db.selectFrom('budgets').select('jobId').where('amountCents', '>', 0))
    .execute();
}

/** An obra at a time. */
async function* readPages(db: Db, jobs: readonly { id: number; jobtitle: string }[]) {
  for (const { id, jobtitle } of jobs) {
    const rows = await listBudget(db, id);
    yield rows.map((line): BudgetSheetRow => ({ ...line, jobtitle }));
  }
}
