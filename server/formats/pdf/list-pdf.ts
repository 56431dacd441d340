import { pluralize } from '../../../shared/counts.ts';
import { formatDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { yieldToEventLoop } from '../sheets/event-loop.ts';
import {
  type Cell,
  type Letterhead,
  type ListExport,
  type RowRole,
  requireRowsAtMost,
} from '../sheets/sheet.ts';
import { Sums } from '../sheets/sums.ts';
import { createPdf, type Page } from './document.ts';
import type { PaperColumn } from './fit-columns.ts';
import type { PdfFonts } from './fonts.ts';
import { drawTablePages, isSumRow, type PaperRow } from './table.ts';
import { type Font, toPrintable, widthOf } from './text.ts';

/** A longer PDF is of no use to anybody. */
const MAX_PDF_ROWS = 10_000;

const ROWS_PER_STEP = 250;

type ListWithLetterhead = readonly [list: ListExport<unknown>, head: Letterhead];

export async function writeListsPdf(
  lists: readonly ListWithLetterhead[],
  { title, at, signal }: { title: string; at: Date; signal?: AbortSignal },
): Promise<Uint8Array<ArrayBuffer>> {
  for (const [list] of lists) requirePdfFits(list, (await list.count?.()) ?? 0);
  const pdf = await createPdf(title, at, lists[0]?.[1].logo);
  const drawAllPages = async function* () {
    for (const one of lists) yield* drawListPages(one, pdf.fonts, signal);
  };
  return pdf.write(drawAllPages(), signal);
}

async function* drawListPages(
  [list, head]: ListWithLetterhead,
  fonts: PdfFonts,
  signal: AbortSignal | undefined,
): AsyncGenerator<Page> {
  const { columns, rows } = await readRows(list, fonts, signal);
  // An empty column would only take space from the others.
  const isColumnUsed = (_: unknown, index: number) => rows.length < 2 || columns[index]!.kind !== undefined;
  const used = rows.map(({ role, texts }) => ({ role, texts: texts.filter(isColumnUsed) }));
  yield* drawTablePages(
    { head, columns: columns.filter(isColumnUsed), rows: used, notes: list.notes ?? [] },
    fonts,
  );
}

function requirePdfFits({ noun }: ListExport<unknown>, found: number): void {
  requireRowsAtMost(
    found,
    MAX_PDF_ROWS,
    (count, most) =>
      `Son ${count} ${noun[1]} y en un PDF caben ${most}. Acota el filtro, o exporta en XLSX o CSV, que llevan todo.`,
  );
}

async function readRows(
  list: ListExport<unknown>,
  fonts: PdfFonts,
  signal: AbortSignal | undefined,
): Promise<{ rows: PaperRow[]; columns: PaperColumn[] }> {
  const { roleOf, pages, sumBreakdown } = list.sheet;
  const all = list.sheet.columns.filter(({ paperCell }) => paperCell !== false);
  const hasKeys = all.some(({ key }) => key);
  const columns = all.map(
    ({ heading, headingLines, key }, index): PaperColumn => ({
      heading: (headingLines ?? splitHeading(heading)).map((line) => toPrintable(line, fonts.bold)),
      hasHeadingNote: headingLines !== undefined,
      kind: undefined,
      isKey: hasKeys ? key === true : index === 0,
      widestTextPerPoint: 0,
      widestWordPerPoint: 0,
    }),
  );
  const rows: PaperRow[] = [];
  const add = (cells: readonly Cell[], role: RowRole | undefined) => {
    const row = { role, texts: cells.map((cell) => cellText(cell, fonts.regular)) };
    rows.push(row);
    for (const [index, text] of row.texts.entries()) {
      if (text === '') continue;
      const column = columns[index]!;
      column.kind ??= columnKindOf(cells[index]!);
      const isText = column.kind === 'text';
      // The label of a sum may extend over the empty cells next to it, so it does not count for the width.
      if (isSumRow(row) && (index === 0 || isText)) continue;
      const font = isSumRow(row) ? fonts.bold : fonts.regular;
      column.widestTextPerPoint = Math.max(column.widestTextPerPoint, widthOf(text, font, 1));
      for (const word of isText ? text.split(' ') : [])
        if (word.length > 16)
          column.widestWordPerPoint = Math.max(column.widestWordPerPoint, widthOf(word, font, 1));
    }
  };
  const sums = new Sums(all, sumBreakdown);
  for await (const page of pages) {
    signal?.throwIfAborted();
    for (const [index, row] of page.entries()) {
      const role = roleOf?.(row);
      const cells = all.map((column) => column.cell(row));
      if (role === undefined) sums.add(cells);
      const shown = all.map(({ paperCell }, at) => (paperCell ? paperCell(row) : cells[at]!));
      add(shown, role);
      if (index % ROWS_PER_STEP === ROWS_PER_STEP - 1) await yieldToEventLoop();
    }
    requirePdfFits(list, rows.length);
    await yieldToEventLoop();
  }
  if (rows.every(({ role }) => role !== 'total')) {
    for (const { cells } of sums.breakdownRows()) add(cells, 'group');
    add(sums.totalRow(pluralize(sums.count, ...list.noun)), 'total');
  }
  return { rows, columns };
}

function columnKindOf(cell: Exclude<Cell, null>): PaperColumn['kind'] {
  if (typeof cell === 'string') return 'text';
  return typeof cell === 'object' && 'date' in cell ? 'date' : 'figure';
}

function cellText(cell: Cell, font: Font): string {
  if (cell === null) return '';
  if (typeof cell !== 'object') return toPrintable(String(cell), font);
  return 'cents' in cell ? formatMoney(cell.cents) : formatDate(cell.date);
}

function splitHeading(heading: string): readonly string[] {
  const spaces = [...heading.matchAll(/ /g)].map(({ index }) => index);
  if (heading.length < 12 || spaces.length === 0) return [heading];
  const middle = heading.length / 2;
  const at = spaces.reduce((best, one) => (Math.abs(one - middle) < Math.abs(best - middle) ? one : best));
  return [heading.slice(0, at), heading.slice(at + 1)];
}
