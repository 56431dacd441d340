import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fontkit from '@pdf-lib/fontkit';
import { decodePDFRawStream, PDFDict, PDFDocument, PDFName, type PDFRawStream } from 'pdf-lib';
import { afterAll, describe, expect, it } from 'vitest';
import { migrate } from '../../../../db/migrate.ts';
import { openDatabase } from '../../../../db/open.ts';
import { createPdf, LETTER_SIZE, Page } from '../../../../server/formats/pdf/document.ts';
import { fitColumns, type PaperColumn } from '../../../../server/formats/pdf/fit-columns.ts';
import { fontPathInPackage } from '../../../../server/formats/pdf/fonts.ts';
import { drawRunningHead, layOutSenderLines } from '../../../../server/formats/pdf/letterhead.ts';
import { widthOf } from '../../../../server/formats/pdf/text.ts';
import { inspectPicture } from '../../../../server/formats/picture.ts';
import { projectRoot } from '../../../../server/root.ts';
import { temporaryFolder } from '../../../support/folder.ts';
import { readPdf } from '../../../support/pdf.ts';
import { buildPng, SAMPLE_JPEG } from '../../../support/pictures.ts';
import { addSupplier } from '../../../support/rows.ts';

const AT = new Date('2026-11-20T18:00:00Z');

/** Makes a PDF with each text in both weights. */
async function pdfOf(texts: readonly string[]): Promise<Uint8Array> {
  const pdf = await createPdf('Prueba', AT);
  const page = new Page(pdf.fonts, { left: 0, right: 10_000, size: 9, paper: LETTER_SIZE });
  for (const [index, text] of texts.entries()) {
    page.drawText(text, 0, 20 * index);
    page.drawTextRight(text, 10_000, 20 * index, { bold: true });
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
  ])('shows %s as written, and lets it be searched and copied', async (_, text) => {
    const { pages } = await readPdf(await pdfOf([text]));
    expect(pages[0]!.texts).toEqual([text, text]);
  });

  it('is valid whatever a text holds: a question mark replaces what the font lacks', async () => {
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

  it('embeds only the glyphs that it shows', async () => {
    const [one, two] = await Promise.all([pdfOf(['Ñandú']), pdfOf(['Ñandú', 'Łódź'])]);
    expect(one.length).toBeLessThan(10_000);
    expect(two.length).toBeGreaterThan(one.length);
    const many = await pdfOf([
      'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz áéíóúüñ',
      '0123456789 $,.-',
    ]);
    expect(many.length).toBeLessThan(25_000);
  });

  it('draws each letter as the typeface has it, with its accents', async () => {
    const letters = 'AñẾ8';
    const document = await PDFDocument.load(await pdfOf([letters]));
    const objects = document.context.enumerateIndirectObjects().map(([, object]) => object);
    const fontFile = PDFName.of('FontFile2');
    const files = objects
      .filter((object) => object instanceof PDFDict && object.has(fontFile))
      .map((descriptor) => (descriptor as PDFDict).lookup(fontFile) as PDFRawStream);
    for (const [index, name] of ['Regular', 'Bold'].entries()) {
      const whole = fontkit.create(await readFile(fontPathInPackage(`SourceSans3-${name}.ttf`)));
      const part = fontkit.create(decodePDFRawStream(files[index]!).decode());
      // A subset font numbers its glyphs in the order in which they were drawn; 0 is the missing glyph.
      for (const [at, letter] of [...letters].entries())
        expect(part.getGlyph(at + 1).path.toSVG(), letter).toBe(
          whole.glyphForCodePoint(letter.codePointAt(0)!).path.toSVG(),
        );
    }
  });

  it('is identical, byte for byte, for the same texts, even if several are made at once', async () => {
    const texts = ['Ñandú', 'Łódź'];
    const [first, , second] = await Promise.all([pdfOf(texts), pdfOf(['Όλυμπος']), pdfOf(texts)]);
    expect(Buffer.compare(first!, second!)).toBe(0);
  });

  // Database drivers return small values as views into a larger buffer.
  it.each([
    ['JPEG', SAMPLE_JPEG],
    ['PNG', buildPng(30, 9)],
  ])('embeds a logo, a %s, even if its bytes are part of a larger buffer', async (_, bytes) => {
    const shared = new Uint8Array(bytes.length + 200).fill(7);
    shared.set(bytes, 100);
    const own = shared.subarray(100, 100 + bytes.length);
    const pdf = await createPdf('Prueba', AT, { ...inspectPicture(own)!, bytes: own, sha256: '' });
    const page = new Page(pdf.fonts, { left: 0, right: 100, size: 9, paper: LETTER_SIZE });
    page.drawLogo({ x: 0, y: 0, width: 30, height: 9 });
    const { document } = await readPdf(await pdf.write([page]));
    expect(String(document.getPage(0).node.Resources())).toMatch(/\/XObject <<\s*\/Logo \d+ 0 R/);
  });
});

/** Every character is half as wide as it is high. */
const font = { has: () => true, widthOf: () => 500 };
const evenFonts = { regular: font, bold: font };

/** A column of names with this many characters, and a longest word of `word`. */
const names = (letters: number, word: number): PaperColumn => ({
  heading: ['Correo'],
  hasHeadingNote: false,
  kind: 'text',
  isKey: false,
  widestTextPerPoint: letters / 2,
  widestWordPerPoint: word / 2,
});

const widthAt = (columns: PaperColumn[], index: number) => {
  const fit = fitColumns(columns, evenFonts);
  return { ...fit, width: fit.panels[0]!.find((one) => one.index === index)!.width };
};

it('an address is not broken if it fits in landscape', () => {
  const others = Array.from({ length: 5 }, () => names(24, 10));
  const torn = widthAt([...others, names(38, 0)], 5);
  expect([torn.paper === LETTER_SIZE, torn.width < 19 * torn.size]).toEqual([true, true]);
  const whole = widthAt([...others, names(38, 38)], 5);
  expect(whole.paper).not.toBe(LETTER_SIZE);
  expect(whole.width).toBeGreaterThanOrEqual(19 * whole.size - 0.01);
});

it('a word that fits in no column does not turn the paper to landscape', () => {
  const others = Array.from({ length: 3 }, () => names(24, 10));
  const fit = fitColumns([...others, names(60, 60)], evenFonts);
  expect([fit.paper, fit.size, fit.panels.length]).toEqual([LETTER_SIZE, 9.2, 1]);
});

const { folder, remove } = temporaryFolder();
afterAll(remove);

/** Keeps only the packages that `npm ci --omit=dev` installs, and the build. */
function installForProduction(): void {
  for (const name of ['dist', 'cli', 'package.json'])
    cpSync(join(projectRoot, name), join(folder, name), { recursive: true });
  const lock = JSON.parse(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { dev?: boolean; optional?: boolean }>;
  };
  for (const [path, { dev, optional }] of Object.entries(lock.packages)) {
    const isNested = path.lastIndexOf('node_modules/') > 0;
    if (!path || dev || isNested || (optional && !existsSync(join(projectRoot, path)))) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    symlinkSync(join(projectRoot, path), join(folder, path), 'dir');
  }
}

it('a PDF finds its fonts without development packages', async () => {
  installForProduction();
  const database = openDatabase(`file:${folder}/saldo.db`, { root: folder, createIfMissing: true });
  await migrate(database);
  await addSupplier(database.db, { suppliername: 'Łódź Żelbet' });
  await database.close();
  const out = join(folder, 'proveedores.pdf');
  expect(existsSync(join(folder, 'node_modules/source-sans'))).toBe(false);
  execFileSync(
    process.execPath,
    ['--preserve-symlinks', join(folder, 'cli/saldo.mjs'), 'export', 'suppliers', '--out', out],
    {
      env: { ...process.env, NODE_ENV: 'production', DATABASE_URL: `file:${folder}/saldo.db` },
      stdio: 'pipe',
    },
  );
  const { pages } = await readPdf(readFileSync(out));
  expect(pages[0]!.texts).toContain('Łódź Żelbet');
});

const { fonts } = await createPdf('', new Date(0));
const sizes = { name: 11, address: 8 };
const empresa =
  'Constructora e Inmobiliaria Hermanos Villarreal Treviño del Noreste y Asociados, S.A.P.I. de C.V.';
const direccion =
  'Av. Lázaro Cárdenas 2400 Poniente, torre B, piso 14, San Pedro Garza García, Nuevo León, C.P. 66269';
const rfc = 'CIV010203AB1';

describe('the letterhead of a PDF', () => {
  it('has a line for the name and one for the other facts, if there are any', () => {
    const textsOf = (sender: Partial<Record<'empresa' | 'rfc' | 'direccion', string>>) =>
      layOutSenderLines({ empresa: '', rfc: '', direccion: '', ...sender }, fonts, 540, sizes).map(
        ({ text }) => text,
      );
    expect(textsOf({})).toEqual([]);
    expect(textsOf({ empresa: 'Roble' })).toEqual(['Roble']);
    expect(textsOf({ empresa: 'Roble', rfc, direccion: 'Av. 1' })).toEqual(['Roble', `RFC ${rfc} · Av. 1`]);
    expect(textsOf({ direccion: 'Av. 1' })).toEqual(['Av. 1']);
  });

  it('is complete even if one line does not hold it', () => {
    const lines = layOutSenderLines({ empresa, rfc, direccion }, fonts, 400, sizes);
    expect(lines.map(({ isName }) => isName)).toEqual([true, true, false, false]);
    expect(lines.map(({ text }) => text).join(' ')).toBe(`${empresa} RFC ${rfc} · ${direccion}`);
    for (const { text, size, isName } of lines)
      expect(widthOf(text, isName ? fonts.bold : fonts.regular, size)).toBeLessThanOrEqual(400.01);
  });
});

describe('the heading of the pages after the first', () => {
  async function shown(title: string, empresa: string, right: number) {
    const pdf = await createPdf('', new Date(0));
    const page = new Page(pdf.fonts, { left: 0, right, size: 8, paper: LETTER_SIZE });
    drawRunningHead(page, { title, empresa }, { left: 0, right }, 20, { size: 8 });
    const { runs } = (await readPdf(await pdf.write([page]))).pages[0]!;
    const [first, second] = runs;
    if (first && second) expect(second.x - widthOf(first.text, fonts.regular, 8)).toBeGreaterThan(8);
    return runs.map(({ text }) => text);
  }

  it('is complete if both parts fit next to each other, however long one of them is', async () => {
    expect(await shown('Proveedores', empresa, 440)).toEqual(['Proveedores', empresa]);
    expect(await shown(empresa, 'Roble', 440)).toEqual([empresa, 'Roble']);
    expect(await shown('Proveedores', '', 440)).toEqual(['Proveedores']);
  });

  it('cuts each part to half the width at most if they do not fit', async () => {
    const [title, name] = await shown(empresa, empresa, 440);
    for (const text of [title!, name!]) {
      expect(text).toMatch(/^Constructora e Inmobiliaria .*…$/);
      expect(widthOf(text, fonts.regular, 8)).toBeLessThanOrEqual(212.01);
    }
  });
});
