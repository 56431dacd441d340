import { cellText } from './cell-text.ts';
import { fieldsOf } from './fields.ts';
import { coverRequired, headingKey, scoreHeadings } from './headings.ts';
import type { RawCell, RawRow, ReadTable, TableKind } from './table.ts';

/** Titles, notes and even the query that made the file may stand above the headings. */
const LINES_SEARCHED = 60;

/** So many lines with anything in them tell which one holds the headings. */
export const LINES_LOOKED_AT = 200;

export interface TableHints {
  kind?: TableKind;
  /** headings that somebody has named, as `--map` does; the place of a column (`#3`) is none */
  headings?: readonly string[];
}

/**
 * Hints help to choose among the sheets of a workbook, and to find the headings. `most` is how many rows it may have.
 */
export type TableInput = ({ path: string } | { bytes: Uint8Array; filename: string }) &
  TableHints & { sheet?: string; most?: number };

export function findHeadings(
  rows: readonly RawRow[],
  { kind, headings }: TableHints,
): ReadTable['header'] | undefined {
  const filled = rows.filter(({ cells }) => !isBlankRow(cells));
  const header = findNamed(filled, headings) ?? findHeader(filled, kind) ?? findUnknownHeader(filled, kind);
  return header && { line: header.line, names: headerNames(header) };
}

/** The first line that has every heading that was named wins, whatever the line below it looks like. */
function findNamed(filled: readonly RawRow[], headings: readonly string[] = []): RawRow | undefined {
  const named = headings.filter((heading) => !PLACE.test(heading.trim()));
  if (named.length === 0) return undefined;
  const width = usualWidth(filled);
  return filled.slice(0, LINES_SEARCHED).find((row) => {
    if (!isWideEnough(row, width)) return false;
    const names = headerNames(row);
    return named.every((heading) => findName(names, heading) >= 0);
  });
}

/** `#3` names the third column, for headings that repeat or are empty. */
export const PLACE = /^#(\d+)$/;

/** Finds the heading as written, else the one that is the same folded; -1 where none is. */
export function findName(names: readonly string[], heading: string): number {
  const exact = names.indexOf(heading.trim());
  const key = headingKey(heading);
  return exact >= 0 || key === '' ? exact : names.findIndex((name) => headingKey(name) === key);
}

const isWideEnough = ({ cells }: RawRow, width: number): boolean =>
  width <= 1 || countFilled(cells) >= Math.min(2, width);

/** For choosing among sheets; headings that the kind cannot do without count most. */
export function scoreTable(rows: readonly RawRow[], { kind, headings }: TableHints): number {
  const filled = rows.filter(({ cells }) => !isBlankRow(cells));
  if (findNamed(filled, headings)) return NAMED;
  const header = findHeader(filled, kind);
  if (!header) return 0;
  return scoreHeadings(header.cells, kind) + (kind ? 10 * coverRequired(header.cells, kind) : 0);
}

const NAMED = 1000;

/**
 * Goes by known headings first; then by what headings have in common: texts, each its own, over columns of figures and
 * days. Of two alike the lower one is taken: a second line of headings refines the first.
 */
function findHeader(filled: readonly RawRow[], kind?: TableKind): RawRow | undefined {
  const width = usualWidth(filled);
  let best: { row: RawRow; score: number } | undefined;
  for (const [index, row] of filled.slice(0, LINES_SEARCHED).entries()) {
    const texts = row.cells.filter(isText);
    if (texts.length === 0 || !isWideEnough(row, width)) continue;
    const score =
      4 * Math.max(scoreHeadings(row.cells, kind), scoreHeadings(row.cells) / 2) +
      3 * looksLikeHeader(row, filled.slice(index + 1, index + 21)) +
      (countFilled(row.cells) >= width * 0.6 ? 2 : 0) -
      index / 1000;
    if (score >= 3 && (!best || score > best.score + (isFollowing(best.row, row) ? 0.01 : 0.2)))
      best = { row, score };
  }
  return best?.row;
}

/**
 * Takes the first line of texts as wide as the table, for somebody to say what they are. One column alone may be prose,
 * but for a list that needs no more.
 */
function findUnknownHeader(filled: readonly RawRow[], kind?: TableKind): RawRow | undefined {
  const width = usualWidth(filled);
  const needed = kind ? fieldsOf(kind).filter(({ required }) => required).length : 0;
  if (width < (needed === 1 ? 1 : 2)) return undefined;
  return filled.slice(0, Math.min(LINES_SEARCHED, filled.length - 1)).find(({ cells }) => {
    const written = cells.filter((cell) => !isBlank(cell));
    return written.length >= width * 0.6 && written.every((cell) => isText(cell) && !isFigure(cell));
  });
}

const isFollowing = (one: RawRow, next: RawRow): boolean => next.line - one.line <= 2;

/** 0 to 1: the part of its cells that are texts of their own, over columns that hold mostly something else. */
function looksLikeHeader({ cells }: RawRow, below: readonly RawRow[]): number {
  const filled = cells.flatMap((cell, index) => (isBlank(cell) ? [] : [{ cell, index }]));
  const texts = filled.filter(({ cell }) => isText(cell) && !isFigure(cell));
  if (texts.length < filled.length) return 0;
  const distinct = new Set(texts.map(({ cell }) => headingKey(String(cell)))).size / texts.length;
  const overFigures = texts.filter(({ index }) => {
    const values = below.map((row) => row.cells[index] ?? null).filter((cell) => !isBlank(cell));
    return values.length > 0 && values.filter(isFigure).length > values.length / 2;
  }).length;
  return distinct * (overFigures > 0 ? 1 : 0.3);
}

/** A title of one cell is no header. */
function usualWidth(filled: readonly RawRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of filled.slice(0, 200)) {
    const width = countFilled(cells);
    counts.set(width, (counts.get(width) ?? 0) + 1);
  }
  return [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])[0]?.[0] ?? 0;
}

function headerNames({ cells }: RawRow): string[] {
  return cells.map((cell) => (isBlank(cell) ? '' : cellText(cell).replace(/\s+/g, ' ').trim()));
}

/** Tells what a line below the headings is, as far as it shows by itself. */
export class LineClassifier {
  readonly #own: readonly string[];
  /** the first letters of totals and headings, which tell nearly every line */
  readonly #starts: ReadonlySet<string>;
  readonly #named = new Set<string>();

  constructor(names: readonly string[]) {
    this.#own = names.map(headingKey);
    this.#starts = new Set(['t', 's', 'g', ...names.map(firstLetter)]);
  }

  classify(cells: readonly RawCell[]): { why: 'blank' | 'header' | 'total' | undefined; key: string } {
    const first = cells.findIndex((cell) => !isBlank(cell));
    if (first < 0) return { why: 'blank', key: '' };
    const text = cells[first];
    if (typeof text !== 'string' || !this.#starts.has(firstLetter(text))) return NOTHING;
    const key = headingKey(text.slice(0, 100));
    if (key !== '' && key === this.#own[first] && repeatsHeader(cells, this.#own))
      return { why: 'header', key };
    if (!TOTAL_START.test(key)) return NOTHING;
    if (isTotal(cells, this.#own, text)) return { why: 'total', key };
    this.#named.add(key);
    return NOTHING;
  }

  /** A name like "Total Gas" in a row of data is a name in a row that lacks the rest, too. */
  isNamed = (key: string): boolean => this.#named.has(key);
}

const NOTHING = { why: undefined, key: '' };

const firstLetter = (text: string): string => (/[^\s\u200b]/.exec(text)?.[0] ?? '').toLowerCase();

function repeatsHeader(cells: readonly RawCell[], own: readonly string[]): boolean {
  const named = own.filter((key) => key !== '').length;
  const same = cells.filter(
    (cell, index) => isText(cell) && headingKey(cell) === own[index] && own[index] !== '',
  );
  return same.length >= 2 ? same.length >= named * 0.6 : named === 1 && same.length === 1;
}

const TOTAL_START = /^(sub)?total|^grantotal|^sumas?(total)?$|^sumade/;
export const TOTAL_ALONE =
  /^((sub)?total(es)?|gransub?total|grantotal|sumas?|sumatotal|total(general|final|mxn|delmes|delperiodo)|totalesgenerales)$/;

/** A supplier may be called "Total Play": a line of totals says nothing else, or leaves all but its sums empty. */
function isTotal(cells: readonly RawCell[], own: readonly string[], text: string): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  const texts = filled.filter((cell) => !isSum(cell));
  const named = own.filter((key) => key !== '').length;
  if (texts.length > 1 && !texts.every((cell) => TOTAL_START.test(headingKey(cellText(cell))))) return false;
  if (TOTAL_ALONE.test(headingKey(text))) return true;
  return named >= 4 && filled.length > 1 && filled.length <= named / 2;
}

const isError = (cell: RawCell): boolean => typeof cell === 'object' && cell !== null && 'error' in cell;

const isText = (cell: RawCell): cell is string => typeof cell === 'string' && !isBlank(cell);

const isFigure = (cell: RawCell): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'object' && cell !== null) ||
  (typeof cell === 'string' && cell.length < 30 && /^[\s$€(-]*\d[\d\s.,:/%)€$-]*$/.test(cell));

/** A month beside the label of a line of totals makes it look like data, so it stays. */
const isSum = (cell: RawCell): boolean =>
  typeof cell === 'number' ||
  isError(cell) ||
  (typeof cell === 'string' && cell.length < 30 && /^[\s$€(-]*\d[\d\s.,]*[)€$\s]*$/.test(cell));

const isBlank = (cell: RawCell | undefined): boolean =>
  cell === null || cell === undefined || (typeof cell === 'string' && cell.trim() === '');

export const isBlankRow = (cells: readonly RawCell[]): boolean => cells.every(isBlank);

export const countFilled = (cells: readonly RawCell[]): number =>
  cells.reduce<number>((sum, cell) => sum + (isBlank(cell) ? 0 : 1), 0);
