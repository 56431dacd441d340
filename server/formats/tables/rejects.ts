import { formatWithIds, type Remark } from '../../../shared/remarks.ts';
import type { Cell, Sheet } from '../sheets/sheet.ts';
import { cellText } from './cell-text.ts';
import { NO_HEADING_LABEL } from './parse-rows.ts';
import type { RawCell, RawTable, RefusedRow } from './table.ts';

interface Reject {
  cells: readonly RawCell[];
  reason: string;
}

/** The sheet can be corrected and imported again, because the import ignores the column with the reason. */
export function createRejectsSheet({ header, rows }: RawTable, refused: Iterable<RefusedRow>): Sheet<Reject> {
  const reasons = new Map<number, string>();
  for (const { row, column, reason } of refused) reasons.set(row, describeRejection(column, reason));
  const rejects = rows.flatMap(({ line, cells }): Reject[] => {
    const reason = reasons.get(line);
    return reason === undefined ? [] : [{ cells, reason }];
  });
  const width = rejects.reduce((most, { cells }) => Math.max(most, cells.length), header.names.length);
  const columns = Array.from({ length: width }, (_, index) => ({
    name: `c${index}`,
    heading: header.names[index] ?? NO_HEADING_LABEL,
    cell: ({ cells }: Reject): Cell => cellText(cells[index]),
  }));
  const motive = { name: 'motivo', heading: 'Motivo', cell: ({ reason }: Reject): Cell => reason };
  return { columns: [...columns, motive], pages: [rejects] };
}

function describeRejection(column: string, reason: Remark): string {
  const why = formatWithIds(reason);
  return column ? `${column}: ${why}` : why;
}
