import { daysBetween } from '../../../shared/dates.ts';
import { moneyText } from '../../../shared/money.ts';
import type { Cell } from './sheet.ts';

/** What a cell shows; each kind of row has a style for each of these. */
export const CELL_KINDS = ['text', 'whole', 'money', 'date'] as const;
export type CellKind = (typeof CELL_KINDS)[number];

/** The numbers under which a workbook knows the styles of one kind of row. */
export type RowStyles = Readonly<Record<CellKind, string>>;

/** A..Z, AA.. */
export function columnLetters(index: number): string {
  return (
    (index >= 26 ? columnLetters(Math.floor(index / 26) - 1) : '') + String.fromCharCode(65 + (index % 26))
  );
}

/**
 * A row's markup (ECMA-376 18.3.1.73). Text is a string cell, whatever it begins with: only what we write as
 * a formula is one. `formulaOf` says for which columns, and its result is the cell's own figure.
 */
export function rowXml(
  number: number,
  cells: readonly Cell[],
  letters: readonly string[],
  styles: RowStyles,
  formulaOf?: (column: number) => string | undefined,
): string {
  let xml = `<row r="${number}">`;
  for (let index = 0; index < cells.length; index++) {
    const cell = cells[index]!;
    const start = `<c r="${letters[index]}${number}" s="`;
    if (cell === null || cell === '') xml += `${start}${styles.text}"/>`;
    else if (typeof cell === 'string')
      xml += `${start}${styles.text}" t="inlineStr"><is><t xml:space="preserve">${escapeText(cell)}</t></is></c>`;
    else if (typeof cell === 'number') xml += `${start}${styles.whole}"><v>${cell}</v></c>`;
    else if ('date' in cell) xml += `${start}${styles.date}"><v>${serialOf(cell.date)}</v></c>`;
    else {
      const formula = formulaOf?.(index);
      xml += `${start}${styles.money}">${formula ? `<f>${formula}</f>` : ''}<v>${moneyText(cell.cents)}</v></c>`;
    }
  }
  return `${xml}</row>`;
}

/** Days since 30 December 1899, as workbooks count them; the same few days come again and again. */
function serialOf(date: string): number {
  let serial = serials.get(date);
  if (serial === undefined) {
    if (serials.size > 20_000) serials.clear();
    serial = daysBetween('1899-12-30', date);
    serials.set(date, serial);
  }
  return serial;
}

const serials = new Map<string, number>();

/** The most that a cell holds. */
const MOST_LETTERS = 32_767;

/**
 * What markup takes for itself, what XML 1.0 has no letter for, and text like "_x0041_", which workbooks take
 * for the letter of that number (ECMA-376 22.9.2.19).
 */
export function escapeText(text: string): string {
  if (!SPECIAL.test(text)) return text;
  return text
    .slice(0, MOST_LETTERS)
    .toWellFormed()
    .replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_')
    .replace(UNWRITABLE, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replace(/\r\n?/g, '\n');
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: and these
const SPECIAL = /[&<>\r\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]|_x|^.{32767}/is;
