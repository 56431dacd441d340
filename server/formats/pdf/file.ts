import type { PDFDocument, PDFRef } from 'pdf-lib';
import type { PictureFile } from '../picture.ts';
import { nextStep } from '../sheets/next-step.ts';
import { type EmbeddedFont, embedFont } from './embedded-font.ts';
import { loadFonts } from './font-files.ts';
import { embedLogo, type PlacedLogo } from './logo.ts';
import { addStream } from './stream.ts';
import type { Font } from './text.ts';

/** US letter, upright, in points; positions are counted from its upper left corner. */
export const LETTER = { width: 612, height: 792 };

export const mm = (millimetres: number): number => (millimetres * 72) / 25.4;

/** A line of printable text: `x` is its left end, `y` its baseline. */
export interface TextRun {
  text: string;
  x: number;
  y: number;
  size: number;
  bold?: boolean;
  /** 0 black to 1 white */
  grey?: number;
}

export interface Rule {
  x: number;
  y: number;
  width: number;
  weight: number;
  grey?: number;
}

export interface PdfPage {
  runs: TextRun[];
  rules: Rule[];
  logo?: PlacedLogo;
  /** upright letter where it doesn't say */
  size?: { width: number; height: number };
}

export interface Fonts {
  regular: Font;
  bold: Font;
}

interface PdfDraft {
  fonts: Fonts;
  /** @throws the signal's reason where the reader has gone */
  write(pages: Iterable<PdfPage>, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

/** A PDF to be filled; pdf-lib and the fonts come with the first one. */
export async function startPdf({
  title,
  at,
  logo,
}: {
  title: string;
  at: Date;
  logo?: PictureFile;
}): Promise<PdfDraft> {
  const [{ PDFDocument }, files] = await Promise.all([import('pdf-lib'), loadFonts()]);
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage('es-MX');
  document.setCreator('Saldo');
  document.setProducer('Saldo');
  document.setCreationDate(at);
  document.setModificationDate(at);
  const regular = embedFont(document.context, files.regular);
  const bold = embedFont(document.context, files.bold);
  const image = logo && (await embedLogo(document.context, logo));
  return {
    fonts: { regular, bold },
    async write(pages, signal) {
      for (const page of pages) {
        await addPage(document, page, { regular, bold, image });
        await nextStep();
        signal?.throwIfAborted();
      }
      await regular.finish();
      await bold.finish();
      return (await document.save({ objectsPerTick: 20 })) as Uint8Array<ArrayBuffer>;
    },
  };
}

/** Compressed at once: pdf-lib's own drawing keeps an object for every number until the end. */
async function addPage(
  document: PDFDocument,
  { runs, rules, logo, size: { width: across, height } = LETTER }: PdfPage,
  { image, ...fonts }: { regular: EmbeddedFont; bold: EmbeddedFont; image?: PDFRef },
): Promise<void> {
  const { PDFName } = await import('pdf-lib');
  const { node } = document.addPage([across, height]);
  const names = {
    regular: node.newFontDictionary('Regular', fonts.regular.ref),
    bold: node.newFontDictionary('Bold', fonts.bold.ref),
  };
  const up = (y: number) => n(height - y);
  const drawn = logo && image && node.newXObject('Logo', image);
  const content = [
    ...(drawn
      ? [`q ${n(logo.width)} 0 0 ${n(logo.height)} ${n(logo.x)} ${up(logo.y + logo.height)} cm ${drawn} Do Q`]
      : []),
    ...rules.map(
      ({ x, y, width, weight, grey = 0 }) =>
        `${grey} G ${weight} w ${n(x)} ${up(y)} m ${n(x + width)} ${up(y)} l S`,
    ),
    'BT',
    ...runs.map(({ text, x, y, size, bold, grey = 0 }) => {
      const font = bold ? 'bold' : 'regular';
      const place = `1 0 0 1 ${n(x)} ${up(y)} Tm`;
      return `${grey} g ${names[font]} ${size} Tf ${place} ${fonts[font].encode(text)} Tj`;
    }),
    'ET',
  ].join('\n');
  node.set(PDFName.of('Contents'), addStream(document.context, content));
}

const n = (points: number) => String(Math.round(points * 100) / 100);
