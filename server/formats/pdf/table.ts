import { yieldToEventLoop } from '../sheets/event-loop.ts';
import type { Letterhead, RowRole } from '../sheets/sheet.ts';
import { mm, Page, type PageGeometry } from './document.ts';
import {
  type ColumnFit,
  fitColumns,
  GAP,
  PAGE_MARGIN,
  type PaperColumn,
  type PlacedColumn,
} from './fit-columns.ts';
import type { PdfFonts } from './fonts.ts';
import { drawRunningHead, layOutLetterhead, SMALL_SIZE, SOFT_GREY } from './letterhead.ts';
import { type Fonts, wrapToWidth } from './text.ts';

export interface PaperRow {
  role: RowRole | undefined;
  texts: readonly string[];
}

interface Table {
  head: Letterhead;
  columns: readonly PaperColumn[];
  rows: readonly PaperRow[];
  notes: readonly string[];
}

const FOOT_HEIGHT = mm(17);
const FOOT_FROM_BOTTOM = mm(10);
const LATER_PAGE_TABLE_TOP = mm(20);
const FAINT_GREY = 0.82;

export const isSumRow = ({ role }: PaperRow): boolean => role === 'group' || role === 'total';

interface LaidOutRow extends PaperRow {
  lines: readonly (readonly string[])[];
  height: number;
  /** in a table with groups, whether the row begins with the same text as the row above; that text is drawn in grey */
  repeats: boolean;
}

/** A table wider than a page continues on pages side by side before its next rows. */
export async function* drawTablePages(
  { head, columns, rows, notes }: Table,
  fonts: PdfFonts,
): AsyncGenerator<Page> {
  const fit = fitColumns(columns, fonts);
  const { paper, panels } = fit;
  const frame = { paper, left: PAGE_MARGIN, right: paper.width - PAGE_MARGIN, size: fit.size };
  const laidOut = await layOutRows(rows, columns, fit, fonts);
  const top = layOutLetterhead(head, frame, fonts);
  const headings = Math.max(...columns.map(({ heading }) => heading.length)) * leadingOf(fit.size) + 7;
  const pages = paginate(laidOut, {
    firstPageTop: top.bottom + headings,
    laterPageTop: LATER_PAGE_TABLE_TOP + headings,
    bottom: paper.height - FOOT_HEIGHT,
    closingHeight: notes.length * (SMALL_SIZE + 3) + 8,
  });
  const quiet = { size: SMALL_SIZE, grey: SOFT_GREY };
  for (const [number, pageRows] of pages.entries()) {
    for (const [part, panel] of panels.entries()) {
      const page = new Page(fonts, frame);
      if (number === 0 && part === 0) top.draw(page);
      else drawRunningHead(page, head, frame, mm(14), quiet);
      // On pages that lie side by side, rows have the same height.
      let y = (number === 0 ? top.bottom : LATER_PAGE_TABLE_TOP) + headings;
      drawHeadings(page, columns, panel, { ...frame, top: y - headings, bottom: y });
      for (const [index, row] of pageRows.entries()) {
        drawRow(page, row, columns, panel, y, frame, index > 0 && row.repeats);
        y += row.height;
      }
      if (number === pages.length - 1) {
        for (const note of notes) {
          y += SMALL_SIZE + 3;
          page.drawText(note, frame.left, y + 5, quiet);
        }
      }
      const panelNote = panels.length > 1 ? `  ·  columnas ${part + 1} de ${panels.length}` : '';
      const foot = `Página ${number * panels.length + part + 1} de ${pages.length * panels.length}${panelNote}`;
      page.drawText(head.generatedText, frame.left, paper.height - FOOT_FROM_BOTTOM, quiet);
      page.drawTextRight(foot, frame.right, paper.height - FOOT_FROM_BOTTOM, quiet);
      yield page;
    }
  }
}

const leadingOf = (size: number) => size * 1.16;

async function layOutRows(
  rows: readonly PaperRow[],
  columns: readonly PaperColumn[],
  { panels, size }: ColumnFit,
  { regular }: Fonts,
): Promise<LaidOutRow[]> {
  const widths = columns.map(() => Number.POSITIVE_INFINITY);
  for (const { index, width } of panels.flat()) widths[index] = Math.min(widths[index]!, width);
  const hasGroups = rows.some(({ role }) => role === 'group');
  const laidOut: LaidOutRow[] = [];
  for (const [number, row] of rows.entries()) {
    const above = rows[number - 1];
    const repeats =
      hasGroups && row.role === undefined && above?.role === undefined && above?.texts[0] === row.texts[0];
    const lines = row.texts.map((text, index) => {
      if (!text) return [];
      if (isSumRow(row) || columns[index]!.kind !== 'text') return [text];
      return wrapToWidth(text, regular, size, widths[index]!, repeats && index === 0 ? 1 : 2);
    });
    const lineCount = Math.max(1, ...lines.map(({ length }) => length));
    laidOut.push({ ...row, lines, repeats, height: lineCount * leadingOf(size) + (isSumRow(row) ? 6 : 3.5) });
    if (laidOut.length % 300 === 0) await yieldToEventLoop();
  }
  return laidOut;
}

/** In points; `closingHeight` is what the notes need below the rows of the last page. */
interface PageBounds {
  firstPageTop: number;
  laterPageTop: number;
  bottom: number;
  closingHeight: number;
}

/** A sum is never separated from the last row that it sums. */
export function paginate<Row extends { height: number; role?: RowRole }>(
  rows: readonly Row[],
  { firstPageTop, laterPageTop, bottom, closingHeight }: PageBounds,
): Row[][] {
  const pages: Row[][] = [[]];
  let y = firstPageTop;
  for (const [index, row] of rows.entries()) {
    const isLast = index === rows.length - 1;
    if (y + row.height + (isLast ? closingHeight : 0) > bottom && pages.at(-1)!.length > 0) {
      const moved = row.role === undefined ? [] : removeLastRowWithSums(pages.at(-1)!);
      pages.push(moved);
      y = laterPageTop + moved.reduce((sum, { height }) => sum + height, 0);
    }
    pages.at(-1)!.push(row);
    y += row.height;
  }
  return pages;
}

function removeLastRowWithSums<Row extends { role?: RowRole }>(rowsOfPage: Row[]): Row[] {
  let from = rowsOfPage.length;
  while (from > 1 && rowsOfPage[from - 1]!.role !== undefined) from--;
  return from > 1 ? rowsOfPage.splice(from - 1) : [];
}

function drawHeadings(
  page: Page,
  columns: readonly PaperColumn[],
  panel: readonly PlacedColumn[],
  { size, top, bottom }: PageGeometry & { top: number; bottom: number },
): void {
  page.drawRule(top, 0.75);
  for (const column of panel) {
    const { heading, hasHeadingNote, kind } = columns[column.index]!;
    const first = bottom - 5.5 - (heading.length - 1) * leadingOf(size);
    for (const [line, text] of heading.entries()) {
      const isNote = hasHeadingNote && line > 0;
      const style = { size: size - 0.5, bold: !isNote, grey: isNote ? SOFT_GREY : 0 };
      page.drawCell(text, column, first + line * leadingOf(size), kind === 'figure', style);
    }
  }
  page.drawRule(bottom, 0.5);
}

function drawRow(
  page: Page,
  row: LaidOutRow,
  columns: readonly PaperColumn[],
  panel: readonly PlacedColumn[],
  top: number,
  { size }: PageGeometry,
  isQuiet: boolean,
): void {
  const { role, lines, height } = row;
  const bold = isSumRow(row);
  if (role === 'total') page.drawRule(top + 0.4, 0.75);
  for (const [at, { index, x, width }] of panel.entries()) {
    for (const [line, text] of lines[index]!.entries()) {
      const y = top + size + 0.7 + (bold ? 1 : 0) + line * leadingOf(size);
      const isName = bold && at === 0;
      const grey = isQuiet && at === 0 ? 0.6 : 0;
      if (columns[index]!.kind === 'figure' && !isName) page.drawTextRight(text, x + width, y, { bold });
      else page.drawText(text, x, y, { bold, grey, width: isName ? sumLabelWidth(panel, lines) : width });
    }
  }
  const bottom = top + height;
  if (role === 'total') {
    page.drawRule(bottom - 1.8, 0.5);
    page.drawRule(bottom, 0.5);
  } else page.drawRule(bottom, bold ? 0.5 : 0.35, { grey: bold ? 0.25 : FAINT_GREY });
}

function sumLabelWidth(panel: readonly PlacedColumn[], lines: LaidOutRow['lines']): number {
  const [first, ...others] = panel as [PlacedColumn, ...PlacedColumn[]];
  const next = others.find(({ index }) => lines[index]!.length > 0);
  const last = others.at(-1) ?? first;
  return (next ? next.x - GAP : last.x + last.width) - first.x;
}
