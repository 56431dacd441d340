import { decodePDFRawStream, PDFArray, PDFDocument, PDFName, PDFRawStream } from 'pdf-lib';

export interface ReadRun {
  text: string;
  /** left end and baseline, in points from the upper left corner */
  x: number;
  y: number;
  size: number;
  font: string;
}

export interface ReadPdf {
  document: PDFDocument;
  pages: { runs: ReadRun[]; rules: { x: number; y: number; width: number }[]; texts: string[] }[];
}

/** What a PDF of ours shows, read out of its content streams. */
export async function readPdf(source: Response | Uint8Array): Promise<ReadPdf> {
  const bytes = source instanceof Response ? new Uint8Array(await source.arrayBuffer()) : source;
  const document = await PDFDocument.load(bytes, { updateMetadata: false, throwOnInvalidObject: true });
  const pages = document.getPages().map((page) => {
    const contents = page.node.Contents();
    if (!(contents instanceof PDFRawStream))
      throw new Error(`one stream a page: ${contents instanceof PDFArray}`);
    const content = Buffer.from(decodePDFRawStream(contents).decode()).toString('latin1');
    const fonts = page.node.Resources()?.lookup(PDFName.of('Font'));
    const height = page.getHeight();
    const runs = [...content.matchAll(/(\/\S+) (\S+) Tf 1 0 0 1 (\S+) (\S+) Tm <([0-9a-f]*)> Tj/g)].map(
      ([, font = '', size, x, y, hex = '']): ReadRun => {
        if (!String(fonts).includes(font)) throw new Error(`no such font: ${font}`);
        const text = new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'));
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
