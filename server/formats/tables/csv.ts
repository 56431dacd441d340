import Papa from 'papaparse';
import { scoreHeadings } from './headings.ts';
import { type TableLimits, TableMeter, unreadable } from './limits.ts';
import type { RawRow, ReadTable } from './table.ts';

type Delimiter = NonNullable<ReadTable['delimiter']>;

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

/**
 * Text (line breaks "\n") → its records, each with the line where it starts; empty cells are null.
 * @throws DomainError where a quote is not closed, naming the line, or a limit is passed
 */
export function parseCsv(text: string, limits: TableLimits): { rows: RawRow[]; delimiter: Delimiter } {
  // Excel's own first line, by which it is told the delimiter.
  const told = /^sep=([,;\t|])\n/i.exec(text)?.[1] as Delimiter | undefined;
  const delimiter = told ?? detectDelimiter(text);
  const rows: RawRow[] = [];
  const meter = new TableMeter(limits);
  eachRecord(text, delimiter, ({ line, fields, problem }) => {
    if (problem) throw unreadable(problem, 'bad_quotes');
    if (told && line === 1) return;
    const cells = fields.map((field) => (field === '' ? null : field));
    while (cells.length > limits.columns && cells.at(-1) === null) cells.pop();
    if (cells.length > limits.columns) meter.column(cells.length - 1, `línea ${line}`);
    meter.row(cells);
    rows.push({ line, cells });
  });
  return { rows, delimiter };
}

interface Record {
  line: number;
  fields: string[];
  problem?: string;
}

/** What `take` throws ends it, so that a file beyond a limit is not read on. */
function eachRecord(text: string, delimiter: Delimiter, take: (record: Record) => void, preview = 0): void {
  let line = 1;
  let position = 0;
  // The break after the last record is not one more.
  const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
  Papa.parse<string[]>(whole, {
    delimiter,
    newline: '\n',
    preview,
    step: ({ data, errors, meta }) => {
      const error = errors.find(({ type }) => type === 'Quotes');
      take({ line, fields: data, ...(error ? { problem: describeQuotes(line, error.code) } : {}) });
      for (let next = whole.indexOf('\n', position); next >= 0 && next < meta.cursor; ) {
        line += 1;
        next = whole.indexOf('\n', next + 1);
      }
      position = meta.cursor;
    },
  });
}

const describeQuotes = (line: number, code: string): string =>
  code === 'MissingQuotes'
    ? `El registro de la línea ${line} abre comillas que no se cierran.`
    : `El registro de la línea ${line} tiene comillas mal puestas: dentro de una celda entrecomillada van dobles ("").`;

const LINES_TRIED = 120;

/** The one that cuts the first lines into equally many cells, known headings among them. */
function detectDelimiter(text: string): Delimiter {
  const head = text.slice(0, 200_000);
  const scored = DELIMITERS.filter((one) => head.includes(one)).map((delimiter) => {
    const rows: string[][] = [];
    eachRecord(head, delimiter, ({ fields }) => rows.push(fields), LINES_TRIED);
    return { delimiter, score: scoreCut(rows) };
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
