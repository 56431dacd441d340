import { once } from 'node:events';
import { Writable } from 'node:stream';
import type ExcelJS from 'exceljs';
import type {
  Alignment,
  CellRichTextValue,
  CellValue,
  Font,
  PaperSize,
  Row,
  Style,
  stream,
  Worksheet,
} from 'exceljs';
import type { Cell, Letterhead } from './sheet.ts';

/** The XML is so repetitive that higher levels gain little and cost several times as much. */
const COMPRESSION_LEVEL = 4;

export class XlsxBook {
  readonly #out: Writable;
  readonly #chunks: Buffer[] = [];
  readonly #broken = new AbortController();
  readonly #workbook: stream.xlsx.WorkbookWriter;
  readonly #sheet: Worksheet;
  readonly #headings: number;
  #row: number;

  private constructor(exceljs: typeof ExcelJS, head: Letterhead, columns: readonly BookColumn[], at: Date) {
    this.#out = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.#chunks.push(chunk);
        done();
      },
    });
    // An "error" event without a listener would end the process.
    this.#out.once('pipe', (zip) => zip.on('error', (error) => this.#broken.abort(error)));
    this.#workbook = new exceljs.stream.xlsx.WorkbookWriter({
      stream: this.#out,
      useStyles: true,
      useSharedStrings: false, // shared strings would all be held in memory
      zip: { zlib: { level: COMPRESSION_LEVEL } },
    });
    Object.assign(this.#workbook, { creator: 'Saldo', lastModifiedBy: 'Saldo', created: at, modified: at });
    this.#workbook.title = head.title;
    const lines = layOutLetterheadLines(head);
    this.#headings = this.#row = lines.length + 2;
    this.#sheet = this.#workbook.addWorksheet(
      worksheetName(head.title),
      createWorksheetSetup(head, columns, this.#headings),
    );
    this.#sheet.columns = columns.map(({ width }) => ({ width }));
    writeHead(this.#sheet, lines);
    writeHeadings(this.#sheet.addRow([]), columns);
  }

  static async create(head: Letterhead, columns: readonly BookColumn[], at: Date): Promise<XlsxBook> {
    const { default: exceljs } = await import('exceljs');
    return new XlsxBook(exceljs, head, columns, at);
  }

  get nextRow(): number {
    return this.#row + 1;
  }

  appendRow(
    cells: readonly Cell[],
    styles: RowStyles,
    formulaOf?: (column: number) => string | undefined,
  ): void {
    const row = this.#sheet.addRow([]);
    for (let index = 0; index < cells.length; index++) {
      const cell = cells[index]!;
      const written = row.getCell(index + 1);
      written.value = cellValue(cell, formulaOf?.(index));
      written.style = styleOfCell(cell, styles);
    }
    row.commit();
    this.#row++;
  }

  *takeChunks(): Generator<Buffer> {
    yield* this.#chunks.splice(0);
  }

  /** exceljs accepts any number of rows. Only an empty write to its zip's pipe tells whether the pipe is full. */
  async waitUntilDrained(): Promise<void> {
    this.#broken.signal.throwIfAborted();
    const { stream: sheet } = this.#sheet as unknown as { stream: { pipes: readonly Writable[] } };
    for (const pipe of sheet.pipes)
      if (!pipe.write('')) await once(pipe, 'drain', { signal: this.#broken.signal });
  }

  /** @param filtered the last row and column covered by the headings' filter */
  async *finish(filtered: { row: number; column: string }): AsyncGenerator<Buffer> {
    this.#sheet.autoFilter = `A${this.#headings}:${filtered.column}${filtered.row}`;
    this.#ignoreNumberWarnings(`A${this.#headings + 1}:${filtered.column}${filtered.row}`);
    await this.waitUntilDrained();
    await this.#workbook.commit();
    yield* this.takeChunks();
  }

  /** Excel warns of numbers stored as text (ECMA-376 18.3.1.51); exceljs lacks the element that prevents this. */
  #ignoreNumberWarnings(cells: string): void {
    const sheet = this.#sheet as unknown as { stream: Writable; _writeLegacyData: () => void };
    const element = `<ignoredErrors><ignoredError sqref="${cells}" numberStoredAsText="1"/></ignoredErrors>`;
    sheet._writeLegacyData = () => sheet.stream.write(element);
  }

  discard(): void {
    this.#out.destroy();
  }
}

const INK_COLOUR = 'FF2B2A27';
const SOFT_COLOUR = 'FF6B6862';
const BOLD_FONT = { name: 'Calibri', size: 10, bold: true, color: { argb: INK_COLOUR } };
const createBorderLine = (style: 'hair' | 'thin' | 'double', argb = INK_COLOUR) => ({
  style,
  color: { argb },
});
/** The indent separates a text from a figure that ends in the column before. */
const TEXT_ALIGNMENT = { horizontal: 'left', indent: 1 } as const;

export interface BookColumn {
  heading: string;
  width: number;
  isRightAligned: boolean;
}

/** The format's code for paper of US letter size (ECMA-376 18.3.1.63). */
const LETTER_PAPER = 1 as PaperSize;
const MAX_CHARACTERS_ACROSS = 220;

const HEAD_FILL_COLOUR = 'FFEFECE4';

function createWorksheetSetup(head: Letterhead, columns: readonly BookColumn[], headings: number) {
  const pagesAcross = Math.ceil(columns.reduce((sum, { width }) => sum + width, 0) / MAX_CHARACTERS_ACROSS);
  const first = `A${headings + 1}`;
  return {
    views: [{ state: 'frozen' as const, ySplit: headings, topLeftCell: first, activeCell: first }],
    pageSetup: {
      paperSize: LETTER_PAPER,
      orientation: 'landscape' as const,
      fitToPage: true,
      fitToWidth: pagesAcross,
      fitToHeight: 0,
      printTitlesRow: `${headings}:${headings}`,
      ...(pagesAcross > 1 && { printTitlesColumn: 'A:B' }), // the first two columns identify the rows
      margins: { left: 0.4, right: 0.4, top: 0.5, bottom: 0.6, header: 0.3, footer: 0.3 },
    },
    headerFooter: { oddFooter: `&L${head.title.replaceAll('&', '&&')}&RPágina &P de &N` },
  };
}

interface LetterheadLine {
  text: string;
  font: Partial<Font>;
}

function layOutLetterheadLines({
  empresa,
  rfc,
  direccion,
  title,
  filters,
  generatedText,
}: Letterhead): LetterheadLine[] {
  const address = [rfc && `RFC ${rfc}`, direccion.replace(/\s+/g, ' ')].filter(Boolean).join('  ·  ');
  const filterText = filters.map(({ label, value }) => `${label}: ${value}`).join('  ·  ');
  const lines: LetterheadLine[] = [
    { text: empresa, font: { size: 12, bold: true, color: { argb: INK_COLOUR } } },
    { text: address, font: {} },
    { text: title, font: { size: 14, bold: true, color: { argb: INK_COLOUR } } },
    { text: filterText, font: { color: { argb: INK_COLOUR } } },
    { text: generatedText, font: {} },
  ];
  return lines.filter(({ text }) => text !== '');
}

function writeHead(sheet: Worksheet, lines: readonly LetterheadLine[]): void {
  for (const { text, font } of lines) {
    const row = sheet.addRow([textValue(text)]);
    row.getCell(1).font = { name: 'Calibri', size: 10, color: { argb: SOFT_COLOUR }, ...font };
    row.commit();
  }
  sheet.addRow([]).commit();
}

function writeHeadings(row: Row, columns: readonly BookColumn[]): void {
  const lines = Math.max(
    ...columns.map(({ heading, width }) => Math.ceil((heading.length + 1) / (width - 2))),
  );
  row.height = lines === 1 ? 18 : Math.min(lines, 4) * 15;
  for (const [index, { heading, isRightAligned: end }] of columns.entries()) {
    const cell = row.getCell(index + 1);
    cell.value = textValue(heading);
    cell.style = end ? HEADING_STYLES.isRightAligned : HEADING_STYLES.start;
  }
  row.commit();
}

const headingStyle = (place: Partial<Alignment>): Partial<Style> => ({
  font: BOLD_FONT,
  fill: { type: 'pattern', pattern: 'solid', fgColor: { argb: HEAD_FILL_COLOUR } },
  border: { top: createBorderLine('thin'), bottom: createBorderLine('thin') },
  alignment: { vertical: 'middle', ...place, wrapText: true },
});
const HEADING_STYLES = {
  start: headingStyle(TEXT_ALIGNMENT),
  isRightAligned: headingStyle({ horizontal: 'right' }),
};

/** A sheet's name has at most 31 characters, some of which are not allowed. */
const worksheetName = (title: string): string =>
  title
    .replace(/[*?:\\/[\]']/g, ' ')
    .slice(0, 31)
    .trim();

/** A formula is written with its result, for readers that do not calculate. */
function cellValue(cell: Cell, formula?: string): CellValue {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') return textValue(cell);
  if ('date' in cell) return new Date(`${cell.date}T00:00:00Z`); // dates in a workbook have no zone; exceljs writes UTC
  const amount = cell.cents / 100;
  return formula ? { formula, result: amount } : amount;
}

/** Line breaks, and spaces at the ends, are only preserved in rich text. */
function textValue(text: string): string | CellRichTextValue {
  const written = escapeXmlText(text);
  return /^\s|\n|\s$/.test(written) ? { richText: [{ text: written }] } : written;
}

const MAX_CELL_LENGTH = 32_767;

/** Removes characters that XML 1.0 cannot contain, and escapes texts like "_x0041_" (ECMA-376 22.9.2.19). */
function escapeXmlText(text: string): string {
  if (!UNSAFE_PATTERN.test(text)) return text;
  return text
    .slice(0, MAX_CELL_LENGTH)
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(UNWRITABLE_PATTERN, '')
    .replace(/\r\n?/g, '\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this pattern finds
const UNWRITABLE_PATTERN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this pattern finds
const UNSAFE_PATTERN = /[\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]|_x|^.{32767}/is;

export const columnLetters = (index: number): string =>
  (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26));

const NUMBER_FORMATS = {
  text: '@',
  whole: 'General',
  money: '"$"#,##0.00;[Red]-"$"#,##0.00',
  date: 'dd/mm/yyyy',
} as const;
type CellKind = keyof typeof NUMBER_FORMATS;

type RowStyles = Readonly<Record<CellKind, Partial<Style>>>;

function styleOfCell(cell: Cell, styles: RowStyles): Partial<Style> {
  if (cell === null || typeof cell === 'string') return styles.text;
  if (typeof cell === 'number') return styles.whole;
  return 'date' in cell ? styles.date : styles.money;
}

function createRowStyles(base: Partial<Style>): RowStyles {
  const createCellStyle = (kind: CellKind, place: Partial<Style['alignment']>): Partial<Style> => ({
    ...base,
    numFmt: NUMBER_FORMATS[kind],
    alignment: { vertical: 'top', ...place },
  });
  return {
    text: createCellStyle('text', TEXT_ALIGNMENT),
    whole: createCellStyle('whole', { horizontal: 'right' }),
    money: createCellStyle('money', { horizontal: 'right' }),
    date: createCellStyle('date', { horizontal: 'center' }),
  };
}

export const ROW_STYLES = {
  plain: createRowStyles({ font: { name: 'Calibri', size: 10, color: { argb: INK_COLOUR } } }),
  group: createRowStyles({
    font: BOLD_FONT,
    border: { top: createBorderLine('hair', SOFT_COLOUR), bottom: createBorderLine('thin', SOFT_COLOUR) },
  }),
  total: createRowStyles({
    font: BOLD_FONT,
    border: { top: createBorderLine('thin'), bottom: createBorderLine('double') },
  }),
} as const;
