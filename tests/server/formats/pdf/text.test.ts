import { describe, expect, it } from 'vitest';
import { createPdf } from '../../../../server/formats/pdf/document.ts';
import { clipToWidth, toPrintable, widthOf, wrapToWidth } from '../../../../server/formats/pdf/text.ts';

const { regular, bold } = (await createPdf('', new Date(0))).fonts;
/** Every character is half as wide as it is high. */
const font = { has: () => true, widthOf: () => 500 };
/** Like real letters, these have fractional widths. */
const uneven = {
  has: () => true,
  widthOf: (character: string) => 191 + ((character.codePointAt(0)! * 37) % 700),
};

describe('text in a PDF', () => {
  it.each([
    [
      'Ñandú & Cía, S.A. de C.V. «¿Qué?» 10 € – “B” … ½ m²',
      'Ñandú & Cía, S.A. de C.V. «¿Qué?» 10 € – “B” … ½ m²',
    ],
    ['Ñandú'.normalize('NFD'), 'Ñandú'],
    ['Łódź, Đorđe, Straße, ŽIŽKA, İstanbul ışık', 'Łódź, Đorđe, Straße, ŽIŽKA, İstanbul ışık'],
    ['Ștefan Țepeș, Ştefan', 'Ștefan Țepeș, Ştefan'],
    ['Tiếng Việt', 'Tiếng Việt'],
    ['Tiếng Việt'.normalize('NFD'), 'Tiếng Việt'],
    ['Κατασκευές Όλυμπος', 'Κατασκευές Όλυμπος'],
    ['ﬁn №5 Ａ１ ①', 'ﬁn №5 A1 1'],
    ['Ålesund é\u0331', 'Ålesund é'],
    ['Z̵̢̛̺a̷͇͐l̸̰̈́g̷̱̈o̵̝͝', 'Zalgo'],
    ['5\u2212 3\u2011 4', '5\u2212 3\u2011 4'],
    ['Varilla ⅜″, tubo 1⅜ × ¾ ⌀ ≤ 3″ → obra', 'Varilla ⅜″, tubo 1⅜ × ¾ Ø ≤ 3″ → obra'],
    ['dos\r\nlíneas\ty\u00a0espacios\u2003varios', 'dos líneas y espacios varios'],
    ['a\u0000b\u0007c\u001b[31m', 'a b c [31m'],
    ['in\u00advisi\u200bble\u200d\ufeff', 'invisible'],
    ['\u202emal\u202c \u2066x\u2069', 'mal x'],
    ['株式会社', '????'],
    ['ООО Ромашка', 'ООО Ромашка'],
    ['شركة', '????'],
    ['Obra 👩‍👩‍👧‍👦 🇲🇽 👍🏽 x', 'Obra ? ? ? x'],
    ['\ud800 suelto', '? suelto'],
    ['\u200b', '?'],
    ['', ''],
    ['   ', ''],
    ['<script>(\\) Tj ET', '<script>(\\) Tj ET'],
  ])('%j is shown as %j', (text, shown) => {
    expect(toPrintable(text, regular)).toBe(shown);
    expect(toPrintable(shown, regular)).toBe(shown);
  });

  it('consists of characters that both fonts have, one unit each, for every character there is', () => {
    for (let code = 0; code <= 0x2ffff; code += code < 0x3000 ? 1 : 37) {
      const shown = toPrintable(`a${String.fromCodePoint(code)}b`, regular);
      expect(shown).toMatch(/^[^\p{C}\p{M}]+[b?]$/u);
      const units = Array.from({ length: shown.length }, (_, index) => shown[index]!);
      expect(units.filter((unit) => !regular.has(unit) || !bold.has(unit))).toEqual([]);
    }
  });

  it('ends in an ellipsis within its width if it is too long', () => {
    expect(clipToWidth('abcdefghij', font, 10, 50)).toBe('abcdefghij');
    expect(clipToWidth('abcdefghijk', font, 10, 50)).toBe('abcdefghi…');
    expect(clipToWidth('abcdefgh ijk', font, 10, 50)).toBe('abcdefgh…');
    expect(widthOf(clipToWidth('x'.repeat(200), font, 9, 77), font, 9)).toBeLessThanOrEqual(77);
  });

  it('is complete in a column that was made as wide as the text, at any size', () => {
    for (const text of ['Thu, 21 Mar 2024', 'Sun, 02 Jun 2024', '$1,218.97', 'Nota de crédito NC-101'])
      for (const size of [6.8, 7.5, 8.5])
        expect(clipToWidth(text, uneven, size, widthOf(text, uneven, 1) * size)).toBe(text);
  });

  it('breaks between words into two lines at most, and inside a word that has no break', () => {
    expect(wrapToWidth('uno dos', font, 10, 50, 2)).toEqual(['uno dos']);
    expect(wrapToWidth('uno dos tres', font, 10, 50, 2)).toEqual(['uno dos', 'tres']);
    expect(wrapToWidth('uno dos tres cuatro cinco', font, 10, 50, 2)).toEqual(['uno dos', 'tres cuat…']);
    expect(wrapToWidth('abcdefghijklmno', font, 10, 50, 2)).toEqual(['abcdefghij', 'klmno']);
    expect(wrapToWidth('', font, 10, 50, 2)).toEqual(['']);
    // A long address or number is broken after a separator.
    expect(wrapToWidth('ana@obra-ejemplo.test', font, 10, 65, 2)).toEqual(['ana@obra-', 'ejemplo.test']);
    expect(wrapToWidth('FAC-2026-000123', font, 10, 50, 2)).toEqual(['FAC-2026-', '000123']);
    expect(wrapToWidth('a@bcdefghijklmno', font, 10, 50, 2)).toEqual(['a@bcdefghi', 'jklmno']);
    for (const width of [3, 5, 9, 20, 100]) {
      for (const text of ['x'.repeat(300), 'a b c '.repeat(50), 'Constructora e Inmobiliaria']) {
        const lines = wrapToWidth(text, font, 9, Math.max(width, 5), 2);
        expect(lines.length).toBeLessThanOrEqual(2);
      }
    }
  });
});
