import { type Remark, textWithIds } from '../../../shared/remarks.ts';
import { type Cell, ROWS_READ, type Sheet } from '../sheets/sheet.ts';
import { cellText } from './cell-text.ts';
import { OUTSIDE_COLUMNS } from './parse-rows.ts';
import type { RawCell, ReadTable, RefusedRow } from './table.ts';

interface Reject {
  cells: readonly RawCell[];
  reason: string;
}

/**
 * Lists the refused rows as they are in the file, with a last column that says why: to be mended and imported again,
 * where that column is no field of ours.
 */
export function rejectsSheet({ header, rows }: ReadTable, refused: Iterable<RefusedRow>): Sheet<Reject> {
  const reasons = new Map<number, string>();
  for (const { row, column, reason } of refused) reasons.set(row, sayWhere(column, reason));
  const { names } = header;
  // Rows may be wider than the headings.
  let width = names.length;
  for (const { line, cells } of rows) if (reasons.has(line)) width = Math.max(width, cells.length);
  const columns = Array.from({ length: width }, (_, index) => ({
    name: `c${index}`,
    heading: names[index] ?? OUTSIDE_COLUMNS,
    cell: ({ cells }: Reject): Cell => cellText(cells[index]),
  }));
  const motive = { name: 'motivo', heading: 'Motivo', cell: ({ reason }: Reject): Cell => reason };
  return { columns: [...columns, motive], pages: pagesOf(rows, reasons) };
}

function sayWhere(column: string, reason: Remark): string {
  const why = textWithIds(reason);
  return column ? `${column}: ${why}` : why;
}

function* pagesOf(rows: ReadTable['rows'], reasons: ReadonlyMap<number, string>): Generator<Reject[]> {
  let page: Reject[] = [];
  for (const { line, cells } of rows) {
    const reason = reasons.get(line);
    if (reason === undefined) continue;
    page.push({ cells, reason });
    if (page.length === ROWS_READ) {
      yield page;
      page = [];
    }
  }
  if (page.length > 0) yield page;
}
