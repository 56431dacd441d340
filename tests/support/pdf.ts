import { decodePDFRawStream, PDFArray, PDFDict, PDFDocument, PDFName, PDFRawStream, PDFRef } from 'pdf-lib';

export interface TextRun {
  text: string;
  /** the left end and the baseline, in points from the upper left corner */
  x: number;
  y: number;
  size: number;
  font: string;
}

export interface PdfContent {
  document: PDFDocument;
  pages: { runs: TextRun[]; rules: { x: number; y: number; width: number }[]; texts: string[] }[];
}

async function readPdfBody(answer: Response): Promise<Uint8Array> {
  if (answer.headers.get('content-type') !== 'application/pdf')
    throw new Error(
      `no PDF: ${answer.status} ${(await answer.text()).replace(/<[^>]*>/g, ' ').slice(-2000)}`,
    );
  return new Uint8Array(await answer.arrayBuffer());
}

export async function readPdf(source: Response | Uint8Array): Promise<PdfContent> {
  const bytes = source instanceof Response ? await readPdfBody(source) : source;
  const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
  const unicodes = new Map<PDFRef, Map<string, string>>();
  const pages = document.getPages().map((page) => {
    const contents = page.node.Contents();
    if (!(contents instanceof PDFRawStream))
      throw new Error(`one stream a page: ${contents instanceof PDFArray}`);
    const content = decodeStreamText(contents);
    const fonts = page.node.Resources()?.lookup(PDFName.of('Font'), PDFDict);
    const height = page.getHeight();
    const runs = [...content.matchAll(/(\/\S+) (\S+) Tf 1 0 0 1 (\S+) (\S+) Tm <([0-9A-F]*)> Tj/g)].map(
      ([, font = '', size, x, y, hex = '']): TextRun => {
        const ref = fonts?.get(PDFName.of(font.slice(1)));
        if (!(ref instanceof PDFRef)) throw new Error(`no such font: ${font}`);
        if (!unicodes.has(ref)) unicodes.set(ref, unicodesOf(document.context.lookup(ref, PDFDict)));
        const text = (hex.match(/.{4}/g) ?? []).map((code) => unicodes.get(ref)!.get(code)).join('');
        return { text, x: Number(x), y: height - Number(y), size: Number(size), font };
      },
    );
    const rules = [...content.matchAll(/w (\S+) (\S+) m (\S+) (\S+) l S/g)].map(([, x, y, end]) => ({
      x: Number(x),
      y: height - Number(y),
      width: Number(end) - Number(x),
    }));
    return { runs, rules, texts: runs.map(({ text }) => text) };
  });
  return { document, pages };
}

const decodeStreamText = (stream: PDFRawStream): string =>
  Buffer.from(decodePDFRawStream(stream).decode()).toString('latin1');

/** Finds the character of each code in a font, as a PDF reader does to search and copy. */
function unicodesOf(font: PDFDict): Map<string, string> {
  const stream = font.lookup(PDFName.of('ToUnicode'));
  if (!(stream instanceof PDFRawStream)) throw new Error('a font whose text nobody can copy');
  const map = decodeStreamText(stream);
  return new Map(
    [...map.matchAll(/^<([0-9A-F]{4})> <([0-9A-F]{4})>$/gm)].map(([, code = '', unit = '']) => [
      code,
      String.fromCharCode(Number.parseInt(unit, 16)),
    ]),
  );
}
