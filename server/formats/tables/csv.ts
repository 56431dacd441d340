import Papa from 'papaparse';
import { scoreHeadings } from './headings.ts';
import { type TableLimits, TableMeter, unreadableTableError } from './limits.ts';
import type { RawRow, RawTable } from './table.ts';

type Delimiter = NonNullable<RawTable['delimiter']>;

const DELIMITERS: readonly Delimiter[] = [',', ';', '\t', '|'];

const DELIMITER_SAMPLE_LENGTH = 200_000;

interface ParsedRecord {
  data: [fields: string[]];
  errors: readonly { type: string; code: string }[];
}

/**
 * @param text with "\n" for line breaks; empty cells become null
 * @throws DomainError where a quote is not closed, naming the line, or a limit is exceeded
 */
export function readCsv(text: string, limits: TableLimits): { rows: RawRow[]; delimiter: Delimiter } {
  // Excel may state the delimiter in a first line "sep=;".
  const declared = /^sep=([,;\t|])\n/i.exec(text)?.[1] as Delimiter | undefined;
  const delimiter = declared ?? detectDelimiter(text);
  const meter = new TableMeter(limits, () => countRecords(text) - (declared ? 1 : 0));
  const rows: RawRow[] = [];
  let next = 1;
  const addRecord = ({ data: [fields], errors }: ParsedRecord) => {
    const line = next;
    const quoteError = errors.find(({ type }) => type === 'Quotes');
    if (quoteError) throw unreadableTableError(describeQuoteError(line, quoteError.code), 'bad_quotes');
    next += 1;
    for (const field of fields) if (field.includes('\n')) next += countLines(field) - 1;
    if (declared && line === 1) return;
    const cells = fields.map((field) => (field === '' ? null : field));
    while (cells.length > limits.columns && cells.at(-1) === null) cells.pop();
    if (cells.length > limits.columns) meter.requireAllowedColumn(cells.length - 1, `línea ${line}`);
    meter.countRow(cells);
    rows.push({ line, cells });
  };
  // Records are read one at a time, so that reading stops at the first row over the limit.
  const addParsedRecord = (one: unknown) => addRecord(one as ParsedRecord);
  const parser = new Papa.Parser({ delimiter, newline: '\n', fastMode: false, step: addParsedRecord });
  // A line break at the end of the text does not begin another record.
  parser.parse(text.endsWith('\n') ? text.slice(0, -1) : text, 0, false);
  return { rows, delimiter };
}

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines += 1;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** A line break within quotes does not end a record. */
function countRecords(text: string): number {
  let records = text.endsWith('\n') ? 0 : 1;
  let isQuoted = false;
  for (const [sign] of text.matchAll(/["\n]/g)) {
    if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted) records += 1;
  }
  return records;
}

const describeQuoteError = (line: number, code: string): string =>
  code === 'MissingQuotes'
    ? `El registro de la línea ${line} abre comillas que no se cierran.`
    : `El registro de la línea ${line} tiene comillas mal puestas: dentro de una celda entrecomillada van dobles ("").`;

const DELIMITER_SAMPLE_LINES = 120;

function detectDelimiter(text: string): Delimiter {
  const head = text.slice(0, DELIMITER_SAMPLE_LENGTH);
  const scored = DELIMITERS.filter((one) => head.includes(one)).map((delimiter) => {
    const { data } = Papa.parse<string[]>(head, {
      delimiter,
      newline: '\n',
      preview: DELIMITER_SAMPLE_LINES,
    });
    return { delimiter, score: scoreDelimiter(data) };
  });
  return scored.sort((a, b) => b.score - a.score)[0]?.delimiter ?? ',';
}

function scoreDelimiter(rows: readonly string[][]): number {
  const filled = rows.filter((cells) => cells.some((cell) => cell.trim() !== ''));
  const counts = new Map<number, number>();
  for (const { length } of filled) if (length > 1) counts.set(length, (counts.get(length) ?? 0) + 1);
  const commonWidth = Math.max(0, ...counts.values());
  const headings = Math.max(0, ...filled.slice(0, 40).map((cells) => scoreHeadings(cells)));
  return commonWidth / Math.max(filled.length, 1) + headings / 3;
}
