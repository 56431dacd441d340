import { deflateSync } from 'node:zlib';
import type { Picture, PictureFile } from '../picture.ts';
import { yieldToEventLoop } from '../sheets/event-loop.ts';
import { type EmbeddedFont, embedFonts, type PdfFonts } from './fonts.ts';
import { clipToWidth, toPrintable, widthOf } from './text.ts';

/** US letter, upright, in points. Positions are counted from the upper left corner. */
export const LETTER_SIZE = { width: 612, height: 792 };

export const mm = (millimetres: number): number => (millimetres * 72) / 25.4;

interface PdfWriter {
  fonts: PdfFonts;
  write(pages: Iterable<Page> | AsyncIterable<Page>, signal?: AbortSignal): Promise<Uint8Array<ArrayBuffer>>;
}

export async function createPdf(title: string, at: Date, logo?: PictureFile): Promise<PdfWriter> {
  const { PDFDocument, PDFName } = await import('pdf-lib');
  const document = await PDFDocument.create({ updateMetadata: false });
  document.setTitle(title, { showInWindowTitleBar: true });
  document.setLanguage('es-MX');
  document.setCreator('Saldo');
  document.setProducer('Saldo');
  document.setCreationDate(at);
  document.setModificationDate(at);
  const { context } = document;
  const fonts = await embedFonts(document);
  // pdf-lib reads a JPEG from the start of its underlying buffer, which a database's answer may share with other data.
  const bytes = Uint8Array.from(logo?.bytes ?? []);
  const image = logo && (await (logo.kind === 'png' ? document.embedPng(bytes) : document.embedJpg(bytes)));
  return {
    fonts,
    async write(pages, signal) {
      for await (const page of pages) {
        const { node } = document.addPage([page.paper.width, page.paper.height]);
        node.setFontDictionary(PDFName.of('Regular'), fonts.regular.pdfFont.ref);
        node.setFontDictionary(PDFName.of('Bold'), fonts.bold.pdfFont.ref);
        if (image) node.setXObject(PDFName.of('Logo'), image.ref);
        // Written by hand, since pdf-lib would keep an object for every number until the end, and spend a third of a
        // long list's time compressing.
        const content = context.stream(deflateSync(page.content()), { Filter: 'FlateDecode' });
        node.set(PDFName.of('Contents'), context.register(content));
        await yieldToEventLoop();
        signal?.throwIfAborted();
      }
      return (await document.save({ objectsPerTick: 20 })) as Uint8Array<ArrayBuffer>;
    },
  };
}

const MAX_LOGO_SIZE = { width: 120, height: 40 };

const LOGO_GAP = 16;

export function placeLogo(logo: Picture | undefined, right: number, y: number) {
  if (!logo) return { textEnd: right };
  const scale = Math.min(MAX_LOGO_SIZE.width / logo.width, MAX_LOGO_SIZE.height / logo.height);
  const [width, height] = [logo.width * scale, logo.height * scale];
  const x = right - width;
  return { textEnd: x - LOGO_GAP, placed: { x, y, width, height } };
}

export interface PageGeometry {
  left: number;
  right: number;
  size: number;
  paper: { width: number; height: number };
}

export interface TextStyle {
  size?: number;
  bold?: boolean;
  /** from 0 (black) to 1 (white) */
  grey?: number;
}

/** Its methods replace characters that the font lacks. */
export class Page {
  readonly fonts: PdfFonts;
  readonly paper: PageGeometry['paper'];
  readonly #frame: PageGeometry;
  readonly #rules: string[] = [];
  readonly #texts: string[] = [];

  constructor(fonts: PdfFonts, frame: PageGeometry) {
    this.fonts = fonts;
    this.paper = frame.paper;
    this.#frame = frame;
  }

  /** Cuts the text off at `width`, by default at the right end of the frame. */
  drawText(text: string, x: number, y: number, style: TextStyle & { width?: number } = {}) {
    const { size = this.#frame.size, width = this.#frame.right - x } = style;
    const font = this.#fontOf(style);
    this.#write(clipToWidth(toPrintable(text, font), font, size, width), x, y, style);
  }

  /** Text begins on the left and is cut off at the column's end; figures are right-aligned and never cut off. */
  drawCell(
    text: string,
    { x, width }: { x: number; width: number },
    y: number,
    isFigure: boolean,
    style?: TextStyle,
  ) {
    if (isFigure) this.drawTextRight(text, x + width, y, style);
    else this.drawText(text, x, y, { ...style, width });
  }

  drawTextRight(text: string, right: number, y: number, style: TextStyle = {}) {
    const { size = this.#frame.size } = style;
    const font = this.#fontOf(style);
    const shown = toPrintable(text, font);
    this.#write(shown, right - widthOf(shown, font, size), y, style);
  }

  drawRule(y: number, weight: number, part: { x?: number; width?: number; grey?: number } = {}) {
    const { left, right } = this.#frame;
    const { x = left, width = right - left, grey = 0 } = part;
    const line = `${formatPoints(x)} ${this.#flipY(y)} m ${formatPoints(x + width)} ${this.#flipY(y)} l S`;
    this.#rules.push(`${grey} G ${weight} w ${line}`);
  }

  drawLogo({ x, y, width, height }: { x: number; y: number; width: number; height: number }) {
    this.#rules.push(
      `q ${formatPoints(width)} 0 0 ${formatPoints(height)} ${formatPoints(x)} ${this.#flipY(y + height)} cm /Logo Do Q`,
    );
  }

  content(): string {
    return [...this.#rules, 'BT', ...this.#texts, 'ET'].join('\n');
  }

  #fontOf({ bold }: TextStyle): EmbeddedFont {
    return bold ? this.fonts.bold : this.fonts.regular;
  }

  #write(text: string, x: number, y: number, style: TextStyle): void {
    if (!text) return;
    const { size = this.#frame.size, bold, grey = 0 } = style;
    const place = `1 0 0 1 ${formatPoints(x)} ${this.#flipY(y)} Tm`;
    const name = bold ? '/Bold' : '/Regular';
    this.#texts.push(`${grey} g ${name} ${size} Tf ${place} ${this.#fontOf(style).encode(text)} Tj`);
  }

  #flipY(y: number): string {
    return formatPoints(this.paper.height - y);
  }
}

const formatPoints = (points: number): string => String(Math.round(points * 100) / 100);
