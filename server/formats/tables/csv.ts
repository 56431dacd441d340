import Papa from 'papaparse';
import { scoreHeadings } from './headings.ts';
import { type TableLimits, TableMeter, unreadable } from './limits.ts';
import type { RawRow, ReadTable } from './table.ts';

type Delimiter = NonNullable<ReadTable['delimiter']>;

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

/** The delimiter is told from so much of the text. */
const HEAD = 200_000;

/** No record is that long, but for one whose quotes are not closed. */
const LONGEST_RECORD = 8_000_000;

/**
 * Reads records as they come, each with the line where it starts; empty cells are null.
 * @param pieces of the text, with "\n" for line breaks, cut anywhere
 * @throws DomainError where a quote is not closed, naming the line, or a limit is passed
 */
export async function readCsv(
  pieces: AsyncIterable<string>,
  limits: TableLimits,
  take: (row: RawRow) => void,
  lines?: number,
): Promise<Delimiter> {
  let rest = '';
  let reader: RecordReader | undefined;
  for await (const piece of pieces) {
    rest += piece;
    if (!reader && rest.length < HEAD) continue;
    reader ??= new RecordReader(rest, limits, take, lines);
    rest = reader.read(rest);
  }
  reader ??= new RecordReader(rest, limits, take, lines);
  reader.finish(rest);
  return reader.delimiter;
}

class RecordReader {
  readonly delimiter: Delimiter;
  readonly #isTold: boolean;
  readonly #limits: TableLimits;
  readonly #meter: TableMeter;
  readonly #take: (row: RawRow) => void;
  #line = 1;
  /** a record that does not end before is not looked for again */
  #needed = 0;

  constructor(head: string, limits: TableLimits, take: (row: RawRow) => void, lines?: number) {
    // Excel's own first line tells the delimiter.
    const told = /^sep=([,;\t|])\n/i.exec(head)?.[1] as Delimiter | undefined;
    this.#isTold = told !== undefined;
    this.delimiter = told ?? detectDelimiter(head);
    this.#limits = limits;
    this.#meter = new TableMeter(limits, lines);
    this.#take = take;
  }

  /** @returns what belongs to the record that is not whole yet */
  read(text: string): string {
    if (text.length < this.#needed) return text;
    const { rows, rest } = cutRecords(text, this.delimiter, false);
    this.#pass(rows);
    this.#needed = 2 * rest.length;
    if (rest.length > LONGEST_RECORD) this.finish(rest);
    return rest;
  }

  finish(text: string): void {
    // The break after the last record is not one more.
    const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
    this.#pass(cutRecords(whole, this.delimiter, true).rows);
  }

  #pass(records: readonly Cut[]): void {
    for (const { fields, problem } of records) {
      const line = this.#line;
      if (problem) throw unreadable(describeQuotes(line, problem), 'bad_quotes');
      this.#line += 1;
      for (const field of fields) if (field.includes('\n')) this.#line += field.split('\n').length - 1;
      if (this.#isTold && line === 1) continue;
      const cells = fields.map((field) => (field === '' ? null : field));
      while (cells.length > this.#limits.columns && cells.at(-1) === null) cells.pop();
      if (cells.length > this.#limits.columns) this.#meter.column(cells.length - 1, `línea ${line}`);
      this.#meter.row(cells);
      this.#take({ line, cells });
    }
  }
}

interface Cut {
  fields: string[];
  /** what is wrong with its quotes: Papa's code */
  problem?: string;
}

interface Parsed {
  data: string[][];
  errors: { type: string; code: string; row?: number }[];
  meta: { cursor: number };
}

/** Leaves out the last record of a text that goes on. */
function cutRecords(text: string, delimiter: string, isWhole: boolean): { rows: Cut[]; rest: string } {
  const parser = new Papa.Parser({ delimiter, newline: '\n' });
  const { data, errors, meta }: Parsed = parser.parse(text, 0, !isWhole);
  const rows = data.map((fields): Cut => ({ fields }));
  for (const { type, code, row } of errors) {
    const cut = type === 'Quotes' && row !== undefined ? rows[row] : undefined;
    if (cut) cut.problem ??= code;
  }
  return { rows, rest: text.slice(meta.cursor) };
}

const describeQuotes = (line: number, code: string): string =>
  code === 'MissingQuotes'
    ? `El registro de la línea ${line} abre comillas que no se cierran.`
    : `El registro de la línea ${line} tiene comillas mal puestas: dentro de una celda entrecomillada van dobles ("").`;

const LINES_TRIED = 120;

/** Takes the one that cuts the first lines into equally many cells, known headings among them. */
function detectDelimiter(text: string): Delimiter {
  const head = text.slice(0, HEAD);
  const scored = DELIMITERS.filter((one) => head.includes(one)).map((delimiter) => {
    const { data } = Papa.parse<string[]>(head, { delimiter, newline: '\n', preview: LINES_TRIED });
    return { delimiter, score: scoreCut(data) };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.delimiter ?? ',';
}

function scoreCut(rows: readonly string[][]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { length } of filled) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const alike = Math.max(0, ...counts.values());
  const headings = Math.max(0, ...filled.slice(0, 40).map((cells) => scoreHeadings(cells)));
  return alike / Math.max(filled.length, 1) + headings / 3;
}
