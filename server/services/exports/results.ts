import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  type FilterFact,
  type ListExport,
  money,
  type RowRole,
  type Sheet,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import type { Cost } from '../cost-rows.ts';
import { type CostQuery, netOf, nothing } from '../costs.ts';
import { readResults } from '../results.ts';
import type { Results } from '../results-layout.ts';

/** What each obra cost in a period, by rubro. */
export async function resultsExport(
  db: Db,
  query: CostQuery,
  { timeZone, facts }: { timeZone: string; facts: readonly FilterFact[] },
): Promise<ListExport<ResultsLine>> {
  const { from, to } = query;
  return {
    file: `Resultados ${from} a ${to}`,
    title: 'Resultados',
    filters: facts,
    noun: ['obra', 'obras'],
    sheet: resultsSheet(await readResults(db, query, timeZone)),
  };
}

interface ResultsLine extends Cost {
  jobtitle: string;
  byRubro: Readonly<Record<number, Cost>>;
  role?: RowRole;
}

/**
 * Cost by obra and rubro with its total; what has no issue date stands below, in none of the sums. Where credit notes
 * took something off, or petty cash was spent, each part stands beside what is left.
 */
function resultsSheet({ rubros, rows, byRubro, undated, ...total }: Results): Sheet<ResultsLine> {
  const lines: ResultsLine[] = [...rows, { ...total, jobtitle: 'Total', byRubro, role: 'total' }];
  if (undated.count > 0) {
    const jobtitle = `Sin fecha de emisión, fuera del total (${undated.count})`;
    lines.push({ ...undated, jobtitle, byRubro: {}, role: 'apart' });
  }
  const rubroOf = (line: ResultsLine, id: number): Cents => netOf(line.byRubro[id] ?? nothing());
  return {
    columns: [
      { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle, key: true },
      ...(total.creditTotalCents > 0 || total.pettyCents > 0 ? [INVOICES] : []),
      ...(total.creditTotalCents > 0 ? [CREDITS] : []),
      ...(total.pettyCents > 0 ? [PETTY] : []),
      { name: 'cost', heading: 'Costo sin IVA', cell: (line) => money(netOf(line)) },
      {
        name: 'total',
        heading: 'Total con IVA',
        cell: (line) => money(netOf(line, 'con')),
      },
      ...rubros.map(
        ({ id, name }): SheetColumn<ResultsLine> => ({
          name: `rubro${id}`,
          heading: name,
          cell: (line) => money(rubroOf(line, id)),
          paper: (line) => (rubroOf(line, id) ? money(rubroOf(line, id)) : null),
        }),
      ),
    ],
    pages: [lines],
    roleOf: ({ role }) => role,
  };
}

const INVOICES: SheetColumn<ResultsLine> = {
  name: 'invoices',
  heading: 'Facturas sin IVA',
  cell: ({ costCents }) => money(costCents),
};

const CREDITS: SheetColumn<ResultsLine> = {
  name: 'credits',
  heading: 'Notas de crédito sin IVA',
  cell: ({ creditCents }) => money(creditCents),
};

const PETTY: SheetColumn<ResultsLine> = {
  name: 'petty',
  heading: 'Caja chica sin IVA',
  cell: ({ pettyCents }) => money(pettyCents),
};
