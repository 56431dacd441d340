import type { Db } from '../../../db/schema.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  createSheetColumns,
  moneyCell,
  type PartialListExport,
  type RowRole,
  type Sheet,
  type SheetColumn,
} from '../../formats/sheets/sheet.ts';
import { type Cost, type CostFilterInPeriod, computeCostAfterCredits, createZeroCost } from '../costs.ts';
import { type Results, readResults } from '../results.ts';

export async function resultsExport(
  db: Db,
  query: CostFilterInPeriod,
  timeZone: string,
): Promise<PartialListExport<ResultsLine>> {
  return {
    file: `Resultados ${query.from} a ${query.to}`,
    sheet: resultsSheet(await readResults(db, query, timeZone)),
  };
}

interface ResultsLine extends Cost {
  jobtitle: string;
  byRubro: Readonly<Record<number, Cost>>;
  role?: RowRole;
}

function resultsSheet({ rubros, rows, byRubro, undated, ...total }: Results): Sheet<ResultsLine> {
  const lines: ResultsLine[] = [...rows, { ...total, jobtitle: 'Total', byRubro, role: 'total' }];
  if (undated.count > 0) {
    const jobtitle = `Sin fecha de emisión, fuera del total (${undated.count})`;
    lines.push({ ...undated, jobtitle, byRubro: {}, role: 'apart' });
  }
  const costOfRubro = (line: ResultsLine, id: number): Cents =>
    computeCostAfterCredits(line.byRubro[id] ?? createZeroCost());
  const hasCredits = total.creditTotalCents > 0;
  const hasParts = hasCredits || total.pettyCents > 0;
  return {
    columns: createSheetColumns([
      { name: 'jobtitle', heading: 'Obra', key: true },
      ...(hasParts ? [INVOICES_COLUMN] : []),
      ...(hasCredits ? [CREDITS_COLUMN] : []),
      ...(total.pettyCents > 0 ? [PETTY_CASH_COLUMN] : []),
      { name: 'cost', heading: 'Costo sin IVA', cell: (line) => moneyCell(computeCostAfterCredits(line)) },
      {
        name: 'total',
        heading: 'Total con IVA',
        cell: (line) => moneyCell(computeCostAfterCredits(line, 'con')),
      },
      ...rubros.map(
        ({ id, name }): SheetColumn<ResultsLine> => ({
          name: `rubro${id}`,
          heading: name,
          cell: (line) => moneyCell(costOfRubro(line, id)),
          paperCell: (line) => (costOfRubro(line, id) ? moneyCell(costOfRubro(line, id)) : null),
        }),
      ),
    ]),
    pages: [lines],
    roleOf: ({ role }) => role,
  };
}

const [INVOICES_COLUMN, CREDITS_COLUMN, PETTY_CASH_COLUMN] = [
  { name: 'invoices', heading: 'Facturas sin IVA', kind: 'money', cents: 'costCents' },
  { name: 'credits', heading: 'Notas de crédito sin IVA', kind: 'money', cents: 'creditCents' },
  { name: 'petty', heading: 'Caja chica sin IVA', kind: 'money' },
] as const;
