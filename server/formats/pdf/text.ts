export interface Font {
  has(character: string): boolean;
  /** the width of a printable character, in thousandths of the font size */
  widthOf(character: string): number;
}

export interface Fonts {
  regular: Font;
  bold: Font;
}

const ELLIPSIS = '…';
const UNKNOWN_CHARACTER = '?';

/** Unicode has no decomposition of these signs into their plain counterparts. */
const PRINTABLE_SUBSTITUTES: Readonly<Record<string, string>> = { '⌀': 'Ø', '∅': 'Ø' };

const graphemeSegmenter = new Intl.Segmenter('es', { granularity: 'grapheme' });

/** Characters that the font lacks lose their accents; what is still unsupported becomes "?". */
export function toPrintable(text: string, font: Font): string {
  const plain = text
    .normalize('NFC')
    .replace(/[\s\p{Z}\p{Cc}]+/gu, ' ')
    .trim();
  if (hasAllCharacters(plain, font)) return plain;
  let shown = '';
  for (const { segment } of graphemeSegmenter.segment(plain)) shown += toPrintableGrapheme(segment, font);
  return shown.trim() || UNKNOWN_CHARACTER; // an invisible name has to show something
}

function toPrintableGrapheme(grapheme: string, font: Font): string {
  let shown = '';
  for (const character of grapheme.replace(/[\p{M}\p{Cf}]+/gu, '')) {
    const plain = PRINTABLE_SUBSTITUTES[character] ?? character.normalize('NFKD').replace(/\p{M}+/gu, '');
    const known = font.has(character) ? character : plain;
    if (!known || !hasAllCharacters(known, font)) return UNKNOWN_CHARACTER;
    shown += known;
  }
  return shown;
}

function hasAllCharacters(text: string, font: Font): boolean {
  for (const character of text) if (!font.has(character)) return false;
  return true;
}

export function widthOf(text: string, font: Font, fontSize: number): number {
  let width = 0;
  for (const character of text) width += font.widthOf(character);
  return (width * fontSize) / 1000;
}

/** The tolerance is for rounding: a column is as wide as its widest text, measured at another size. */
const fitsWidth = (text: string, font: Font, size: number, width: number): boolean =>
  widthOf(text, font, size) <= width + 0.01;

export function clipToWidth(text: string, font: Font, fontSize: number, width: number): string {
  if (fitsWidth(text, font, fontSize, width)) return text;
  const room = width - widthOf(ELLIPSIS, font, fontSize);
  return `${text.slice(0, countFittingCharacters(text, font, fontSize, room)).trimEnd()}${ELLIPSIS}`;
}

/** Breaks between words where possible, and cuts the last allowed line to the width. */
export function wrapToWidth(
  text: string,
  font: Font,
  fontSize: number,
  width: number,
  maxLines: number,
): string[] {
  const lines: string[] = [];
  let rest = text;
  while (rest && lines.length < maxLines - 1 && !fitsWidth(rest, font, fontSize, width)) {
    const count = Math.max(countFittingCharacters(rest, font, fontSize, width), 1);
    const space = rest.lastIndexOf(' ', count);
    const end = space > 0 ? space : (findWordBreak(rest.slice(0, count)) ?? count);
    lines.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return [...lines, clipToWidth(rest, font, fontSize, width)];
}

/** A word without spaces, such as an e-mail address, is preferably broken after one of these signs. */
function findWordBreak(word: string): number | undefined {
  const breakEnd = /^.*[^\s@./_-][@./_-]/.exec(word)?.[0].length;
  return breakEnd !== undefined && breakEnd >= word.length / 2 ? breakEnd : undefined;
}

function countFittingCharacters(text: string, font: Font, size: number, width: number): number {
  let remaining = (width * 1000) / size;
  for (let count = 0; count < text.length; count++) {
    remaining -= font.widthOf(text[count]!);
    if (remaining < 0) return count;
  }
  return text.length;
}
