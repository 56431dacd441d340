import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DomainError } from '../../../shared/errors.ts';
import { cellText, isEmptyWord, trimCell } from './cell-text.ts';
import { readCsv } from './csv.ts';
import { type ByteSource, decodeText, recognizeEncoding, recognizeFormat } from './decode.ts';
import type { TableInput } from './header.ts';
import {
  countFilled,
  findHeadings,
  isBlankRow,
  LINES_LOOKED_AT,
  LineClassifier,
  type TableHints,
} from './header.ts';
import { limitsFor, megabytes, type TableLimits, tooLarge, unreadable } from './limits.ts';
import type { ParsedTable, RawCell, RawRow, ReadTable } from './table.ts';
import { readXlsx } from './xlsx.ts';

/**
 * Runs in the reading process; rows are passed on some at a time as they come.
 * @throws DomainError with what is wrong with the file
 */
export async function parseTable(input: TableInput, onRows: (rows: RawRow[]) => void): Promise<ParsedTable> {
  const limits = limitsFor('path' in input ? 'command' : 'upload', input.most);
  const { source, sha256, isZip, lines } = await openFile(input, limits);
  let rows: RawRow[] = [];
  const pass = () => {
    onRows(rows);
    rows = [];
  };
  const splitter = new TableSplitter(input, (row) => {
    if (rows.push(row) === ROWS_AT_ONCE) pass();
  });
  const take = (row: RawRow) => splitter.push(row);
  const finish = () => {
    const body = splitter.end();
    if (!body) throw noHeadings();
    pass();
    return body;
  };
  if (isZip) {
    const whole = 'path' in input ? input.path : Buffer.from(input.bytes);
    const { dates1904, ...sheet } = await readXlsx(whole, limits, input, take);
    return { format: 'xlsx', sha256, ...sheet, ...(dates1904 ? { dates1904 } : {}), ...finish() };
  }
  if (input.sheet !== undefined) {
    throw unreadable('El archivo es de texto: no tiene hojas que elegir.', 'unknown_sheet');
  }
  const encoding = await recognizeEncoding(source);
  const delimiter = await readCsv(decodeText(source, encoding), limits, take, lines);
  return { format: 'csv', sha256, encoding, delimiter, ...finish() };
}

/** So many rows cross from process to process in one message. */
const ROWS_AT_ONCE = 500;

async function openFile(input: TableInput, limits: TableLimits) {
  const source = await sourceOf(input, limits);
  const hash = createHash('sha256');
  let isZip: boolean | undefined;
  let [lines, last] = [0, BREAK];
  for await (const bytes of source()) {
    isZip ??= recognizeFormat(bytes) === 'zip';
    hash.update(bytes);
    if (!isZip) for (let at = bytes.indexOf(BREAK); at >= 0; at = bytes.indexOf(BREAK, at + 1)) lines += 1;
    last = bytes.at(-1) ?? last;
  }
  if (last !== BREAK) lines += 1;
  isZip ??= recognizeFormat(new Uint8Array()) === 'zip';
  return { source, sha256: hash.digest('hex'), isZip, lines };
}

const BREAK = 0x0a;

const PIECE = 1024 * 1024;

async function sourceOf(input: TableInput, limits: TableLimits): Promise<ByteSource> {
  if ('bytes' in input) {
    const { bytes } = input;
    requireSize(bytes.length, limits);
    return async function* () {
      for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
    };
  }
  const { path } = input;
  try {
    const file = await stat(path);
    if (file.isDirectory()) throw unreadable(`${path} es una carpeta, no un archivo.`, 'not_a_table');
    requireSize(file.size, limits);
  } catch (error) {
    throw unopened(path, error);
  }
  return async function* () {
    try {
      yield* createReadStream(path, { highWaterMark: PIECE }) as AsyncIterable<Buffer>;
    } catch (error) {
      throw unopened(path, error);
    }
  };
}

function unopened(path: string, error: unknown): unknown {
  if (error instanceof DomainError || !(error instanceof Error && 'code' in error)) return error;
  return error.code === 'ENOENT'
    ? new DomainError('not-found', `No existe el archivo ${path}.`, { code: 'file_not_found' })
    : unreadable(`No se pudo leer el archivo ${path}.`, 'unreadable_file');
}

function requireSize(bytes: number, limits: TableLimits): void {
  if (bytes > limits.fileBytes)
    throw tooLarge(`El archivo pasa de ${megabytes(limits.fileBytes)}, el límite. Divídelo en varios.`);
}

const noHeadings = () =>
  unreadable(
    'No se encontró el renglón de los encabezados: la tabla debe tener uno con los nombres de sus columnas.',
    'no_header',
  );

type TableBody = Pick<ParsedTable, 'header' | 'skipped' | 'census' | 'noRows'>;

const NOTED = 4;

/** Such a line may yet be no row, or matters to whether the next one is. */
interface Doubtful {
  line: number;
  place: number;
  why: 'blank' | 'total' | 'header' | undefined;
  key: string;
  /** passed on as a row */
  cells: readonly RawCell[] | undefined;
}

/**
 * Tells the line of headings, the rows of data below it, and what is neither, while the lines pass. Rows are passed on
 * one by one; those that only the end of the file shows to be none are named then.
 */
class TableSplitter {
  readonly #hints: TableHints;
  readonly #take: (row: RawRow) => void;
  /** until the headings are known */
  #first: RawRow[] | undefined = [];
  #filled = 0;
  #header: ReadTable['header'] | undefined;
  #classifier!: LineClassifier;
  readonly #skipped: ReadTable['skipped'][number][] = [];
  readonly #doubtful: Doubtful[] = [];
  readonly #census = new Census();
  #place = 0;
  #lastFull = 0;

  constructor(hints: TableHints, take: (row: RawRow) => void) {
    this.#hints = hints;
    this.#take = take;
  }

  push(row: RawRow): void {
    if (!this.#first) {
      this.#pass(row);
      return;
    }
    this.#first.push(row);
    if (!isBlankRow(row.cells)) this.#filled += 1;
    if (this.#filled === LINES_LOOKED_AT) this.#begin(this.#first);
  }

  /** Nothing where no line can be the headings. */
  end(): TableBody | undefined {
    if (this.#first) this.#begin(this.#first);
    if (!this.#header) return undefined;
    const noRows: number[] = [];
    let [gap, before] = [false, -1];
    for (const { line, place, why: said, key, cells } of this.#doubtful) {
      if (place !== before + 1) gap = false; // rows as rows should be came between
      before = place;
      const why = said === 'total' && this.#classifier.isNamed(key) ? undefined : said;
      const isNote = !why && gap && line > this.#lastFull && this.#header.names.length >= NOTED;
      gap = why === 'blank' || why === 'total' || isNote;
      if (why || isNote) {
        this.#skipped.push({ line, why: why ?? 'note' });
        if (cells) noRows.push(line);
      } else if (cells) this.#census.add(cells);
    }
    return {
      header: this.#header,
      skipped: this.#skipped,
      noRows,
      census: this.#census.taken,
    };
  }

  #begin(first: readonly RawRow[]): void {
    this.#first = undefined;
    this.#header = findHeadings(first, this.#hints);
    if (!this.#header) return;
    this.#classifier = new LineClassifier(this.#header.names);
    for (const row of first) this.#pass(row);
  }

  #pass(row: RawRow): void {
    if (!this.#header) return;
    const { line, cells } = row;
    const filled = countFilled(cells);
    if (filled > 1) this.#lastFull = line;
    if (line === this.#header.line) return;
    if (line < this.#header.line) {
      this.#skipped.push({ line, why: filled === 0 ? 'blank' : 'title' });
      return;
    }
    const place = this.#place++;
    const { why, key } = this.#classifier.classify(cells);
    // Notes stand below tables of some width.
    if (!why && (filled > 1 || this.#header.names.length < NOTED)) this.#census.add(cells);
    else {
      const isRow = !why || why === 'total';
      this.#doubtful.push({ line, place, why, key, cells: isRow ? cells : undefined });
      if (!isRow) return;
    }
    this.#take(row);
  }
}

class Census {
  readonly #widths = new Map<number, number>();
  readonly #written: boolean[] = [];
  readonly #holding: boolean[] = [];

  add(cells: readonly RawCell[]): void {
    this.#widths.set(cells.length, (this.#widths.get(cells.length) ?? 0) + 1);
    for (const [index, cell] of cells.entries()) {
      if (this.#holding[index]) continue;
      const text = cellText(cell);
      this.#written[index] ||= text.trim() !== '';
      this.#holding[index] = !isEmptyWord(trimCell(text));
    }
  }

  get taken(): ReadTable['census'] {
    return {
      widths: [...this.#widths],
      written: Array.from(this.#written, Boolean),
      holding: Array.from(this.#holding, Boolean),
    };
  }
}
