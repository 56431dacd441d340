/** A grid's cells are the text fields of its table that are typed in. */
const CELL = '.typed input';

export const isCell = (target: EventTarget | null): target is HTMLInputElement =>
  target instanceof HTMLInputElement && target.matches(CELL);

export const cellsIn = (form: HTMLFormElement): HTMLInputElement[] => [
  ...form.querySelectorAll<HTMLInputElement>(CELL),
];

/** The cell so many rows below (or above) and columns to the right (or left), past columns that nobody types in. */
export function cellFrom(
  cell: HTMLInputElement,
  rows: number,
  columns: number,
): HTMLInputElement | undefined {
  const place = cell.closest('td');
  const row = cell.closest('tr');
  if (!place || !row) return undefined;
  const target = rows === 0 ? row : bodyRow(row, rows);
  if (columns === 0)
    return target?.cells[place.cellIndex]?.querySelector<HTMLInputElement>(CELL) ?? undefined;
  const inRow = [...(target?.querySelectorAll<HTMLInputElement>(CELL) ?? [])];
  const own = [...row.querySelectorAll<HTMLInputElement>(CELL)].indexOf(cell);
  return inRow[own + columns];
}

function bodyRow(row: HTMLTableRowElement, step: number): HTMLTableRowElement | undefined {
  const rows = (row.parentElement as HTMLTableSectionElement).rows;
  return rows[row.sectionRowIndex + step];
}

/** A spreadsheet's cells as it puts them on the clipboard: rows of fields between tabs. */
export function tableIn(text: string): string[][] {
  const lines = text.replace(/\r\n?/g, '\n').replace(/\n$/, '').split('\n');
  return lines.map((line) => line.split('\t').map((field) => field.trim().replace(/^"(.*)"$/, '$1')));
}
