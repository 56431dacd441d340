/**
 * Text for the fonts that every PDF reader has. They know Windows-1252 ("WinAnsi") and nothing else: other
 * letters lose what they carry above and below, and what then is still unknown shows as a question mark.
 */
export interface Font {
  /** of a printable character, in thousandths of the font's size */
  widthOf(character: string): number;
}

const ELLIPSIS = '…';
const UNKNOWN = '?';

/** 0x80 to 0x9f; the gaps are taken by nothing. */
const SPECIALS = '€\0‚ƒ„…†‡ˆ‰Š‹Œ\0Ž\0\0‘’“”•–—˜™š›œ\0žŸ';

const CODES = new Map<string, number>();
for (let code = 0x20; code <= 0xff; code++) {
  const character = code >= 0x80 && code <= 0x9f ? SPECIALS[code - 0x80]! : String.fromCharCode(code);
  if (character !== '\0' && code !== 0x7f && code !== 0xa0 && code !== 0xad) CODES.set(character, code);
}

/** Letters that no decomposition leads to, and signs with a plain twin. */
const TWINS: Readonly<Record<string, string>> = {
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ħ: 'h',
  Ħ: 'H',
  ŧ: 't',
  Ŧ: 'T',
  ı: 'i',
  ẞ: 'SS',
  '\u2010': '-',
  '\u2011': '-',
  '\u2012': '–',
  '\u2015': '—',
  '\u2212': '-',
  '\u2032': "'",
  '\u2033': '"',
  '\u2044': '/', // in the fractions of an inch
  '⌀': 'Ø',
  '∅': 'Ø',
  '≤': '<=',
  '≥': '>=',
  '→': '->',
};

const graphemes = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** Any text as one line of characters that the fonts have. */
export function printable(text: string): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\s\p{Z}\p{Cc}]+/gu, ' ')
    .trim();
  if (!plain || isKnown(plain)) return plain;
  let shown = '';
  for (const { segment } of graphemes.segment(plain)) {
    const sign = isKnown(segment) ? segment : plainOf(segment);
    // 1⅜ is no 13/8
    shown += sign !== segment && sign.includes('/') && /\d$/.test(shown) ? ` ${sign}` : sign;
  }
  return shown.trim() || UNKNOWN; // a name that shows nothing is a name all the same
}

/** What one reader takes for one sign: a letter with its marks, an emoji of five parts. */
function plainOf(grapheme: string): string {
  let shown = '';
  for (const character of grapheme.replace(/[\p{M}\p{Cf}]+/gu, '')) {
    const known = knownForm(character);
    if (known === undefined) return UNKNOWN;
    shown += known;
  }
  return shown;
}

function knownForm(character: string): string | undefined {
  if (isKnown(character)) return character;
  const twin = TWINS[character] ?? character.normalize('NFKD').replace(/\p{M}+/gu, '');
  const letters = [...twin].map((letter) => TWINS[letter] ?? letter).join('');
  return letters && isKnown(letters) ? letters : undefined;
}

function isKnown(text: string): boolean {
  for (const character of text) if (!CODES.has(character)) return false;
  return true;
}

/** The string object of a content stream, in hexadecimal. */
export function encode(text: string): string {
  let hex = '';
  for (const character of text) hex += (CODES.get(character) ?? 0x3f).toString(16).padStart(2, '0');
  return `<${hex}>`;
}

/** In points, as it is drawn: without kerning, so that figures stand in columns. */
export function widthOf(text: string, font: Font, size: number): number {
  let width = 0;
  for (const character of text) width += font.widthOf(character);
  return (width * size) / 1000;
}

/** A column is as wide as its widest text, measured at another size: what fractions lose is no reason to cut it. */
const fits = (text: string, font: Font, size: number, width: number): boolean =>
  widthOf(text, font, size) <= width + 0.01;

/** Within a width, an ellipsis in place of what does not fit. */
export function clip(text: string, font: Font, size: number, width: number): string {
  if (fits(text, font, size, width)) return text;
  const room = width - widthOf(ELLIPSIS, font, size);
  return `${text.slice(0, fitting(text, font, size, room)).trimEnd()}${ELLIPSIS}`;
}

/** Lines of a width, broken between words where it can be; the last one allowed is clipped. */
export function wrap(text: string, font: Font, size: number, width: number, most: number): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest && lines.length < most - 1 && !fits(rest, font, size, width)) {
    const kept = Math.max(fitting(rest, font, size, width), 1);
    const space = rest.lastIndexOf(' ', kept);
    const end = space > 0 ? space : (seamIn(rest.slice(0, kept)) ?? kept);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, clip(rest, font, size, width)];
}

/** Where a word without spaces, such as an address, is broken rather than anywhere: after such a sign. */
function seamIn(word: string): number | undefined {
  const seam = /^.*[^\s@./_-][@./_-]/.exec(word)?.[0].length;
  return seam !== undefined && seam >= word.length / 2 ? seam : undefined;
}

/** How many characters from the left fit; every printable one is a single unit. */
function fitting(text: string, font: Font, size: number, width: number): number {
  let left = (width * 1000) / size;
  for (let count = 0; count < text.length; count++) {
    left -= font.widthOf(text[count]!);
    if (left < 0) return count;
  }
  return text.length;
}
