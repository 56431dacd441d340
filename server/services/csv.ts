import { type Cents, moneyText } from '../../shared/money.ts';

/** Text, a whole number, or money; nothing at all where null. */
export type CsvCell = string | number | { cents: Cents } | null;

/** RFC 4180 with a byte order mark, without which Excel does not read UTF-8. */
export function writeCsv(headings: readonly string[], rows: Iterable<readonly CsvCell[]>): string {
  const lines = [line(headings)];
  for (const row of rows) lines.push(line(row));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}

const line = (cells: readonly CsvCell[]): string => cells.map(cellText).join(',');

function cellText(cell: CsvCell): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'object') return moneyText(cell.cents);
  const text = neutralizeFormula(cell);
  return /["\r\n,]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet takes text that begins like this, full-width forms included, for a formula and runs it. */
export const neutralizeFormula = (text: string): string =>
  /^(\s*[=+\-@＝＋－＠]|[\t\r])/.test(text) ? `'${text}` : text;
