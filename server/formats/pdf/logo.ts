import type { PDFContext, PDFRef } from 'pdf-lib';
import type { Picture, PictureFile } from '../picture.ts';

/** Its upper left corner, and its size, in points. */
export interface PlacedLogo {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** The most that it takes of a page's head, in points. */
const MOST_WIDTH = 120;
const MOST_HEIGHT = 40;

/** Between it and the text on its left. */
export const LOGO_GAP = 16;

/** In the corner that ends at `right` and begins at `top`, as large as there is room. */
export function placeLogo({ width, height }: Picture, right: number, top: number): PlacedLogo {
  const scale = Math.min(MOST_WIDTH / width, MOST_HEIGHT / height);
  return { x: right - width * scale, y: top, width: width * scale, height: height * scale };
}

/** The one that was embedded last, unpacked and packed again as PDF has pictures: most documents carry the same. */
let last: { sha256: string; embedded: Promise<Embedded> } | undefined;

interface Embedded {
  context: PDFContext;
  ref: PDFRef;
}

export async function embedLogo(context: PDFContext, logo: PictureFile): Promise<PDFRef> {
  if (last?.sha256 !== logo.sha256) last = { sha256: logo.sha256, embedded: embed(logo) };
  const known = await last.embedded;
  const { PDFObjectCopier } = await import('pdf-lib');
  return PDFObjectCopier.for(known.context, context).copy(known.ref);
}

async function embed({ kind, bytes }: PictureFile): Promise<Embedded> {
  const { PDFDocument } = await import('pdf-lib');
  const document = await PDFDocument.create({ updateMetadata: false });
  // Of a JPEG pdf-lib reads the memory that the bytes lie in from its start, which a database's answer may share.
  const own = Uint8Array.from(bytes);
  const image = await (kind === 'png' ? document.embedPng(own) : document.embedJpg(own));
  await image.embed();
  return { context: document.context, ref: image.ref };
}
