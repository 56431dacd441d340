import { cellText, isEmptyWord, shownText, trimCell } from './cell-text.ts';
import type { CellProblem, RawCell, ReadTable } from './table.ts';

/** Heads, in a list of refused rows, what stood beyond the headings. */
export const OUTSIDE_COLUMNS = '(sin encabezado)';

type Look = (cells: readonly RawCell[], problems: CellProblem[], warnings: string[]) => void;

/**
 * What a row says outside of the columns that are fields, and must not be passed over. A comma in a cell without quotes pushes all the others to the right: "1,160.50" would be an amount of 1. Cells
 * of a workbook do not move, and what stands beside its table is somebody's note.
 */
export function lookOutsideColumns({ format, header: { names }, rows, census }: ReadTable): Look | undefined {
  const marked = names.indexOf(OUTSIDE_COLUMNS);
  const width = marked < 0 ? names.length : marked;
  if (format !== 'csv' || width === 0 || !census.widths.some(([cells]) => cells > width)) return undefined;
  // A delimiter at the end of every line is how some programs write.
  const lengths = new Map(census.widths);
  const isSlip = (cells: readonly RawCell[]) =>
    cells.length > names.length &&
    cells.length <= names.length + MOST_PUSHED &&
    (lengths.get(cells.length) ?? 0) <= rows.length / 2 &&
    cells.slice(names.length).every((cell) => cell === null);
  return (cells, problems, warnings) => {
    if (cells.length <= width) return;
    const at = cells.findIndex(
      (cell, index) => (names[index] ?? OUTSIDE_COLUMNS) === OUTSIDE_COLUMNS && !isNothing(cell),
    );
    if (at === width || (at < 0 && isSlip(cells)))
      problems.push({
        column: `#${width + 1}`,
        value: shownText(cells[width]),
        reason:
          'El renglón tiene más celdas que encabezados: ¿un dato con el separador dentro, sin comillas?',
      });
    else if (at >= 0)
      warnings.push(
        `La columna ${at + 1} no tiene encabezado: «${shownText(cells[at]).slice(0, 40)}» no se importa.`,
      );
  };
}

const MOST_PUSHED = 3;

const isNothing = (cell: RawCell | undefined): boolean => isEmptyWord(trimCell(cellText(cell)));
