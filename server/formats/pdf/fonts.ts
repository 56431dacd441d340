import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import type { PDFDocument, PDFFont } from 'pdf-lib';
import type { Font } from './text.ts';

/** Source Sans 3 has figures of one width, and the letters of all European languages and more. */
export const FONT_FILES = { regular: 'SourceSans3-Regular.ttf', bold: 'SourceSans3-Bold.ttf' };

export const FONT_FOLDER = 'fonts';

export const fontPathInPackage = (name: string): string =>
  createRequire(import.meta.url).resolve(`source-sans/TTF/${name}`);

function fontPath(name: string): string {
  if (import.meta.filename.endsWith('.ts')) return fontPathInPackage(name);
  const here = import.meta.dirname;
  return join(basename(here) === 'assets' ? join(here, '..') : here, FONT_FOLDER, name);
}

/** Only the outlines of the characters that were drawn are embedded. */
export interface EmbeddedFont extends Font {
  pdfFont: PDFFont;
  /** encodes a text, which must be printable, as a hexadecimal string object of a content stream */
  encode(text: string): string;
}

export type PdfFonts = Record<keyof typeof FONT_FILES, EmbeddedFont>;

export async function embedFonts(document: PDFDocument): Promise<PdfFonts> {
  cachedRegularFont ??= readFont(FONT_FILES.regular);
  cachedBoldFont ??= readFont(FONT_FILES.bold);
  return {
    regular: await embedFont(document, await cachedRegularFont),
    bold: await embedFont(document, await cachedBoldFont),
  };
}

/** Decoding the tables of a font takes longer than drawing a short list with it, so documents share them. */
let cachedRegularFont: Promise<ParsedFont> | undefined;
let cachedBoldFont: Promise<ParsedFont> | undefined;

interface ParsedFont {
  bytes: Uint8Array;
  fontkit: Parameters<PDFDocument['registerFontkit']>[0];
  supported: ReadonlySet<string>;
  widths: Map<string, number>;
}

async function readFont(file: string): Promise<ParsedFont> {
  const { default: fontkit } = await import('@pdf-lib/fontkit');
  const bytes = await readFile(fontPath(file));
  const font = fontkit.create(bytes);
  const characters = font.characterSet
    .filter((code) => code <= 0xffff)
    .map((code) => String.fromCharCode(code))
    .filter((character) => character === ' ' || !INVISIBLE_PATTERN.test(character));
  // fontkit caches each glyph with the first character that used it. People copy that character from the PDF, so each
  // document has a cache of its own.
  const createSubsetFont = () => Object.create(font, { _glyphs: { value: {} } });
  return { bytes, fontkit: { create: createSubsetFont }, supported: new Set(characters), widths: new Map() };
}

const INVISIBLE_PATTERN = /[\p{C}\p{M}\p{Z}]/u;

/**
 * Only characters of the first plane that show something by themselves are supported. Each is measured once and alone:
 * pdf-lib needs a quarter of a millisecond to lay out a whole text, and would kern figures out of their columns.
 */
async function embedFont(
  document: PDFDocument,
  { bytes, fontkit, supported, widths }: ParsedFont,
): Promise<EmbeddedFont> {
  document.registerFontkit(fontkit);
  const embedded = await document.embedFont(bytes, { subset: true });
  const widthOf = memoize((character) => embedded.widthOfTextAtSize(character, 1000), widths);
  const codeOf = memoize((character) => embedded.encodeText(character).asString());
  return {
    pdfFont: embedded,
    has: (character) => supported.has(character),
    widthOf,
    encode(text) {
      let codes = '';
      for (const character of text) codes += codeOf(character);
      return `<${codes}>`;
    },
  };
}

function memoize<Value>(compute: (character: string) => Value, found = new Map<string, Value>()) {
  return (character: string): Value => {
    let value = found.get(character);
    if (value === undefined) {
      value = compute(character);
      found.set(character, value);
    }
    return value;
  };
}
