import { moneyText } from '../../../shared/money.ts';
import { nextStep } from './next-step.ts';
import type { Cell, Sheet } from './sheet.ts';

/** The whole of a sheet in one text: for the command line, and what is small by nature. */
export async function writeCsv<Row>(sheet: Sheet<Row>): Promise<string> {
  let text = '';
  for await (const chunk of csvChunks(sheet)) text += chunk;
  return text;
}

/** Written between two steps. */
const ROWS_A_STEP = 250;

/** RFC 4180 with a byte order mark, without which Excel does not read UTF-8: the headings, then page by page. */
export async function* csvChunks<Row>({ columns, pages }: Sheet<Row>): AsyncGenerator<string> {
  const textOf = rememberTexts();
  const line = (cells: readonly Cell[]) => `${cells.map((cell) => cellText(cell, textOf)).join(',')}\r\n`;
  let before = `\ufeff${line(columns.map((column) => column.heading))}`;
  for await (const rows of pages) {
    for (let from = 0; from < rows.length; from += ROWS_A_STEP) {
      const step = rows.slice(from, from + ROWS_A_STEP);
      yield before + step.map((row) => line(columns.map((column) => column.cell(row)))).join('');
      before = '';
      await nextStep();
    }
  }
  if (before) yield before;
}

function cellText(cell: Cell, textOf: (text: string) => string): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return 'cents' in cell ? moneyText(cell.cents) : cell.date;
  return textOf(cell);
}

/** The same few names stand in most rows. */
const MOST_TEXTS = 2000;

function rememberTexts(): (text: string) => string {
  const known = new Map<string, string>();
  return (text) => {
    let written = known.get(text);
    if (written === undefined) {
      written = writtenText(text);
      if (known.size >= MOST_TEXTS) known.clear();
      known.set(text, written);
    }
    return written;
  };
}

function writtenText(cell: string): string {
  const text = neutralizeFormula(cell);
  // Semicolons and tabs too: some programs take them for separators beside the comma.
  return /["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * A spreadsheet takes text that begins like this, full-width forms included, for a formula and runs it; an
 * apostrophe of its own gets one more, for whoever reads the file drops one.
 */
export const neutralizeFormula = (text: string): string =>
  /^([\s\p{C}]*[=+\-@＝＋－＠]|[\t\r'])/u.test(text) ? `'${text}` : text;
