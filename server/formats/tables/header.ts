import { cellText } from './cell-text.ts';
import { fieldsOf } from './fields.ts';
import { computeRequiredFieldCoverage, headingKey, scoreHeadings } from './headings.ts';
import type { RawCell, RawRow, RawTable, TableKind } from './table.ts';

/** Titles, notes and even the query behind the table may stand above the headings. */
const MAX_HEADING_LINE = 60;

export const SAMPLE_LINES = 200;

export interface TableHints {
  kind?: TableKind;
  /** headings that the user has named, as with `--map`; a column's number (`#3`) is no heading */
  headings?: readonly string[];
  /** whether rows hidden in the sheet are imported, which is the default */
  hidden?: 'import' | 'skip';
}

export type TableInput = ({ path: string } | { bytes: Uint8Array; filename: string }) &
  TableHints & { sheet?: string; maxRows?: number };

export function findTableHeader(
  rows: readonly RawRow[],
  { kind, headings }: TableHints,
): RawTable['header'] | undefined {
  const filled = rows.filter(({ cells }) => !cells.every(isBlank));
  const header =
    findNamedHeader(filled, headings) ?? findHeader(filled, kind) ?? findUnknownHeader(filled, kind);
  return header && { line: header.line, names: toHeaderNames(header) };
}

function findNamedHeader(
  filledRows: readonly RawRow[],
  headings: readonly string[] = [],
): RawRow | undefined {
  const named = headings.filter((heading) => !COLUMN_NUMBER_PATTERN.test(heading.trim()));
  if (named.length === 0) return undefined;
  const width = findMostFrequentWidth(filledRows);
  return filledRows.slice(0, MAX_HEADING_LINE).find((row) => {
    if (!isWideEnough(row, width)) return false;
    const names = toHeaderNames(row);
    return named.every((heading) => findHeadingIndex(names, heading) >= 0);
  });
}

/** `#3` names the third column, where headings repeat or are empty. */
export const COLUMN_NUMBER_PATTERN = /^#(\d+)$/;

/** Prefers the heading as it is written to one that is equal when folded. @returns -1 where there is none */
export function findHeadingIndex(names: readonly string[], heading: string): number {
  const exact = names.indexOf(heading.trim());
  const key = headingKey(heading);
  return exact >= 0 || key === '' ? exact : names.findIndex((name) => headingKey(name) === key);
}

const isWideEnough = ({ cells }: RawRow, width: number): boolean =>
  width <= 1 || countFilled(cells) >= Math.min(2, width);

export function scoreSheet(rows: readonly RawRow[], { kind, headings }: TableHints): number {
  const filled = rows.filter(({ cells }) => !cells.every(isBlank));
  if (findNamedHeader(filled, headings)) return NAMED_HEADINGS_SCORE;
  const header = findHeader(filled, kind);
  if (!header) return 0;
  return (
    scoreHeadings(header.cells, kind) + (kind ? 10 * computeRequiredFieldCoverage(header.cells, kind) : 0)
  );
}

const NAMED_HEADINGS_SCORE = 1000;

/**
 * Finds the header by known headings first, then by what headings have in common: distinct texts over columns of
 * numbers and dates. A second line of headings refines the first, so that one at most two lines below need only be
 * slightly better; a line farther down must be clearly better.
 */
function findHeader(filledRows: readonly RawRow[], kind?: TableKind): RawRow | undefined {
  const width = findMostFrequentWidth(filledRows);
  let best: { row: RawRow; score: number } | undefined;
  for (const [index, row] of filledRows.slice(0, MAX_HEADING_LINE).entries()) {
    const texts = row.cells.filter(isText);
    if (texts.length === 0 || !isWideEnough(row, width)) continue;
    const score =
      4 * Math.max(scoreHeadings(row.cells, kind), scoreHeadings(row.cells) / 2) +
      3 * scoreAsHeader(row, filledRows.slice(index + 1, index + 21)) +
      (countFilled(row.cells) >= width * 0.6 ? 2 : 0) -
      index / 1000;
    if (score >= 3 && (!best || score > best.score + (row.line - best.row.line <= 2 ? 0.01 : 0.2)))
      best = { row, score };
  }
  return best?.row;
}

/** The user then says what its columns are. One column may be prose: it counts only if the kind needs one field. */
function findUnknownHeader(filledRows: readonly RawRow[], kind?: TableKind): RawRow | undefined {
  const width = findMostFrequentWidth(filledRows);
  const needed = kind ? fieldsOf(kind).filter(({ required }) => required).length : 0;
  if (width < (needed === 1 ? 1 : 2)) return undefined;
  return filledRows.slice(0, Math.min(MAX_HEADING_LINE, filledRows.length - 1)).find(({ cells }) => {
    const written = cells.filter((cell) => !isBlank(cell));
    return written.length >= width * 0.6 && written.every((cell) => isText(cell) && !isFigure(cell));
  });
}

function scoreAsHeader({ cells }: RawRow, rowsBelow: readonly RawRow[]): number {
  const filled = cells.flatMap((cell, index) => (isBlank(cell) ? [] : [{ cell, index }]));
  const texts = filled.filter(({ cell }) => isText(cell) && !isFigure(cell));
  if (texts.length < filled.length) return 0;
  const distinct = new Set(texts.map(({ cell }) => headingKey(String(cell)))).size / texts.length;
  const overFigures = texts.filter(({ index }) => {
    const values = rowsBelow.map((row) => row.cells[index] ?? null).filter((cell) => !isBlank(cell));
    return values.length > 0 && values.filter(isFigure).length > values.length / 2;
  }).length;
  return distinct * (overFigures > 0 ? 1 : 0.3);
}

/** Returns the most frequent number of filled cells, so that a title of one cell is not taken for the header. */
function findMostFrequentWidth(filledRows: readonly RawRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of filledRows.slice(0, 200)) {
    const width = countFilled(cells);
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

function toHeaderNames({ cells }: RawRow): string[] {
  return cells.map((cell) => (isBlank(cell) ? '' : cellText(cell).replace(/\s+/g, ' ').trim()));
}

export const isText = (cell: RawCell): cell is string => typeof cell === 'string' && !isBlank(cell);

const isFigure = (cell: RawCell): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'object' && cell !== null) ||
  (typeof cell === 'string' && cell.length < 30 && /^[\s$€(-]*\d[\d\s.,:/%)€$-]*$/.test(cell));

export const isBlank = (cell: RawCell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

export const countFilled = (cells: readonly RawCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (isBlank(cell) ? 0 : 1), 0);
