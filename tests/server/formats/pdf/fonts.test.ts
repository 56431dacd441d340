import { describe, expect, it } from 'vitest';
import { loadFonts, subsetOf } from '../../../../server/formats/pdf/fonts.ts';

const { regular, bold } = await loadFonts();
const everything = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  regular.has,
);

/** The tables of a TrueType file, as its directory has them. */
function tablesOf(file: Buffer): Record<string, Buffer> {
  const entries = Array.from({ length: file.readUInt16BE(4) }, (_, index) => 12 + 16 * index);
  return Object.fromEntries(
    entries.map((entry) => {
      const start = file.readUInt32BE(entry + 8);
      const table = file.subarray(start, start + file.readUInt32BE(entry + 12));
      return [file.toString('latin1', entry, entry + 4), table];
    }),
  );
}

describe('a part of a font', () => {
  it('has the letters of Europe, and both weights have the same', () => {
    expect(everything.length).toBeGreaterThan(1_500);
    expect(everything.every(bold.has)).toBe(true);
    for (const letter of 'ĄĆĘŁŃŚŹŻąćęłńśźżĂÂÎȘȚăâîșțŞŢΆΩάώЁЯёяЂћẤỹĐđ→≥≤')
      expect(regular.has(letter), letter).toBe(true);
    for (const lacking of ['\u0301', '\u00ad', '\u00a0', '\u202e', '\ue000', '\ud83d', '💩', '株', 'ش'])
      expect(regular.has(lacking), lacking).toBe(false);
  });

  it.each([
    ['regular', regular],
    ['bold', bold],
  ])('has what was drawn, what that is put together from, and nothing else (%s)', (_, font) => {
    const drawn = ['A', 'ñ', 'Ế', ' '].map(font.glyphOf);
    const { loca, glyf, hmtx } = tablesOf(subsetOf(font, drawn)) as Record<string, Buffer>;
    const whole = font.tables;
    const outline = (places: Buffer, all: Buffer, glyph: number) =>
      all.subarray(places.readUInt32BE(4 * glyph), places.readUInt32BE(4 * glyph + 4));
    const filled = [...Array(loca!.length / 4 - 1).keys()].filter(
      (glyph) => outline(loca!, glyf!, glyph).length > 0,
    );
    const needed = drawn.slice(0, 3);
    expect(filled).toEqual(expect.arrayContaining(needed));
    expect(filled.length).toBeLessThan(12);
    for (const glyph of filled) {
      const own = outline(loca!, glyf!, glyph);
      // contours, and the box around them
      expect(own.subarray(0, 10).equals(outline(whole.loca!, whole.glyf!, glyph).subarray(0, 10))).toBe(true);
      if (own.readInt16BE(0) < 0) expect(filled).toContain(own.readUInt16BE(12));
      expect(hmtx!.readUInt16BE(4 * glyph)).toBe(whole.hmtx!.readUInt16BE(4 * glyph));
    }
  });
});
