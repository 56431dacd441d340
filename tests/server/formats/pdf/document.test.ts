import { readFile } from 'node:fs/promises';
import fontkit from '@pdf-lib/fontkit';
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { describe, expect, it } from 'vitest';
import { LETTER, Page, startPdf } from '../../../../server/formats/pdf/document.ts';
import { packagedFont } from '../../../../server/formats/pdf/fonts.ts';
import { readPicture } from '../../../../server/formats/picture.ts';
import { readPdf } from '../../../support/pdf.ts';
import { JPEG, pngOf } from '../../../support/pictures.ts';

const AT = new Date('2026-11-20T18:00:00Z');

/** Each text once in each weight, one under the other. */
async function pdfOf(texts: readonly string[]): Promise<Uint8Array> {
  const pdf = await startPdf('Prueba', AT);
  const page = new Page(pdf.fonts, { left: 0, right: 10_000, size: 9, paper: LETTER });
  for (const [index, text] of texts.entries()) {
    page.text(text, 0, 20 * index);
    page.end(text, 10_000, 20 * index, { bold: true });
  }
  return pdf.write([page]);
}

describe('a PDF', () => {
  it.each([
    ['Polish', 'Łódź, Zażółć gęślą jaźń'],
    ['Romanian', 'Ștefan Țepeș, Ştefan Ţepeş, înălțime'],
    ['Czech', 'Příliš žluťoučký kůň, Ďáblík'],
    ['Turkish', 'İstanbul ışığı, Şişli'],
    ['Greek', 'Κατασκευές Όλυμπος, ΐ ΰ Ά'],
    ['Cyrillic', 'ООО «Ромашка», Їжак, Ћуприја'],
    ['Vietnamese', 'Tiếng Việt: Nguyễn Thị Đặng'],
    ['Spanish', 'Ñandú & Cía, «¿Qué?» ½ m² — 10 €'],
    ['signs', '→ ≥ ≤ ✓ − ″ ⅜ № µ ∆'],
  ])('shows %s as it is written, and lets it be searched and copied', async (_, text) => {
    const { pages } = await readPdf(await pdfOf([text]));
    expect(pages[0]!.texts).toEqual([text, text]);
  });

  it('is whole whatever a text holds: what the font lacks shows as a question mark', async () => {
    const texts = ['Obra 👷🏽‍♀️ 💩 x', '株式会社', 'شركة', '\ud800', '\u200b', '\u0000\u202e'];
    const { pages } = await readPdf(await pdfOf(texts));
    expect(pages[0]!.texts.filter((_, index) => index % 2 === 0)).toEqual([
      'Obra ? ? x',
      '????',
      '????',
      '?',
      '?',
      '?',
    ]);
  });

  it('brings no more of its fonts than it shows', async () => {
    const [one, two] = await Promise.all([pdfOf(['Ñandú']), pdfOf(['Ñandú', 'Łódź'])]);
    expect(one.length).toBeLessThan(10_000);
    expect(two.length).toBeGreaterThan(one.length);
    const many = await pdfOf([
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz áéíóúüñ',
      '0123456789 $,.-',
    ]);
    expect(many.length).toBeLessThan(25_000);
  });

  it('draws each letter as the typeface has it, with its marks', async () => {
    const letters = 'AñẾ8';
    const document = await PDFDocument.load(await pdfOf([letters]));
    const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
    const fontFile = PDFName.of('FontFile2');
    const files = objects
      .filter((object) => object instanceof PDFDict && object.has(fontFile))
      .map((descriptor) => (descriptor as PDFDict).lookup(fontFile) as PDFRawStream);
    for (const [index, name] of ['Regular', 'Bold'].entries()) {
      const whole = fontkit.create(await readFile(packagedFont(`SourceSans3-${name}.ttf`)));
      const part = fontkit.create(decodePDFRawStream(files[index]!).decode());
      // The part numbers its glyphs in the order in which they were drawn, after the one for what is lacking.
      for (const [at, letter] of [...letters].entries())
        expect(part.getGlyph(at + 1).path.toSVG(), letter).toBe(
          whole.glyphForCodePoint(letter.codePointAt(0)!).path.toSVG(),
        );
    }
  });

  it('of the same texts is the same, byte for byte, and made beside another', async () => {
    const texts = ['Ñandú', 'Łódź'];
    const [first, , second] = await Promise.all([pdfOf(texts), pdfOf(['Όλυμπος']), pdfOf(texts)]);
    expect(Buffer.compare(first!, second!)).toBe(0);
  });

  // So a database's driver hands out small values: as a part of what came over the line.
  it.each([
    ['JPEG', JPEG],
    ['PNG', pngOf(30, 9)],
  ])('embeds a logo, a %s, though its bytes lie in the middle of others', async (_, bytes) => {
    const shared = new Uint8Array(bytes.length + 200).fill(7);
    shared.set(bytes, 100);
    const own = shared.subarray(100, 100 + bytes.length);
    const pdf = await startPdf('Prueba', AT, { ...readPicture(own)!, bytes: own, sha256: '' });
    const page = new Page(pdf.fonts, { left: 0, right: 100, size: 9, paper: LETTER });
    page.logo({ x: 0, y: 0, width: 30, height: 9 });
    const { document } = await readPdf(await pdf.write([page]));
    expect(String(document.getPage(0).node.Resources())).toMatch(/\/XObject <<\s*\/Logo \d+ 0 R/);
  });
});
