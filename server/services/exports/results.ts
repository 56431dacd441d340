import type { Db } from '../../../db/schema.ts';
import { cellsRecord } from '../../formats/sheets/json.ts';
import type { FilterFact, ListExport, RowOf } from '../../formats/sheets/list-export.ts';
import type { CostQuery } from '../costs.ts';
import { readResults } from '../results.ts';
import { resultsSheet } from './results-sheet.ts';

/** What each obra cost in a period, by rubro. */
export async function resultsExport(
  db: Db,
  query: CostQuery,
  { timeZone, facts }: { timeZone: string; facts: readonly FilterFact[] },
): Promise<ListExport<RowOf<typeof resultsSheet>>> {
  const { from, to } = query;
  const sheet = resultsSheet(await readResults(db, query, timeZone));
  return {
    file: `Resultados ${from} a ${to}`,
    title: 'Resultados',
    filters: facts,
    noun: ['obra', 'obras'],
    sheet,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}
