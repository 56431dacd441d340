import { fold } from '../../../shared/text.ts';
import type { RawCell } from './table.ts';

/** A cell as text, as the spreadsheet would show it in plain form. */
export function cellText(cell: RawCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'boolean') return cell ? 'VERDADERO' : 'FALSO';
  return 'date' in cell ? cell.date : cell.error;
}

/**
 * Without outer spaces of any kind; the inside as it is. Nearly every cell is looked at once and left alone; of
 * the others the end is found by hand, since an expression tries every run of spaces inside to its end.
 */
export function trimCell(text: string): string {
  if (isPlainEnd(text.charCodeAt(0)) && isPlainEnd(text.charCodeAt(text.length - 1))) return text;
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start]!)) start += 1;
  while (end > start && isSpace(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

const isSpace = (character: string): boolean => /[\s\u200b\u2060]/.test(character);

const isPlainEnd = (code: number): boolean => (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x250);

/** "N/A", "-", "s/n" and the like, which people write where there is nothing. */
export const isEmptyWord = (text: string): boolean =>
  text === '' ||
  (text.length <= 14 &&
    EMPTY_STARTS.includes(text[0]!) && // folding is dear, and hardly any cell gets here
    EMPTY_WORDS.has(fold(text).replace(/\s/g, '')));

const EMPTY_STARTS = 'nNsS#-–—_./*(';

const EMPTY_WORDS = new Set(
  `n/a n.a. n.a na #n/a #n/d n/d n.d. n.d nd s/n s.n. s.n s/d s.d. - -- --- – — _ . / * null none ninguno ninguna
  sindato sindatos noaplica (vacio) (envacio) (enblanco)`.split(/\s+/),
);

/**
 * Without the apostrophe that marks text: a spreadsheet's own (`'001`), and the one that our exports put
 * before what a spreadsheet would take for a formula (`'=…`). One before a letter belongs to a name ('t Hooft).
 */
export const withoutTextMark = (text: string, always: boolean): string =>
  text.charCodeAt(0) === 0x27 && text.length > 1 && (always || !/^'\p{L}/u.test(text)) ? text.slice(1) : text;

/** What a spreadsheet shows where a formula failed, in Spanish and in English. */
export const isErrorText = (text: string): boolean =>
  text.charCodeAt(0) === 0x23 && text.length < 20 && /^#(¡?[A-ZÁÉÍÓÚ¿/_ ?0-9]+[!?]?|¿NOMBRE\?)$/.test(text);

const MOST_SHOWN = 200;

/** As it stands in a message or a list of refused rows. */
export function shownText(cell: RawCell | undefined): string {
  const text = cellText(cell);
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN - 1)}…` : text;
}
