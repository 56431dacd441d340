import { pluralize } from '../../../shared/counts.ts';
import { formatMoney } from '../../../shared/money.ts';
import { yieldToEventLoop } from './event-loop.ts';
import {
  type Cell,
  type Letterhead,
  type ListExport,
  type RowRole,
  requireRowsAtMost,
  type SheetColumn,
} from './sheet.ts';
import { Sums } from './sums.ts';
import type { BookColumn } from './xlsx-book.ts';
import { columnLetters, ROW_STYLES, XlsxBook } from './xlsx-book.ts';

const MAX_XLSX_ROWS = 1_000_000;

const ROWS_PER_STEP = 50;

/** Written rows are freed late: with 1,000 rows per read, 100,000 invoices took 280 MB instead of 220. */
const ROWS_PER_READ = 250;

/** Keeps at most a page of rows in memory. @throws DomainError too-large */
export async function* generateXlsxChunks<Row>(
  list: ListExport<Row>,
  letterhead: Letterhead,
  at: Date,
): AsyncGenerator<Uint8Array> {
  requireRowsAtMost(
    (await list.count?.()) ?? 0,
    MAX_XLSX_ROWS,
    (found, most) =>
      `Son ${found} ${list.noun[1]} y en una hoja de Excel caben ${most}. Acota el filtro, o expórtalas en CSV, que las lleva todas.`,
  );
  const { columns, pages: read } = list.sheet;
  const pages = toAsyncGenerator('inReadsOf' in read ? read.inReadsOf(ROWS_PER_READ) : read);
  let book: XlsxBook | undefined;
  try {
    const sampled = await readSample(pages);
    const sample = sampled.flat();
    book = await XlsxBook.create(
      letterhead,
      columns.map((column) => toBookColumn(column, sample)),
      at,
    );
    yield* writeWorksheet(list, book, chainPages(sampled, pages));
  } finally {
    book?.discard();
    await pages.return(undefined);
  }
}

async function* writeWorksheet<Row>(
  { sheet: { columns, roleOf, sumBreakdown }, noun, notes = [] }: ListExport<Row>,
  book: XlsxBook,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<Uint8Array> {
  const letters = columns.map((_, index) => columnLetters(index));
  const sums = new Sums(columns, sumBreakdown);
  const firstRow = book.nextRow;
  let groupFrom = firstRow;
  let lastRow = 0;
  /** A sum is written as a formula if its rows add up to it. SUBTOTAL skips other sums among its rows. */
  const sumFormula = (kind: 'groupSums' | 'all', from: number, cells: readonly Cell[]) => {
    const last = lastRow || book.nextRow - 1;
    return (column: number) => {
      const cell = cells[column];
      if (cell === null || typeof cell !== 'object' || !('cents' in cell)) return undefined;
      const isSum = last >= from && cell.cents === sums[kind][column];
      return isSum ? `SUBTOTAL(9,${letters[column]}${from}:${letters[column]}${last})` : undefined;
    };
  };
  const partSumFormula = (text: string) => (column: number) => {
    const cellRange = (letter: string | undefined) => `${letter}${firstRow}:${letter}${lastRow}`;
    return `SUMIFS(${cellRange(letters[column])},${cellRange(letters[sums.breakdownColumn])},"${text}")`;
  };
  const writeRow = (cells: readonly Cell[], role: RowRole | undefined) => {
    if (role === undefined || role === 'apart') {
      if (role === undefined) sums.add(cells);
      book.appendRow(cells, ROW_STYLES.plain);
    } else if (role === 'group') {
      book.appendRow(cells, ROW_STYLES.group, sumFormula('groupSums', groupFrom, cells));
      sums.resetGroup();
      groupFrom = book.nextRow;
    } else {
      lastRow ||= book.nextRow - 1;
      book.appendRow(cells, ROW_STYLES.total, sumFormula('all', firstRow, cells));
    }
  };
  for await (const rows of pages) {
    for (let from = 0; from < rows.length; from += ROWS_PER_STEP) {
      for (const row of rows.slice(from, from + ROWS_PER_STEP)) {
        writeRow(
          columns.map((column) => column.cell(row)),
          roleOf?.(row),
        );
      }
      await yieldToEventLoop();
      yield* book.takeChunks();
    }
    await book.waitUntilDrained();
    yield* book.takeChunks();
  }
  if (lastRow === 0) {
    lastRow = book.nextRow - 1;
    for (const { text, cells } of sums.breakdownRows())
      book.appendRow(cells, ROW_STYLES.group, partSumFormula(text));
    if (sums.all.some((cents) => cents !== undefined))
      writeRow(sums.totalRow(`Total (${pluralize(sums.count, ...noun)})`), 'total');
  }
  if (notes.length > 0) book.appendRow([], ROW_STYLES.plain);
  for (const note of notes) book.appendRow([note], ROW_STYLES.plain);
  yield* book.finish({ row: Math.max(lastRow, firstRow), column: letters.at(-1)! });
}

/** The columns are measured on these rows. One page may be too few, since it may contain only an opening line. */
const SAMPLE_ROWS = 1000;

async function readSample<Row>(pages: AsyncGenerator<readonly Row[]>): Promise<(readonly Row[])[]> {
  const sampled: (readonly Row[])[] = [];
  for (let rows = 0; rows < SAMPLE_ROWS; ) {
    const next = await pages.next();
    if (next.done) break;
    sampled.push(next.value);
    rows += next.value.length;
  }
  return sampled;
}

const MIN_WIDTH = 8;
const MAX_WIDTH = 44;

function toBookColumn<Row>({ heading, cell, sum }: SheetColumn<Row>, sampleRows: readonly Row[]): BookColumn {
  let width = Math.min(heading.length, 16);
  let end = false;
  let cents = 0;
  for (const row of sampleRows) {
    const value = cell(row);
    if (value === null || value === '') continue;
    width = Math.max(width, shownLength(value));
    end ||= typeof value === 'number' || (typeof value === 'object' && 'cents' in value);
    if (sum !== false && typeof value === 'object' && 'cents' in value) cents += value.cents;
  }
  if (cents !== 0) width = Math.max(width, shownLength({ cents }));
  return { heading, isRightAligned: end, width: Math.max(MIN_WIDTH, Math.min(width + 3, MAX_WIDTH)) };
}

function shownLength(value: Exclude<Cell, null>): number {
  if (typeof value !== 'object') return String(value).length;
  return 'cents' in value ? formatMoney(value.cents).length + 2 : 10;
}

async function* toAsyncGenerator<T>(source: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* source;
}

async function* chainPages<T>(sampledPages: T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = sampledPages.shift(); next !== undefined; next = sampledPages.shift()) yield next;
  yield* rest;
}
