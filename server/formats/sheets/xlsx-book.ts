import { once } from 'node:events';
import { Writable } from 'node:stream';
import type ExcelJS from 'exceljs';
import type { stream, Worksheet } from 'exceljs';
import type { Letterhead } from './list-export.ts';
import type { Cell } from './sheet.ts';
import { cellValue } from './xlsx-cells.ts';
import { type BookColumn, headLines, sheetName, sheetSetup, writeHead, writeHeadings } from './xlsx-head.ts';
import { type RowStyles, styleOf } from './xlsx-styles.ts';

/** Markup repeats itself so much that the highest levels gain little and cost several times as much. */
const LEVEL = 4;

/**
 * A workbook of one sheet, written by exceljs: letterhead and headings first, then each row that it is given.
 * What has become of them is taken between two of them, else it stays here.
 */
export class XlsxBook {
  readonly #out: Writable;
  readonly #made: Buffer[] = [];
  readonly #broken = new AbortController();
  readonly #workbook: stream.xlsx.WorkbookWriter;
  readonly #sheet: Worksheet;
  readonly #headings: number;
  #row: number;

  private constructor(exceljs: typeof ExcelJS, head: Letterhead, columns: readonly BookColumn[], at: Date) {
    this.#out = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#made.push(chunk);
        done();
      },
    });
    // An error that nobody hears would end the process.
    this.#out.once('pipe', (zip) => zip.on('error', (error) => this.#broken.abort(error)));
    this.#workbook = new exceljs.stream.xlsx.WorkbookWriter({
      stream: this.#out,
      useStyles: true,
      useSharedStrings: false, // all of them would be held
      zip: { zlib: { level: LEVEL } },
    });
    Object.assign(this.#workbook, { creator: 'Saldo', lastModifiedBy: 'Saldo', created: at, modified: at });
    this.#workbook.title = head.title;
    const lines = headLines(head);
    this.#headings = this.#row = lines.length + 2;
    this.#sheet = this.#workbook.addWorksheet(
      sheetName(head.title),
      sheetSetup(head, columns, this.#headings),
    );
    this.#sheet.columns = columns.map(({ width }) => ({ width }));
    writeHead(this.#sheet, lines);
    writeHeadings(this.#sheet.addRow([]), columns);
  }

  static async open(head: Letterhead, columns: readonly BookColumn[], at: Date): Promise<XlsxBook> {
    const { default: exceljs } = await import('exceljs');
    return new XlsxBook(exceljs, head, columns, at);
  }

  /** The number of the row that comes next. */
  get nextRow(): number {
    return this.#row + 1;
  }

  add(cells: readonly Cell[], styles: RowStyles, formulaOf?: (column: number) => string | undefined): void {
    const row = this.#sheet.addRow([]);
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]!;
      const written = row.getCell(index + 1);
      written.value = cellValue(cell, formulaOf?.(index));
      written.style = styleOf(cell, styles);
    }
    row.commit();
    this.#row++;
  }

  /** What is packed by now. */
  *taken(): Generator<Buffer> {
    yield* this.#made.splice(0);
  }

  /**
   * Until the rows are packed that were added: exceljs takes any number of them, however many wait. Only the
   * pipe to its zip says when it has had enough, to whoever writes to it, were it nothing.
   */
  async packed(): Promise<void> {
    this.#broken.signal.throwIfAborted();
    const { stream: sheet } = this.#sheet as unknown as { stream: { pipes: readonly Writable[] } };
    for (const pipe of sheet.pipes)
      if (!pipe.write('')) await once(pipe, 'drain', { signal: this.#broken.signal });
  }

  /** @param filtered the last row and column that the filter of the headings holds */
  async *rest(filtered: { row: number; column: string }): AsyncGenerator<Buffer> {
    this.#sheet.autoFilter = `A${this.#headings}:${filtered.column}${filtered.row}`;
    this.#allowDigits(`A${this.#headings + 1}:${filtered.column}${filtered.row}`);
    await this.packed();
    await this.#workbook.commit();
    yield* this.taken();
  }

  /**
   * A folio or a CLABE is text on purpose, and no cell is marked as a number stored as text (ECMA-376 18.3.1.51). exceljs
   * writes no such element; it stands where the drawing of comments would, of which ours have none.
   */
  #allowDigits(cells: string): void {
    const sheet = this.#sheet as unknown as { stream: Writable; _writeLegacyData: () => void };
    const element = `<ignoredErrors><ignoredError sqref="${cells}" numberStoredAsText="1"/></ignoredErrors>`;
    sheet._writeLegacyData = () => sheet.stream.write(element);
  }

  /** Nobody takes any more of it. */
  drop(): void {
    this.#out.destroy();
  }
}
