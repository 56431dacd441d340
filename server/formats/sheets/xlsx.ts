import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import type { Letterhead, ListExport } from './list-export.ts';
import { nextStep } from './next-step.ts';
import type { Cell, RowRole, SheetColumn } from './sheet.ts';
import { PartSums, Sums } from './sums.ts';
import { type Book, type BookColumn, makeBook } from './xlsx-book.ts';
import { columnLetters, escapeText, rowXml } from './xlsx-rows.ts';
import { zipChunks } from './zip-chunks.ts';

/** A sheet of Excel's ends at row 1,048,576. */
export const MOST_XLSX_ROWS = 1_000_000;

/** Written between two steps: a few milliseconds of work. */
const ROWS_A_STEP = 200;

/**
 * A list as a workbook (ECMA-376), made while it is taken: letterhead, frozen headings, real dates and
 * figures, and the sums as formulas. No more than a page of rows is held.
 * @throws DomainError too-large
 */
export async function* xlsxChunks<Row>(
  list: ListExport<Row>,
  head: Letterhead,
  at: Date,
): AsyncGenerator<Uint8Array> {
  await requireRoom(list);
  const { columns } = list.sheet;
  const pages = toAsync(list.sheet.pages);
  try {
    const taken = await takeSome(pages);
    const sample = taken.flat();
    const book = await makeBook(
      head,
      columns.map((column) => measure(column, sample)),
      at,
    );
    const written = { lastRow: 0 }; // of the rows that may be filtered, sums below them aside
    const rows = sheetXml(list, book, resumed(taken, pages), written);
    yield* zipChunks(packageFiles(book, rows, written));
  } finally {
    await pages.return(undefined);
  }
}

async function requireRoom<Row>({ count, noun }: ListExport<Row>): Promise<void> {
  const found = (await count?.()) ?? 0;
  if (found <= MOST_XLSX_ROWS) return;
  const [has, most] = [found, MOST_XLSX_ROWS].map((number) => number.toLocaleString('en-US'));
  throw new DomainError(
    'too-large',
    `Son ${has} ${noun[1]} y en una hoja de Excel caben ${most}. Acota el filtro, o expórtalas en CSV, que las lleva todas.`,
    { code: 'too_many_rows' },
  );
}

/** The sheet first: how many rows there are, other files say too. */
function* packageFiles(
  book: Book,
  rows: AsyncIterable<Buffer>,
  written: { lastRow: number },
): Generator<[string, AsyncIterable<Buffer> | Iterable<Buffer>]> {
  yield ['xl/worksheets/sheet1.xml', rows];
  for (const [name, content] of book.files(written.lastRow)) yield [name, [content]];
}

async function* sheetXml<Row>(
  { sheet: { columns, roleOf, parts }, noun, notes = [] }: ListExport<Row>,
  book: Book,
  pages: AsyncIterable<readonly Row[]>,
  written: { lastRow: number },
): AsyncGenerator<Buffer> {
  const letters = columns.map((_, index) => columnLetters(index));
  const sums = new Sums(columns);
  const partSums = new PartSums(columns, parts);
  let groupFrom = book.firstRow;
  let next = book.firstRow;
  let count = 0;
  let xml = book.before;
  /** A sum that is what its rows add up to is a formula; SUBTOTAL passes over the sums among its rows. */
  const formula = (kind: 'group' | 'all', from: number, cells: readonly Cell[]) => (column: number) => {
    const cell = cells[column] as { cents: number };
    const last = written.lastRow || next - 1;
    const isSum = last >= from && cell.cents === sums[kind][column];
    return isSum ? `SUBTOTAL(9,${letters[column]}${from}:${letters[column]}${last})` : undefined;
  };
  const partFormula = (text: string) => (column: number) => {
    const rowsOf = (letter: string | undefined) => `${letter}${book.firstRow}:${letter}${written.lastRow}`;
    return `SUMIFS(${rowsOf(letters[column])},${rowsOf(letters[partSums.column])},"${text}")`;
  };
  const write = (cells: readonly Cell[], role: RowRole | undefined) => {
    if (role === undefined || role === 'apart') {
      if (role === undefined) {
        sums.add(cells);
        partSums.add(cells);
      }
      xml += rowXml(next, cells, letters, book.styles.plain);
    } else if (role === 'group') {
      xml += rowXml(next, cells, letters, book.styles.group, formula('group', groupFrom, cells));
      sums.closeGroup();
      groupFrom = next + 1;
    } else {
      written.lastRow ||= next - 1;
      xml += rowXml(next, cells, letters, book.styles.total, formula('all', book.firstRow, cells));
    }
    next++;
  };
  for await (const rows of pages) {
    for (let index = 0; index < rows.length; index++) {
      const row = rows[index]!;
      const cells = columns.map((column) => column.cell(row));
      write(cells, roleOf?.(row));
      count++;
      if (index % ROWS_A_STEP === ROWS_A_STEP - 1) {
        yield Buffer.from(xml);
        xml = '';
        await nextStep();
      }
    }
    await nextStep();
  }
  if (written.lastRow === 0) {
    written.lastRow = next - 1;
    for (const { text, cells } of partSums.rows(sums.all))
      xml += rowXml(next++, cells, letters, book.styles.group, partFormula(text));
    if (sums.all.some((cents) => cents !== undefined))
      write(
        sums.totalRow(`Total (${count.toLocaleString('en-US')} ${count === 1 ? noun[0] : noun[1]})`),
        'total',
      );
  }
  written.lastRow = Math.max(written.lastRow, book.firstRow);
  next++;
  for (const note of notes) xml += noteXml(next++, note, book);
  yield Buffer.from(xml + book.after(written.lastRow));
}

const noteXml = (number: number, note: string, { styles }: Book): string =>
  `<row r="${number}"><c r="A${number}" s="${styles.plain.text}" t="inlineStr"><is><t>${escapeText(note)}</t></is></c></row>`;

/** So many rows say how wide columns are: a short first page, such as the line above the others, does not. */
const SAMPLE_ROWS = 200;

async function takeSome<Row>(pages: AsyncGenerator<readonly Row[]>): Promise<(readonly Row[])[]> {
  const taken: (readonly Row[])[] = [];
  for (let rows = 0; rows < SAMPLE_ROWS; ) {
    const next = await pages.next();
    if (next.done) break;
    taken.push(next.value);
    rows += next.value.length;
  }
  return taken;
}

const NARROWEST = 8;
const WIDEST = 44;

/** As wide as most of what its first rows hold, and their sum, within bounds. */
function measure<Row>({ heading, cell, sum }: SheetColumn<Row>, sample: readonly Row[]): BookColumn {
  let width = Math.min(heading.length, 16);
  let end = false;
  let cents = 0;
  for (const row of sample) {
    const value = cell(row);
    if (value === null || value === '') continue;
    width = Math.max(width, lettersOf(value));
    end ||= typeof value === 'number' || (typeof value === 'object' && 'cents' in value);
    if (sum !== false && typeof value === 'object' && 'cents' in value) cents += value.cents;
  }
  if (cents !== 0) width = Math.max(width, lettersOf({ cents }));
  return { heading, end, width: Math.max(NARROWEST, Math.min(width + 3, WIDEST)) };
}

function lettersOf(value: Exclude<Cell, null>): number {
  if (typeof value !== 'object') return String(value).length;
  return 'cents' in value ? formatMoney(value.cents).length + 2 : 10;
}

async function* toAsync<T>(source: AsyncIterable<T> | Iterable<T>): AsyncGenerator<T> {
  yield* source;
}

async function* resumed<T>(taken: T[], rest: AsyncGenerator<T>): AsyncGenerator<T> {
  for (let next = taken.shift(); next !== undefined; next = taken.shift()) yield next;
  yield* rest;
}
