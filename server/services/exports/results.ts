import type { Db } from '../../../db/schema.ts';
import { NO_RUBRO, NO_RUBRO_NAME } from '../../../shared/invoices.ts';
import { cellsRecord } from '../../formats/sheets/json.ts';
import type { ListExport, RowOf } from '../../formats/sheets/list-export.ts';
import { type ResultsQuery, readResults } from '../results.ts';
import { describePeriod, factsOf, nameOf } from './filter-words.ts';
import { resultsSheet } from './results-sheet.ts';

/** What each obra cost in a period, by rubro. */
export async function resultsExport(
  db: Db,
  query: ResultsQuery,
  timeZone: string,
): Promise<ListExport<RowOf<typeof resultsSheet>>> {
  const { from, to, jobId, rubroId } = query;
  const sheet = resultsSheet(await readResults(db, query, timeZone));
  return {
    file: `Resultados ${from} a ${to}`,
    title: 'Resultados',
    filters: factsOf({
      Emisión: describePeriod(from, to),
      Obra: jobId ? await nameOf(db, 'jobs', jobId) : 'Todas',
      Rubro: rubroId === NO_RUBRO ? NO_RUBRO_NAME : rubroId ? await nameOf(db, 'rubros', rubroId) : 'Todos',
    }),
    noun: ['obra', 'obras'],
    sheet,
    toRecords: (rows) => rows.map((row) => cellsRecord(sheet.columns, row)),
  };
}
