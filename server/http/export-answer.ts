import type { ExportFormat } from '../../shared/urls.ts';
import { csvChunks } from '../formats/sheets/csv.ts';
import type { ListExport, Sheet } from '../formats/sheets/sheet.ts';
import { streamChunks } from '../formats/sheets/stream.ts';
import { EXPORT_TYPES, makeExport } from '../services/exports/make-export.ts';
import { attachment } from './content-disposition.ts';
import { type AppContext, requireSession } from './session.ts';

/**
 * A list as a file that is made while it is sent, for pages and API alike.
 * @throws DomainError too-large, busy, or what reading its first rows does
 */
export async function sendExport<Row>(
  c: AppContext,
  format: ExportFormat,
  list: ListExport<Row>,
): Promise<Response> {
  const { db, config } = c.get('deps');
  const { name, type, chunks, isWhole } = makeExport(
    {
      db,
      format,
      now: c.get('now'),
      timeZone: config.timeZone,
      userId: requireSession(c).userId,
      signal: c.req.raw.signal,
    },
    list,
  );
  const headers = { 'Content-Type': type, 'Content-Disposition': attachment(name) };
  if (c.req.method === 'HEAD') return c.body(null, 200, headers); // who asks what it is does not have it made
  if (isWhole) {
    const bytes = (await chunks.next()).value as Uint8Array<ArrayBuffer>;
    return c.body(bytes, 200, { ...headers, 'Content-Length': String(bytes.length) });
  }
  return sendChunks(c, chunks, headers);
}

/** A table that is no list of ours, such as a template, as CSV. @param name without its ending */
export async function sendCsv<Row>(c: AppContext, name: string, sheet: Sheet<Row>): Promise<Response> {
  return sendChunks(c, csvChunks(sheet), {
    'Content-Type': EXPORT_TYPES.csv,
    'Content-Disposition': attachment(`${name}.csv`),
  });
}

/** Streamed; what goes wrong on the way is logged, and breaks the body off. */
async function sendChunks(
  c: AppContext,
  chunks: Parameters<typeof streamChunks>[0],
  headers: Record<string, string>,
): Promise<Response> {
  const { log } = c.get('deps');
  const body = await streamChunks(chunks, (error) => {
    // Who asked has gone, which the request's own line says.
    if (!c.req.raw.signal.aborted) log.error({ err: error, id: c.get('requestId') }, 'an export broke off');
  });
  return c.body(body, 200, headers);
}
