import { toDecimalText } from '../../../shared/money.ts';
import { splitIntoSteps } from './event-loop.ts';
import type { Cell, Sheet } from './sheet.ts';

export async function writeCsv<Row>(sheet: Sheet<Row>): Promise<string> {
  let text = '';
  for await (const chunk of generateCsvChunks(sheet)) text += chunk;
  return text;
}

const ROWS_PER_STEP = 250;

/** Writes RFC 4180 with a byte order mark, without which Excel does not read UTF-8. */
export async function* generateCsvChunks<Row>({ columns, pages }: Sheet<Row>): AsyncGenerator<string> {
  let text = `\ufeff${columns.map(({ heading }) => escapeCell(heading)).join(',')}\r\n`;
  for await (const rows of splitIntoSteps(pages, ROWS_PER_STEP)) {
    for (const row of rows) {
      let separator = '';
      for (const { cell } of columns) {
        text += separator + cellText(cell(row));
        separator = ',';
      }
      text += '\r\n';
    }
    yield text;
    text = '';
  }
  if (text) yield text;
}

function cellText(cell: Cell): string {
  if (cell === null) return '';
  if (typeof cell === 'string') return escapeCell(cell);
  if (typeof cell === 'number') return String(cell);
  return 'cents' in cell ? toDecimalText(cell.cents) : cell.date;
}

const PLAIN_CELL_PATTERN = /^[\w\u00c0-\u024f](?:[\w\u00c0-\u024f .:/()&#-]*[\w\u00c0-\u024f.)])?$/;

function escapeCell(cell: string): string {
  if (cell === '' || PLAIN_CELL_PATTERN.test(cell)) return cell;
  const text = neutralizeFormula(cell);
  // Some programs split cells at semicolons and tabs, too.
  return /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run a text that begins with one of these signs as a formula, full-width signs included. They drop a
 * leading apostrophe, so an apostrophe of the text itself is doubled.
 */
export const neutralizeFormula = (text: string): string =>
  /^([\s\p{C}]*[=+\-@＝＋－＠]|[\t\r'])/u.test(text) ? `'${text}` : text;
