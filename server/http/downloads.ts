import { ReadableStream as NodeStream } from 'node:stream/web';
import type { ExportFormat } from '../../shared/urls.ts';
import { generateCsvChunks } from '../formats/sheets/csv.ts';
import type { ListExport, Sheet } from '../formats/sheets/sheet.ts';
import { EXPORT_MEDIA_TYPES, type ExportFile, makeExport } from '../services/exports/make-export.ts';
import type { AppContext } from './session.ts';

/** @throws DomainError too-large, or an error of reading the first rows */
export async function sendExport<Row>(
  c: AppContext,
  format: ExportFormat,
  list: ListExport<Row>,
): Promise<Response> {
  const { db, config } = c.get('deps');
  const { timeZone } = config;
  return sendChunks(
    c,
    makeExport({ db, format, now: c.get('now'), timeZone, signal: c.req.raw.signal }, list),
  );
}

export const sendCsv = <Row>(c: AppContext, name: string, sheet: Sheet<Row>): Promise<Response> =>
  sendChunks(c, { name: `${name}.csv`, mediaType: EXPORT_MEDIA_TYPES.csv, chunks: generateCsvChunks(sheet) });

/** Produces the first chunk before the response starts, so that an early failure becomes an ordinary error page. */
async function sendChunks(c: AppContext, { name, mediaType, chunks }: ExportFile): Promise<Response> {
  const headers = { 'Content-Type': mediaType, 'Content-Disposition': contentDisposition(name) };
  if (c.req.method === 'HEAD') return c.body(null, 200, headers); // HEAD needs no content
  const first = await chunks.next();
  return c.body(NodeStream.from(encodeChunks(first, chunks)) as ReadableStream<Uint8Array>, 200, headers);
}

async function* encodeChunks(
  first: IteratorResult<string | Uint8Array>,
  chunks: ExportFile['chunks'],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  try {
    for (let next = first; !next.done; next = await chunks.next())
      yield typeof next.value === 'string' ? encoder.encode(next.value) : next.value;
  } finally {
    await chunks.return(undefined);
  }
}

/** The value of Content-Disposition: the name in ASCII for old clients, and in full (RFC 6266, RFC 8187). */
export function contentDisposition(filename: string): string {
  const plain = filename
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  // encodeURIComponent does not encode these characters, which the RFC does not allow.
  const encoded = encodeURIComponent(filename).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

export const sendBytes = (c: AppContext, { filename, bytes }: { filename: string; bytes: Uint8Array }) =>
  c.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(bytes.length),
    'Content-Disposition': contentDisposition(filename),
    'Cache-Control': 'no-store',
  });
