import type { CellRichTextValue, CellValue } from 'exceljs';
import type { Cell } from './sheet.ts';

/** Days and money are figures for a workbook; a formula says what it comes to, for whoever does not reckon. */
export function cellValue(cell: Cell, formula?: string): CellValue {
  if (cell === null || cell === '') return null;
  if (typeof cell === 'number') return cell;
  if (typeof cell === 'string') return textValue(cell);
  if ('date' in cell) return new Date(`${cell.date}T00:00:00Z`); // a workbook's days know no zone: written as UTC
  const amount = cell.cents / 100;
  return formula ? { formula, result: amount } : amount;
}

/** Text is text, whatever it begins with; lines and blanks at its ends are only kept in a text with runs. */
export function textValue(text: string): string | CellRichTextValue {
  const said = writableText(text);
  return /^\s|\n|\s$/.test(said) ? { richText: [{ text: said }] } : said;
}

/** The most that a cell holds. */
const MOST_LETTERS = 32_767;

/**
 * Without what XML 1.0 has no letter for; text like "_x0041_", which workbooks take for the letter of that
 * number (ECMA-376 22.9.2.19), with its first sign as such a number.
 */
function writableText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(UNWRITABLE, '')
    .replace(/\r\n?/g, '\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: and these
const SPECIAL = /[\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]|_x|^.{32767}/is;

/** A..Z, AA.. */
export function columnLetters(index: number): string {
  return (
    (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
  );
}
