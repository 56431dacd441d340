import { ReadableStream as NodeStream } from 'node:stream/web';
import type { ExportFormat } from '../../shared/urls.ts';
import { csvChunks } from '../formats/sheets/csv.ts';
import type { ListExport } from '../formats/sheets/list-export.ts';
import type { Sheet } from '../formats/sheets/sheet.ts';
import { EXPORT_TYPES, type ExportFile, makeExport } from '../services/exports/make-export.ts';
import { attachment } from './content-disposition.ts';
import type { AppContext } from './session.ts';

/**
 * A list as a file, for pages and API alike.
 * @throws DomainError too-large, or what reading its first rows does
 */
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

/** A table that is no list of ours, such as a template, as CSV. @param name without its ending */
export const sendCsv = <Row>(c: AppContext, name: string, sheet: Sheet<Row>): Promise<Response> =>
  sendChunks(c, { name: `${name}.csv`, type: EXPORT_TYPES.csv, chunks: csvChunks(sheet) });

/** The first chunk is made before there is an answer, so that what cannot be made at all is an ordinary error. */
async function sendChunks(c: AppContext, { name, type, chunks }: ExportFile): Promise<Response> {
  const headers = { 'Content-Type': type, 'Content-Disposition': attachment(name) };
  if (c.req.method === 'HEAD') return c.body(null, 200, headers); // nothing is made for who asks for the head alone
  const first = await chunks.next();
  return c.body(NodeStream.from(bytesOf(first, chunks)) as ReadableStream<Uint8Array>, 200, headers);
}

async function* bytesOf(
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
