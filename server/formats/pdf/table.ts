import type { Letterhead } from '../sheets/list-export.ts';
import { nextStep } from '../sheets/next-step.ts';
import { type Fonts, LETTER, mm, type PdfPage } from './file.ts';
import { type Fit, fitColumns, GAP, type PaperColumn, type PlacedColumn } from './fit.ts';
import { drawHead, NEXT_TABLE_TOP, type PaperFrame, SMALL, SOFT, tableTop } from './head.ts';
import { Page } from './page.ts';
import type { PaperRow } from './paper-row.ts';
import { drawRunningHead } from './sender.ts';
import { wrap } from './text.ts';

interface Table {
  head: Letterhead;
  columns: readonly PaperColumn[];
  rows: readonly PaperRow[];
  notes: readonly string[];
}

/** What stays free at the left and right, and below the table. */
const MARGIN = mm(13);
const FOOT = mm(17);
const FOOT_LINE = mm(10);
const FAINT = 0.82;

interface SetRow extends PaperRow {
  /** each cell broken into lines */
  lines: readonly (readonly string[])[];
  height: number;
}

/** The pages one after the other. What is wider than a page follows on the next before the rows go on. */
export async function layOutTable(
  { head, columns, rows, notes }: Table,
  fonts: Fonts,
): Promise<Generator<PdfPage>> {
  const fit = fitColumns(columns, roomOf, fonts);
  const paper = paperOf(fit.landscape);
  const frame = { paper, left: MARGIN, right: paper.width - MARGIN, size: fit.size };
  const set = await setRows(rows, columns, fit, fonts);
  const pages = paginate(set, {
    first: tableTop(head, frame, fonts) + headingHeight(columns, fit.size),
    next: NEXT_TABLE_TOP + headingHeight(columns, fit.size),
    bottom: paper.height - FOOT,
    closing: notes.length * (SMALL + 3) + 8,
  });
  return drawPages({ head, columns, notes, fit, frame, pages }, fonts);
}

const paperOf = (landscape: boolean) => (landscape ? { width: LETTER.height, height: LETTER.width } : LETTER);

const roomOf = (landscape: boolean) => ({ left: MARGIN, width: paperOf(landscape).width - 2 * MARGIN });

const leadingOf = (size: number) => size * 1.16;

const headingHeight = (columns: readonly PaperColumn[], size: number) =>
  Math.max(...columns.map(({ heading }) => heading.length)) * leadingOf(size) + 7;

async function setRows(
  rows: readonly PaperRow[],
  columns: readonly PaperColumn[],
  { panels, size }: Fit,
  { regular }: Fonts,
): Promise<SetRow[]> {
  const widths = columns.map(() => Number.POSITIVE_INFINITY);
  for (const { index, width } of panels.flat()) widths[index] = Math.min(widths[index]!, width);
  const hasGroups = rows.some(({ role }) => role === 'group');
  let above: string | undefined;
  const set: SetRow[] = [];
  for (const row of rows) {
    const isSum = row.role === 'group' || row.role === 'total';
    const lines = row.texts.map((text, index) => {
      const { isFigure, isFixed } = columns[index]!;
      if (!text) return [];
      if (isFigure || isFixed || isSum) return [text];
      // A name that repeats the one above it is short, and drawn quietly.
      const repeats = hasGroups && index === 0 && text === above;
      return wrap(text, regular, size, widths[index]!, repeats ? 1 : 2);
    });
    above = row.role === undefined ? row.texts[0] : undefined;
    const most = Math.max(1, ...lines.map(({ length }) => length));
    set.push({ ...row, lines, height: most * leadingOf(size) + (isSum ? 6 : 3.5) });
    if (set.length % 300 === 0) await nextStep();
  }
  return set;
}

interface Room {
  first: number;
  next: number;
  bottom: number;
  closing: number;
}

/** Which rows stand on which page; a sum never stands apart from the last of what it sums. */
function paginate(rows: readonly SetRow[], { first, next, bottom, closing }: Room): SetRow[][] {
  const pages: SetRow[][] = [[]];
  let y = first;
  for (const [index, row] of rows.entries()) {
    const isLast = index === rows.length - 1;
    if (y + row.height + (isLast ? closing : 0) > bottom && pages.at(-1)!.length > 0) {
      const moved = takeBack(pages.at(-1)!, row);
      pages.push(moved);
      y = next + moved.reduce((sum, { height }) => sum + height, 0);
    }
    pages.at(-1)!.push(row);
    y += row.height;
  }
  return pages;
}

/** The rows that go to the next page with a sum: those before it up to one that is none. */
function takeBack(page: SetRow[], row: SetRow): SetRow[] {
  if (row.role === undefined) return [];
  let from = page.length;
  while (from > 1 && page[from - 1]!.role !== undefined) from--;
  return from > 1 ? page.splice(from - 1) : [];
}

interface Drawing {
  head: Letterhead;
  columns: readonly PaperColumn[];
  notes: readonly string[];
  fit: Fit;
  frame: PaperFrame;
  pages: readonly (readonly SetRow[])[];
}

function* drawPages(drawing: Drawing, fonts: Fonts): Generator<PdfPage> {
  const { head, columns, notes, fit, frame, pages } = drawing;
  const { paper, left, right, size } = frame;
  const many = fit.panels.length;
  const hasGroups = pages.some((rows) => rows.some(({ role }) => role === 'group'));
  for (const [number, rows] of pages.entries()) {
    for (const [part, panel] of fit.panels.entries()) {
      const page = new Page(fonts, { left, right, size, paper });
      const isFirst = number === 0 && part === 0;
      let y = NEXT_TABLE_TOP;
      if (isFirst) drawHead(page, head, frame);
      else drawRunningHead(page, head, frame, mm(14), { size: SMALL, grey: SOFT });
      // The same rows stand at the same height on pages that lie side by side.
      if (number === 0) y = tableTop(head, frame, fonts);
      y = drawHeadings(page, columns, panel, y, frame);
      let above: SetRow | undefined;
      for (const row of rows) {
        const repeats = hasGroups && above?.role === undefined && above?.texts[0] === row.texts[0];
        drawRow(page, row, columns, panel, y, frame, repeats && row.role === undefined);
        y += row.height;
        above = row;
      }
      if (number === pages.length - 1) {
        for (const note of notes) {
          y += SMALL + 3;
          page.text(note, left, y + 5, { size: SMALL, grey: SOFT });
        }
      }
      const which = many > 1 ? `  ·  columnas ${part + 1} de ${many}` : '';
      const foot = `Página ${number * many + part + 1} de ${pages.length * many}${which}`;
      page.end(foot, right, paper.height - FOOT_LINE, { size: SMALL, grey: SOFT });
      yield page;
    }
  }
}

/** @returns where the first row goes */
function drawHeadings(
  page: Page,
  columns: readonly PaperColumn[],
  panel: readonly PlacedColumn[],
  top: number,
  { size }: PaperFrame,
): number {
  const height = headingHeight(columns, size);
  page.rule(top, 0.75);
  for (const { index, x, width } of panel) {
    const { heading, hasNote, isFigure } = columns[index]!;
    // Headings stand on the same line at their foot.
    const first = top + height - 5.5 - (heading.length - 1) * leadingOf(size);
    for (const [line, text] of heading.entries()) {
      const isNote = hasNote && line > 0;
      const style = { size: size - 0.5, bold: !isNote, grey: isNote ? SOFT : 0 };
      const y = first + line * leadingOf(size);
      if (isFigure) page.end(text, x + width, y, style);
      else page.text(text, x, y, { ...style, width });
    }
  }
  page.rule(top + height, 0.5);
  return top + height;
}

function drawRow(
  page: Page,
  { role, lines, height }: SetRow,
  columns: readonly PaperColumn[],
  panel: readonly PlacedColumn[],
  top: number,
  { size, left, right }: PaperFrame,
  repeats: boolean,
): void {
  const bold = role === 'group' || role === 'total';
  if (role === 'total') page.rule(top + 0.4, 0.75);
  for (const [at, { index, x, width }] of panel.entries()) {
    const cell = lines[index]!;
    for (const [line, text] of cell.entries()) {
      const y = top + size + 0.7 + (bold ? 1 : 0) + line * leadingOf(size);
      // What a sum is called stands first and may reach over what is empty beside it.
      const isName = bold && at === 0;
      if (columns[index]!.isFigure && !isName) page.end(text, x + width, y, { bold });
      else {
        const grey = repeats && at === 0 ? 0.6 : 0;
        page.text(text, x, y, { bold, grey, width: isName ? reach(panel, lines) : width });
      }
    }
  }
  const bottom = top + height;
  if (role === 'total') {
    page.rule(bottom - 1.8, 0.5, { x: left, width: right - left });
    page.rule(bottom, 0.5, { x: left, width: right - left });
  } else page.rule(bottom, bold ? 0.5 : 0.35, { grey: bold ? 0.25 : FAINT });
}

/** From the first column on to the next that holds something. */
function reach(panel: readonly PlacedColumn[], lines: SetRow['lines']): number {
  const [first, ...others] = panel;
  const next = others.find(({ index }) => lines[index]!.length > 0);
  if (!next) return others.reduce((width, column) => width + GAP + column.width, first!.width);
  return next.x - GAP - first!.x;
}
