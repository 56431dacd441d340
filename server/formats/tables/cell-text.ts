import { fold } from '../../../shared/text.ts';
import type { RawCell } from './table.ts';

export function cellText(cell: RawCell | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'string') return cell;
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'boolean') return cell ? 'VERDADERO' : 'FALSO';
  if ('number' in cell) return cell.shown ?? String(cell.number);
  return 'date' in cell ? cell.date : cell.error;
}

/** The ends are found in a loop, since a regular expression would try every run of spaces inside the text. */
export function trimCell(text: string): string {
  if (isNonSpaceCharCode(text.charCodeAt(0)) && isNonSpaceCharCode(text.charCodeAt(text.length - 1)))
    return text;
  let start = 0;
  let end = text.length;
  while (start < end && isSpace(text[start]!)) start += 1;
  while (end > start && isSpace(text[end - 1]!)) end -= 1;
  return text.slice(start, end);
}

const isSpace = (character: string): boolean => /[\s\p{Cf}]/u.test(character);

const isNonSpaceCharCode = (code: number): boolean =>
  (code > 0x20 && code < 0x7f) || (code > 0xa0 && code < 0x250);

/** Whether the text is one that people write instead of leaving a cell empty, such as "N/A", "-" and "s/n". */
export const meansEmpty = (text: string): boolean =>
  text === '' ||
  (text.length <= 14 &&
    EMPTY_WORD_STARTS.includes(text[0]!) && // checked first, since folding is expensive
    EMPTY_WORDS.has(fold(text).replace(/\s/g, '')));

const EMPTY_WORD_STARTS = 'nNsS#-–—_./*(';

const EMPTY_WORDS = new Set(
  `n/a n.a. n.a na #n/a #n/d n/d n.d. n.d nd s/n s.n. s.n s/d s.d. - -- --- – — _ . / * null none ninguno ninguna
  sindato sindatos noaplica (vacio) (envacio) (enblanco)`.split(/\s+/),
);

/** The apostrophe marks a text (`'001`, or `'=…` in our exports). Before a letter it is part of a name ('t Hooft). */
export const dropTextApostrophe = (text: string, isUnconditional: boolean): string =>
  text.charCodeAt(0) === 0x27 && text.length > 1 && (isUnconditional || !/^'\p{L}/u.test(text))
    ? text.slice(1)
    : text;

/** Whether the text is how spreadsheets show a failed formula, in Spanish or English. */
export const isErrorText = (text: string): boolean =>
  text.charCodeAt(0) === 0x23 && text.length < 20 && /^#(¡?[A-ZÁÉÍÓÚ¿/_ ?0-9]+[!?]?|¿NOMBRE\?)$/.test(text);

const MAX_SHOWN_LENGTH = 200;

export function excerptOf(cell: RawCell | undefined): string {
  const text = cellText(cell);
  return text.length > MAX_SHOWN_LENGTH ? `${text.slice(0, MAX_SHOWN_LENGTH - 1)}…` : text;
}
