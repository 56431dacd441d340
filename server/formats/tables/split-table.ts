import { cellText } from './cell-text.ts';
import { countFilled, findTableHeader, isBlank, isText, type TableHints } from './header.ts';
import { headingKey } from './headings.ts';
import type { RawCell, RawRow, RawTable } from './table.ts';

/** Only a table of at least this many columns may have notes below it. */
const MIN_COLUMNS_WITH_NOTES = 4;

/** @returns undefined where no line can be the headings */
export function splitTableLines(
  lines: readonly RawRow[],
  hints: TableHints,
): Pick<RawTable, 'header' | 'rows' | 'skipped'> | undefined {
  const header = findTableHeader(lines, hints);
  if (!header) return undefined;
  const rows: RawRow[] = [];
  const skipped: RawTable['skipped'][number][] = [];
  const classify = createLineClassifier(header.names);
  const classes = lines.map(({ line, cells }) => (line > header.line ? classify(cells) : undefined));
  // If "Total Gas" is a name in one row of data, it is also a name in a row without further cells.
  const named = new Set(classes.map((one) => one && one.why !== 'total' && one.key));
  const lastFull = lines.findLast(({ cells }) => countFilled(cells) > 1)?.line ?? 0;
  let isGap = false; // whether the previous line was blank or a total: only notes can follow
  for (const [index, row] of lines.entries()) {
    const { line, cells } = row;
    const lineClass = classes[index];
    if (!lineClass) {
      if (line < header.line)
        skipped.push(countFilled(cells) ? { line, why: 'title', titleCells: cells } : { line, why: 'blank' });
      continue;
    }
    const why = lineClass.why === 'total' && named.has(lineClass.key) ? undefined : lineClass.why;
    const isNote: boolean = !why && isGap && line > lastFull && header.names.length >= MIN_COLUMNS_WITH_NOTES;
    isGap = why === 'blank' || why === 'total' || isNote;
    if (row.hidden && hints.hidden === 'skip') skipped.push({ line, why: why ?? 'hidden' });
    else if (why || isNote) skipped.push({ line, why: why ?? 'note' });
    else rows.push(row);
  }
  return { header, rows, skipped };
}

interface LineClass {
  why?: 'blank' | 'header' | 'total';
  /** of a line that begins like a total: its first text as a heading key */
  key?: string;
}

function createLineClassifier(names: readonly string[]): (cells: readonly RawCell[]) => LineClass {
  const headingKeys = names.map(headingKey);
  // Nearly every line is classified by its first letter alone.
  const starts = new Set(['t', 's', 'g', ...names.map(firstLetter)]);
  return (cells) => {
    const first = cells.findIndex((cell) => !isBlank(cell));
    if (first < 0) return { why: 'blank' };
    const text = cells[first];
    if (typeof text !== 'string' || !starts.has(firstLetter(text))) return DATA_LINE_CLASS;
    const key = headingKey(text.slice(0, 100));
    if (key !== '' && key === headingKeys[first] && repeatsHeader(cells, headingKeys))
      return { why: 'header' };
    if (!TOTAL_START_PATTERN.test(key)) return DATA_LINE_CLASS;
    return EXPORTED_TOTAL_PATTERN.test(text) || isTotalLine(cells, headingKeys, key)
      ? { why: 'total', key }
      : { key };
  };
}

const DATA_LINE_CLASS: LineClass = {};

const firstLetter = (text: string): string => (/[^\s\u200b]/.exec(text)?.[0] ?? '').toLowerCase();

function repeatsHeader(cells: readonly RawCell[], headingKeys: readonly string[]): boolean {
  const named = headingKeys.filter((key) => key !== '').length;
  const same = cells.filter(
    (cell, index) => isText(cell) && headingKey(cell) === headingKeys[index] && headingKeys[index] !== '',
  );
  return same.length >= 2 ? same.length >= named * 0.6 : named === 1 && same.length === 1;
}

const TOTAL_START_PATTERN = /^(sub)?total|^grantotal|^sumas?(total)?$|^sumade/;
export const TOTAL_ALONE_PATTERN =
  /^((sub)?total(es)?|gransub?total|grantotal|sumas?|sumatotal|total(general|final|mxn|delmes|delperiodo)|totalesgenerales)$/;

/** Our own exports write the number of rows next to their sums. */
const EXPORTED_TOTAL_PATTERN = /^Total \(\d/;

/** "Total Play" may be a supplier: a line is a total if its label says nothing else, or if only sums follow it. */
function isTotalLine(cells: readonly RawCell[], headingKeys: readonly string[], key: string): boolean {
  const filled = cells.filter((cell) => !isBlank(cell));
  const texts = filled.filter((cell) => !isSumCell(cell));
  const named = headingKeys.filter((one) => one !== '').length;
  if (texts.length > 1 && !texts.every((cell) => TOTAL_START_PATTERN.test(headingKey(cellText(cell)))))
    return false;
  return TOTAL_ALONE_PATTERN.test(key) || (named >= 4 && filled.length > 1 && filled.length <= named / 2);
}

/** A date next to the label does not count, because a line with a date is a row of data. */
const isSumCell = (cell: RawCell): boolean =>
  typeof cell === 'number' ||
  (typeof cell === 'object' && cell !== null && !('date' in cell)) ||
  (typeof cell === 'string' && cell.length < 30 && /^[\s$€(-]*\d[\d\s.,]*[)€$\s]*$/.test(cell));
