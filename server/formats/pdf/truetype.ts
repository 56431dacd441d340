/**
 * A TrueType file as far as it takes to set text one character after the other: which characters it has, how
 * wide they are, and their outlines. Only characters of the first plane that show something by themselves:
 * each is one unit of a string, and none of them needs another to stand on.
 */
export interface TrueType {
  /** as PostScript calls it */
  name: string;
  /** in thousandths of its size, as all measures here */
  ascent: number;
  descent: number;
  capHeight: number;
  box: readonly [number, number, number, number];
  weight: number;
  has(character: string): boolean;
  /** 0 where it lacks the character */
  widthOf(character: string): number;
  /** its number; that of the sign for what is lacking is 0 */
  glyphOf(character: string): number;
  outlineOf(glyph: number): Uint8Array;
  /** what it takes across, and where its outline begins in that, in the font's own units */
  advanceOf(glyph: number): readonly [width: number, bearing: number];
  /** a copy, to be changed */
  table(tag: string): DataView<ArrayBuffer>;
}

/** Controls, marks that stand on another letter, and spaces other than the one. */
const NOT_BY_ITSELF = /[\p{C}\p{M}\p{Z}]/u;

export function readTrueType(bytes: Uint8Array): TrueType {
  const table = tablesOf(bytes);
  const [head, hhea, os2] = [table('head'), table('hhea'), table('OS/2')];
  const scale = 1000 / head.getUint16(18);
  const scaled = (view: DataView, at: number) => Math.round(view.getInt16(at) * scale);
  const glyphs = glyphsOf(table('cmap'));
  const advances = table('hmtx');
  const lastAdvance = hhea.getUint16(34) - 1;
  const advanceOf = (glyph: number) => {
    const width = advances.getUint16(4 * Math.min(glyph, lastAdvance));
    // From the last width on, the others have bearings alone.
    return [
      width,
      advances.getInt16(glyph > lastAdvance ? 2 * (lastAdvance + 1 + glyph) : 4 * glyph + 2),
    ] as const;
  };
  const places = table('loca');
  const place = head.getInt16(50)
    ? (glyph: number) => places.getUint32(4 * glyph)
    : (glyph: number) => 2 * places.getUint16(2 * glyph);
  const outlines = table('glyf');
  const glyphOf = (character: string) => glyphs[character.charCodeAt(0)]!;
  return {
    name: nameOf(table('name')),
    ascent: scaled(hhea, 4),
    descent: scaled(hhea, 6),
    capHeight: scaled(os2, 88),
    box: [scaled(head, 36), scaled(head, 38), scaled(head, 40), scaled(head, 42)],
    weight: os2.getUint16(4),
    has: (character) => character.length === 1 && glyphOf(character) > 0,
    widthOf(character) {
      const glyph = glyphOf(character);
      return glyph > 0 ? advanceOf(glyph)[0] * scale : 0;
    },
    glyphOf,
    outlineOf: (glyph) =>
      new Uint8Array(outlines.buffer, outlines.byteOffset + place(glyph), place(glyph + 1) - place(glyph)),
    advanceOf,
    table: (tag) => {
      const { buffer, byteOffset, byteLength } = table(tag);
      return new DataView((buffer as ArrayBuffer).slice(byteOffset, byteOffset + byteLength));
    },
  };
}

function tablesOf(bytes: Uint8Array): (tag: string) => DataView {
  const file = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const tables = new Map<string, DataView>();
  for (let entry = 12; entry < 12 + 16 * file.getUint16(4); entry += 16) {
    const tag = String.fromCharCode(...bytes.subarray(entry, entry + 4));
    const start = bytes.byteOffset + file.getUint32(entry + 8);
    tables.set(tag, new DataView(bytes.buffer, start, file.getUint32(entry + 12)));
  }
  return (tag) => {
    const found = tables.get(tag);
    if (!found) throw new Error(`the font has no table ${tag}`);
    return found;
  };
}

/** The glyph of each character of the first plane, from the table's segments of consecutive ones. */
function glyphsOf(cmap: DataView): Uint16Array {
  const glyphs = new Uint16Array(0x10000);
  const at = subtableOf(cmap);
  for (let group = 0; group < cmap.getUint32(at + 12); group++) {
    const [first, last, glyph] = [0, 4, 8].map((part) => cmap.getUint32(at + 16 + 12 * group + part));
    for (let code = first!; code <= Math.min(last!, 0xffff); code++)
      if (code === 0x20 || !NOT_BY_ITSELF.test(String.fromCharCode(code)))
        glyphs[code] = glyph! + code - first!;
  }
  return glyphs;
}

/** That of whole Unicode: platform 3, encoding 10, format 12. */
function subtableOf(cmap: DataView): number {
  for (let entry = 4; entry < 4 + 8 * cmap.getUint16(2); entry += 8) {
    const at = cmap.getUint32(entry + 4);
    if (cmap.getUint32(entry) === 0x0003_000a && cmap.getUint16(at) === 12) return at;
  }
  throw new Error('the font says nowhere which characters it has');
}

const POSTSCRIPT_NAME = 6;

function nameOf(names: DataView): string {
  for (let entry = 6; entry < 6 + 12 * names.getUint16(2); entry += 12) {
    const [platform, , , kind, length, at] = [0, 2, 4, 6, 8, 10].map((part) => names.getUint16(entry + part));
    if (platform !== 3 || kind !== POSTSCRIPT_NAME) continue;
    let name = '';
    for (let index = 0; index < length!; index += 2)
      name += String.fromCharCode(names.getUint16(names.getUint16(4) + at! + index));
    return name;
  }
  throw new Error('the font has no name');
}
