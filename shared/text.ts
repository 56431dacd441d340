import { DomainError } from './errors.ts';

/** Removes case and accents and collapses spaces, for searching and sorting; columns ending in Fold store it. */
export function fold(text: string): string {
  if (PLAIN_ASCII_PATTERN.test(text)) return text.toLowerCase();
  return text
    .replace(/\p{Mn}+/gu, '') // before normalization, which would sort combining accents: slow for thousands
    .normalize('NFD')
    .replace(/\p{Mn}+/gu, '')
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns letters and digits only, without case and accents, to compare document numbers. */
export function documentNumberKey(text: string): string {
  if (PLAIN_ASCII_PATTERN.test(text)) return text.toLowerCase().replace(/[^a-z0-9]+/g, '');
  return fold(text).replace(/[^\p{L}\p{N}]+/gu, '');
}

export const nameKey = (name: string): string => documentNumberKey(name) || fold(name);

/** Most document numbers are ASCII without spaces. For them a faster way gives the same result. */
const PLAIN_ASCII_PATTERN = /^[!-~]*$/;

/** No two names may look alike. Invisible characters are removed first: one could part a letter from its accent. */
export const normalizeLoginName = (text: string): string =>
  text
    .slice(0, 1000) // longer than any name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu, '')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFKC')
    .trim();

/** Composes accents (NFC). A long run of accents is cut, since sorting it would take quadratic time. */
export const toNfc = (text: string): string => text.replace(/(\p{Mn}{30})\p{Mn}+/gu, '$1').normalize('NFC');

/** Texts that look the same become equal. Joiners in emoji stay; direction overrides stay, and are refused later. */
export const withoutInvisible = (text: string): string =>
  INVISIBLE_PATTERN.test(text) ? text.replace(EMOJI_OR_INVISIBLE_PATTERN, '$1') : text;

const INVISIBLE_PATTERN = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

const EMOJI_OR_INVISIBLE_PATTERN = new RegExp(
  `(\\p{Extended_Pictographic}(?:\\p{Emoji_Modifier}|\\p{Variation_Selector}|[\\u200d\\u{e0020}-\\u{e007f}])*)|(?![\\u202a-\\u202e\\u2066-\\u2069])${INVISIBLE_PATTERN.source}`,
  'gu',
);

export const oneLine = (text: string): string => withoutInvisible(text).replace(/\s+/g, ' ').trim();

export const withoutSeparators = (text: string): string =>
  toNfc(text.replace(/[\s\p{Cf}\p{Default_Ignorable_Code_Point}\p{Pd}\u2212\u2800]+/gu, ''));

/** Groups a UUID as the SAT does, in capitals without braces; any other text is only capitalized. */
export function normalizeUuid(text: string): string {
  const groups = /^\{?([\dA-F]{8})([\dA-F]{4})([\dA-F]{4})([\dA-F]{4})([\dA-F]{12})\}?$/i.exec(
    withoutSeparators(text),
  );
  return (groups ? groups.slice(1).join('-') : oneLine(text)).toUpperCase();
}

export const isUuid = (text: string): boolean => /^[\dA-F]{8}(-[\dA-F]{4}){3}-[\dA-F]{12}$/.test(text);

/** @throws DomainError invalid: control characters other than tab and line break, or longer than `max` characters */
export function cleanText(value: string, label: string, field: string, max: number): string {
  const typed = withoutInvisibleEnds(value);
  // Composition makes one character of a letter and its accents. A text that is far too long is not composed.
  const text = typed.length > 4 * max ? typed : toNfc(typed.replace(/\r\n?/g, '\n'));
  const problem =
    text.length > 4 * max || [...text].length > max
      ? `${label}: máximo ${max} caracteres.`
      : CONTROL_PATTERN.test(text)
        ? `${label}: tiene caracteres no permitidos.`
        : undefined;
  if (problem) throw new DomainError('invalid', problem, { fields: { [field]: problem } });
  return text;
}

/** Returns one line with runs of spaces collapsed, unless the text is far too long. @throws DomainError invalid */
export const cleanLine = (value: string, label: string, field: string, max: number): string =>
  cleanText(value.length > 4 * max ? value : oneLine(value), label, field, max);

/** A loop from the end is fast. A regular expression would try every run of spaces in the text. */
function withoutInvisibleEnds(text: string): string {
  let end = text.length;
  while (end > 0) {
    const size = /[\udc00-\udfff]/.test(text[end - 1]!) && end > 1 ? 2 : 1;
    if (!/^[\s\p{Cf}]$/u.test(text.slice(end - size, end))) break;
    end -= size;
  }
  return text.slice(0, end).replace(/^[\s\p{Cf}]+/u, '');
}

export const MAX_MOTIVO_LENGTH = 500;

/** @throws DomainError invalid where the reason is too long */
export const cleanMotivo = (motivo = ''): string | undefined =>
  cleanLine(motivo, 'Motivo', 'motivo', MAX_MOTIVO_LENGTH) || undefined;

// C0 and C1 controls except tab and line feed, and bidirectional overrides, which disguise a text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const CONTROL_PATTERN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\p{Cs}/u;

/** Checks for "name@host.tld" without spaces; the length is limited before the expression runs. */
export const isEmail = (text: string): boolean =>
  text.length <= 254 && /^[^\s@\p{C}]+@[^\s@.\p{C}]+(\.[^\s@.\p{C}]+)+$/u.test(text);

/** A mailbox of RFC 5321 without quotes or comments, because those could hide another header or recipient. */
export const isSafeMailAddress = (text: string): boolean =>
  text.length <= 254 &&
  /^[\w!#$%&'*+/=?^`{|}~-]{1,64}(\.[\w!#$%&'*+/=?^`{|}~-]{1,64})*@[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?(\.[\p{L}\p{N}]([\p{L}\p{N}-]*[\p{L}\p{N}])?)+$/u.test(
    text,
  );

const SIZE_UNITS = ['KB', 'MB', 'GB', 'TB'];

export function formatFileSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const step = Math.min(SIZE_UNITS.length, Math.floor(Math.log2(bytes) / 10));
  return `${(bytes / 1024 ** step).toFixed(1)} ${SIZE_UNITS[step - 1]}`;
}

export function isWithinOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  return short.slice(same + (short.length === long.length ? 1 : 0)) === long.slice(same + 1);
}

/** Whether each word of the text begins a word that sounds like it in Spanish; in long words one letter may differ. */
export function soundsLike(name: string, text: string): boolean {
  const words = soundKeysOf(name);
  const wanted = soundKeysOf(text).filter(({ length }) => length > 2);
  const beginsWithin = (word: string, start: string) =>
    start.length < 5
      ? word.startsWith(start)
      : [-1, 0, 1].some((more) => isWithinOneEdit(word.slice(0, start.length + more), start));
  return wanted.length > 0 && wanted.every((start) => words.some((word) => beginsWithin(word, start)));
}

const soundKeysOf = (text: string): string[] =>
  fold(text)
    .replace(/h|[^\p{L}\d\s]/gu, '')
    .replace(/v/g, 'b')
    .replace(/ll/g, 'y')
    .replace(/z|c(?=[ei])/g, 's')
    .replace(/qu|c/g, 'k')
    .replace(/g(?=[ei])/g, 'j')
    .replace(/(.)\1/g, '$1')
    .split(/\s+/);
