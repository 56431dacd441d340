import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import type { PDFContext, PDFRef } from 'pdf-lib';
import type { Font } from './text.ts';

/** Source Sans 3: its figures are of one width, and it has the letters of every language of Europe and more. */
export const FONT_FILES = { regular: 'SourceSans3-Regular.ttf', bold: 'SourceSans3-Bold.ttf' };

/** Where the build puts them, in dist/server/. */
export const FONT_FOLDER = 'fonts';

export const packagedFont = (name: string): string =>
  createRequire(import.meta.url).resolve(`source-sans/TTF/${name}`);

/**
 * A TrueType file as far as it takes to set text one character after the other. Only these two files are read, so
 * what they have in common is taken for granted: a thousand units to the size, places of four bytes in `loca`, and
 * a character map of format 12. Only characters of the first plane that show something by themselves count: each
 * is one unit of a string, and none of them needs another to stand on.
 */
interface FontFile extends Font {
  name: string;
  tables: Record<string, Buffer>;
  /** by character; 0 is the sign for what is lacking */
  glyphOf(character: string): number;
}

let fonts: Record<keyof typeof FONT_FILES, FontFile> | undefined;

/** They are read with the first PDF of a process. */
export async function loadFonts(): Promise<Record<keyof typeof FONT_FILES, FontFile>> {
  fonts ??= { regular: await readFont(FONT_FILES.regular), bold: await readFont(FONT_FILES.bold) };
  return fonts;
}

async function readFont(file: string): Promise<FontFile> {
  const bytes = await readFile(pathOf(file));
  const tables: FontFile['tables'] = {};
  for (let entry = 12; entry < 12 + 16 * bytes.readUInt16BE(4); entry += 16) {
    const start = bytes.readUInt32BE(entry + 8);
    const table = bytes.subarray(start, start + bytes.readUInt32BE(entry + 12));
    tables[bytes.toString('latin1', entry, entry + 4)] = table;
  }
  const glyphs = glyphsOf(tables.cmap!);
  const widths = Uint16Array.from(glyphs, (glyph) => (glyph > 0 ? tables.hmtx!.readUInt16BE(4 * glyph) : 0));
  return {
    name: basename(file, '.ttf'),
    tables,
    has: (character) => character.length === 1 && glyphs[character.charCodeAt(0)]! > 0,
    widthOf: (character) => widths[character.charCodeAt(0)]!,
    glyphOf: (character) => glyphs[character.charCodeAt(0)]!,
  };
}

/** The sources have the package; what runs from dist/ needs no package for its fonts. */
function pathOf(name: string): string {
  if (import.meta.filename.endsWith('.ts')) return packagedFont(name);
  const here = import.meta.dirname;
  return join(basename(here) === 'assets' ? join(here, '..') : here, FONT_FOLDER, name);
}

/** Controls, marks that stand on another letter, and spaces other than the one. */
const NOT_BY_ITSELF = /[\p{C}\p{M}\p{Z}]/u;

/** The glyph of each character, from segments of consecutive ones (platform 3, encoding 10: all of Unicode). */
function glyphsOf(cmap: Buffer): Uint16Array {
  const glyphs = new Uint16Array(0x10000);
  const at = cmap.readUInt32BE(cmap.indexOf('0003000a', 'hex') + 4);
  for (let group = at + 16; group < at + cmap.readUInt32BE(at + 4); group += 12) {
    const [first, last] = [cmap.readUInt32BE(group), Math.min(cmap.readUInt32BE(group + 4), 0xffff)];
    for (let code = first; code <= last; code++)
      if (code === 0x20 || !NOT_BY_ITSELF.test(String.fromCharCode(code)))
        glyphs[code] = cmap.readUInt32BE(group + 8) + code - first;
  }
  return glyphs;
}

/** A font in one document, which brings the outlines of those characters alone that were drawn. */
export interface EmbeddedFont extends Font {
  ref: PDFRef;
  /** the string object of a content stream, in hexadecimal; the text is printable */
  encode(text: string): string;
  /** once all is drawn */
  finish(): Promise<void>;
}

const hex = (text: string): string => Buffer.from(text, 'utf16le').swap16().toString('hex');

export function embedFont(context: PDFContext, font: FontFile): EmbeddedFont {
  const ref = context.nextRef();
  const drawn = new Set<string>();
  return {
    ref,
    has: font.has,
    widthOf: font.widthOf,
    encode(text) {
      for (const character of text) drawn.add(character);
      return `<${hex(text)}>`;
    },
    finish: () => writeFont(context, ref, font, [...drawn].sort()),
  };
}

/**
 * Compressed by Node: pdf-lib's own compression is plain JavaScript, and took a third of the time of a long
 * list. Page by page it is a matter of a millisecond, and the threads beside would hold on to their memory.
 */
export const addStream = (
  context: PDFContext,
  content: string | Uint8Array,
  facts: Record<string, number> = {},
): PDFRef => context.register(context.stream(deflateSync(content), { ...facts, Filter: 'FlateDecode' }));

/** The codes in the text are the characters' own, so that two that share an outline are both copied as they are. */
async function writeFont(
  context: PDFContext,
  ref: PDFRef,
  font: FontFile,
  characters: readonly string[],
): Promise<void> {
  const { PDFString } = await import('pdf-lib');
  const { head, hhea, 'OS/2': os2 } = font.tables;
  const glyphs = Buffer.alloc(2 + 2 * (characters.at(-1)?.charCodeAt(0) ?? 0));
  for (const character of characters)
    glyphs.writeUInt16BE(font.glyphOf(character), 2 * character.charCodeAt(0));
  // Six capitals tell one subset from another.
  const digest = createHash('sha256').update(characters.join('')).digest();
  const mark = String.fromCharCode(...digest.subarray(0, 6).map((byte) => 65 + (byte % 26)));
  const file = subsetOf(font, characters.map(font.glyphOf));
  const names = { Type: 'Font', BaseFont: `${mark}+${font.name}` };
  const descriptor = context.obj({
    Type: 'FontDescriptor',
    FontName: names.BaseFont,
    Flags: 4, // no encoding of its own
    FontBBox: [36, 38, 40, 42].map((at) => head!.readInt16BE(at)),
    ItalicAngle: 0,
    Ascent: hhea!.readInt16BE(4),
    Descent: hhea!.readInt16BE(6),
    CapHeight: os2!.readInt16BE(88),
    StemV: os2!.readUInt16BE(4) / 5, // asked for, and used where a reader has to do without the file
    FontFile2: addStream(context, file, { Length1: file.length }),
  });
  const descendant = context.obj({
    ...names,
    Subtype: 'CIDFontType2',
    CIDSystemInfo: { Registry: PDFString.of('Adobe'), Ordering: PDFString.of('Identity'), Supplement: 0 },
    FontDescriptor: context.register(descriptor),
    W: characters.flatMap((character) => [character.charCodeAt(0), [font.widthOf(character)]]),
    CIDToGIDMap: addStream(context, glyphs),
  });
  const whole = context.obj({
    ...names,
    Subtype: 'Type0',
    Encoding: 'Identity-H',
    DescendantFonts: [context.register(descendant)],
    ToUnicode: addStream(context, unicodesOf(characters)),
  });
  context.assign(ref, whole);
}

/** At most so many may stand in one section. */
const A_SECTION = 100;

function unicodesOf(characters: readonly string[]): string {
  const sections: string[] = [];
  for (let from = 0; from < characters.length; from += A_SECTION) {
    const codes = characters.slice(from, from + A_SECTION).map((one) => hex(one));
    sections.push(
      `${codes.length} beginbfchar\n${codes.map((code) => `<${code}> <${code}>`).join('\n')}\nendbfchar`,
    );
  }
  return `/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <0000> <ffff> endcodespacerange
${sections.join('\n')}
endcmap CMapName currentdict /CMap defineresource pop end end`;
}

/**
 * The file with the outlines of these glyphs alone, and of those that they are put together from. Glyphs keep their
 * numbers, and all others are empty, which compresses to next to nothing.
 */
export function subsetOf({ tables }: Pick<FontFile, 'tables'>, glyphs: readonly number[]): Buffer {
  const { head, hhea, hmtx, loca, maxp } = tables as Record<string, Buffer>;
  const outlines = new Map<number, Buffer>();
  const add = (glyph: number) => {
    if (outlines.has(glyph)) return;
    const [start, end] = [loca!.readUInt32BE(4 * glyph), loca!.readUInt32BE(4 * glyph + 4)];
    const outline = Buffer.from(tables.glyf!.subarray(start, end)); // a copy, to be changed
    outlines.set(glyph, outline);
    partsOf(outline).forEach(add);
  };
  [0, ...glyphs].forEach(add);
  const [places, advances] = [Buffer.alloc(loca!.length), Buffer.alloc(hmtx!.length)];
  const kept: Buffer[] = [];
  for (let glyph = 0, end = 0; 4 * glyph < places.length; glyph++) {
    places.writeUInt32BE(end, 4 * glyph);
    const outline = outlines.get(glyph);
    if (!outline) continue;
    kept.push(outline);
    end += outline.length;
    hmtx!.copy(advances, 4 * glyph, 4 * glyph, 4 * glyph + 4);
  }
  return fileOf({
    glyf: Buffer.concat(kept),
    head: head!,
    hhea: hhea!,
    hmtx: advances,
    loca: places,
    maxp: maxp!,
  });
}

/** What the parts of a glyph say of themselves. */
const [WIDE, SCALED, MORE, SCALED_TWICE, TURNED, HINTED] = [0x1, 0x8, 0x20, 0x40, 0x80, 0x100] as const;

/**
 * The glyphs that one is put together from. On the way what hints at small sizes on coarse screens is blanked, since it
 * would need tables that are not embedded.
 */
function partsOf(outline: Buffer): number[] {
  const contours = outline.length > 0 ? outline.readInt16BE(0) : 0;
  if (contours > 0) {
    const at = 10 + 2 * contours;
    outline.fill(0, at + 2, at + 2 + outline.readUInt16BE(at));
  }
  const parts: number[] = [];
  for (let at = 10, flags = contours < 0 ? MORE : 0; flags & MORE; ) {
    flags = outline.readUInt16BE(at);
    outline.writeUInt16BE(flags & ~HINTED, at);
    parts.push(outline.readUInt16BE(at + 2));
    at += 4 + (flags & WIDE ? 4 : 2);
    at += flags & SCALED ? 2 : flags & SCALED_TWICE ? 4 : flags & TURNED ? 8 : 0;
  }
  return parts;
}

/** Six tables in the order of their names, behind their directory; readers of PDF look at no checksums. */
function fileOf(tables: Record<string, Buffer>): Buffer {
  const directory = Buffer.alloc(12 + 16 * 6);
  directory.write('000100000006004000020020', 'hex');
  const parts = [directory];
  let [entry, end] = [12, directory.length];
  for (const [tag, table] of Object.entries(tables)) {
    directory.write(tag, entry, 'latin1');
    directory.writeUInt32BE(end, entry + 8);
    directory.writeUInt32BE(table.length, entry + 12);
    const padded = (table.length + 3) & ~3;
    parts.push(Buffer.concat([table], padded));
    entry += 16;
    end += padded;
  }
  return Buffer.concat(parts);
}
