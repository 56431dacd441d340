import { describe, expect, it } from 'vitest';
import { loadFonts } from '../../../../server/formats/pdf/font-files.ts';
import { subsetOf } from '../../../../server/formats/pdf/subset.ts';

const { regular, bold } = await loadFonts();
const everything = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  regular.has,
);

/** The tables of a TrueType file, as its directory has them. */
function tablesOf(file: Uint8Array): Record<string, DataView> {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  return Object.fromEntries(
    Array.from({ length: view.getUint16(4) }, (_, index) => {
      const entry = 12 + 16 * index;
      const [tag, start, length] = [
        Buffer.from(file.subarray(entry, entry + 4)).toString('latin1'),
        view.getUint32(entry + 8),
        view.getUint32(entry + 12),
      ];
      return [tag, new DataView(file.buffer, file.byteOffset + start, length)];
    }),
  );
}

const sumOf = (file: Uint8Array): number => {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  let sum = 0;
  for (let at = 0; at < file.length; at += 4) sum = (sum + view.getUint32(at)) >>> 0;
  return sum;
};

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
  ])('holds together with everything in it (%s)', (_, font) => {
    const file = subsetOf(font, everything);
    const { head, hhea, hmtx, loca, maxp, glyf } = tablesOf(file);
    expect(Object.keys(tablesOf(file))).toEqual(['glyf', 'head', 'hhea', 'hmtx', 'loca', 'maxp']);
    expect(sumOf(file)).toBe(0xb1b0afba);
    const count = maxp!.getUint16(4);
    expect(count).toBeGreaterThan(everything.length);
    expect([hhea!.getUint16(34), hmtx!.byteLength, loca!.byteLength]).toEqual([
      count,
      4 * count,
      4 * count + 4,
    ]);
    expect([head!.getInt16(50), loca!.getUint32(4 * count)]).toEqual([1, glyf!.byteLength]);
    for (const [index, character] of everything.entries()) {
      const glyph = index + 1;
      expect(hmtx!.getUint16(4 * glyph)).toBe(font.widthOf(character));
      const [start, end] = [loca!.getUint32(4 * glyph), loca!.getUint32(4 * glyph + 4)];
      const whole = font.outlineOf(font.glyphOf(character));
      expect(end > start).toBe(whole.length > 0);
      if (whole.length === 0) continue;
      // contours, and the box around them
      const box = new Uint8Array(glyf!.buffer, glyf!.byteOffset + start, 10);
      expect(Buffer.compare(box, whole.subarray(0, 10)), character).toBe(0);
      if (glyf!.getInt16(start) < 0) expect(glyf!.getUint16(start + 12), character).toBeLessThan(count);
    }
  });

  it('numbers its glyphs as it is told, twice where two characters look the same', () => {
    const [{ maxp, loca }, none] = [tablesOf(subsetOf(regular, ['µ', 'μ', ' '])), subsetOf(regular, [])];
    expect(maxp!.getUint16(4)).toBe(4);
    const lengths = [1, 2, 3].map((glyph) => loca!.getUint32(4 * glyph + 4) - loca!.getUint32(4 * glyph));
    expect(lengths).toEqual([lengths[0], lengths[0], 0]);
    expect(tablesOf(none).maxp!.getUint16(4)).toBe(1);
  });
});
