import type { Cents } from '../../../shared/money.ts';
import { money, type RowRole, type Sheet, type SheetColumn } from '../../formats/sheets/sheet.ts';
import type { Results } from '../results.ts';

interface ResultsLine {
  jobtitle: string;
  costCents: Cents;
  totalCents: Cents;
  byRubro: Readonly<Record<number, Cents>>;
  role?: RowRole;
}

/** Cost by obra and rubro with its total; what has no issue date stands below, in none of the sums. */
export function resultsSheet({ rubros, rows, byRubro, undated, ...total }: Results): Sheet<ResultsLine> {
  const lines: ResultsLine[] = [...rows, { ...total, jobtitle: 'Total', byRubro, role: 'total' }];
  if (undated.count > 0) {
    const jobtitle = `Sin fecha de emisión, fuera del total (${undated.count})`;
    lines.push({ ...undated, jobtitle, byRubro: {}, role: 'apart' });
  }
  return {
    columns: [
      { name: 'jobtitle', heading: 'Obra', cell: ({ jobtitle }) => jobtitle, key: true },
      { name: 'cost', heading: 'Costo sin IVA', cell: ({ costCents }) => money(costCents) },
      { name: 'total', heading: 'Total con IVA', cell: ({ totalCents }) => money(totalCents) },
      ...rubros.map(
        ({ id, name }): SheetColumn<ResultsLine> => ({
          name: `rubro${id}`,
          heading: name,
          cell: (line) => money(line.byRubro[id] ?? 0),
          paper: (line) => (line.byRubro[id] ? money(line.byRubro[id]) : null),
        }),
      ),
    ],
    pages: [lines],
    roleOf: ({ role }) => role,
  };
}
