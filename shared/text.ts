import { DomainError } from './errors.ts';

/** For searching and sorting, stored beside the text: no case, no accents, spaces collapsed. */
export function fold(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase();
  return text
    .replace(/\p{Mn}+/gu, '') // loose accents first: normalizing sorts them, which is slow for thousands
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** For comparing document numbers: letters and digits only, without case and accents. */
export function numberKey(text: string): string {
  if (PLAIN.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

/** For comparing names: letters and digits only, or the folded name where it has none. */
export const nameKey = (name: string): string => numberKey(name) || fold(name);

/** ASCII without spaces, as most document numbers are: a faster way to the same result. */
const PLAIN = /^[!-~]*$/;

/**
 * Account names are stored and checked without invisible characters, NFKC, in lower case and trimmed, so that no two
 * look the same. What is invisible goes first, or it would keep a letter and its accent apart.
 */
export const normalizeAccount = (text: string): string =>
  text
    .slice(0, 1000) // longer than any name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .trim();

/** NFC. A run of accents is cut to what Unicode expects at most: sorting them takes quadratic time. */
export const toComposed = (text: string): string =>
  text.replace(/(\p{Mn}{30})\p{Mn}+/gu, '$1').normalize('NFC');

/**
 * Drops characters that show nothing (format characters, fillers, the blank of Braille), or two texts that look alike
 * would differ. What joins an emoji stays; so do overrides of direction, which are refused.
 */
export const withoutInvisible = (text: string): string =>
  SHOWS_NOTHING.test(text) ? text.replace(EMOJI_OR_NOTHING, '$1') : text;

const SHOWS_NOTHING = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const EMOJI_OR_NOTHING = new RegExp(
  `(\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\p{Variation_Selector}|[\\u200d\\u{e0020}-\\u{e007f}])*)|(?![\\u202a-\\u202e\\u2066-\\u2069])${SHOWS_NOTHING.source}`,
  'gu',
);

/** Trims, turns line breaks and runs of spaces into one space, and drops what is invisible. */
export const oneLine = (text: string): string => withoutInvisible(text).replace(/\s+/g, ' ').trim();

/** A number such as an RFC without separators: blanks, dashes, and what is invisible. */
export const withoutSeparators = (text: string): string =>
  toComposed(text.replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Pd}\u2212\u2800]+/gu, ''));

/** As stored: capitals, grouped as the SAT does, without braces; what is no UUID only gets capitals. */
export function normalizeUuid(text: string): string {
  const groups = /^\{?([\dA-F]{8})([\dA-F]{4})([\dA-F]{4})([\dA-F]{4})([\dA-F]{12})\}?$/i.exec(
    withoutSeparators(text),
  );
  return (groups ? groups.slice(1).join('-') : oneLine(text)).toUpperCase();
}

export const isUuid = (text: string): boolean => /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/.test(text);

/** As stored: NFC, trimmed, no controls but tab and line break, at most `max` long. @throws DomainError invalid */
export function cleanText(value: string, label: string, field: string, max: number): string {
  const typed = withoutInvisibleEnds(value);
  // Composed, a letter with its accents is one character; a text that is far too long is not counted.
  const text = typed.length > 4 * max ? typed : toComposed(typed.replace(/\r\n?/g, '\n'));
  const problem =
    text.length > 4 * max || [...text].length > max
      ? `${label}: máximo ${max} caracteres.`
      : CONTROL.test(text)
        ? `${label}: tiene caracteres no permitidos.`
        : undefined;
  if (problem) throw new DomainError('invalid', problem, { fields: { [field]: problem } });
  return text;
}

/** One line with runs of blanks collapsed; far too long a text stays so. @throws DomainError invalid */
export const cleanLine = (value: string, label: string, field: string, max: number): string =>
  cleanText(value.length > 4 * max ? value : oneLine(value), label, field, max);

/** Drops spaces and what is invisible. It loops from the end: an expression would try every run inside the text. */
function withoutInvisibleEnds(text: string): string {
  let end = text.length;
  while (end > 0) {
    const size = /[\udc00-\udfff]/.test(text[end - 1]!) && end > 1 ? 2 : 1;
    if (!/^[\s\p{Cf}]$/u.test(text.slice(end - size, end))) break;
    end -= size;
  }
  return text.slice(0, end).replace(/^[\s\p{Cf}]+/u, '');
}

export const LONGEST_MOTIVO = 500;

/** The reason as it is stored, or nothing where there is none. @throws DomainError invalid where it is too long */
export const cleanMotivo = (motivo = ''): string | undefined =>
  cleanLine(motivo, 'Motivo', 'motivo', LONGEST_MOTIVO) || undefined;

// C0 and C1 controls but tab and line feed, and the bidirectional overrides that make text lie.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/** "name@host.tld" without spaces; the length is bounded before the expression runs. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@\p{C}]+@[^\s@.\p{C}]+(\.[^\s@.\p{C}]+)+$/u.test(text);

const UNITS = ['KB', 'MB', 'GB', 'TB'];

/** "840 bytes", "12.0 KB", "1.4 MB". */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const step = Math.min(UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(1)} ${UNITS[step - 1]}`;
}
