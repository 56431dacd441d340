import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './session.ts';

export const sendMarkup = (c: AppContext, markup: string, status?: ContentfulStatusCode): Response =>
  sendText(c, markup, status, { 'Content-Type': 'text/html; charset=UTF-8' });

export const sendJson = (
  c: AppContext,
  value: object,
  status?: ContentfulStatusCode,
  headers?: Record<string, string>,
): Response => sendJsonText(c, JSON.stringify(value), status, headers);

export const sendJsonText = (
  c: AppContext,
  json: string | Buffer<ArrayBuffer>,
  status?: ContentfulStatusCode,
  headers?: Record<string, string>,
): Response => sendText(c, json, status, { ...headers, 'Content-Type': 'application/json' });

/** Shorter answers take longer to compress than to send. */
const MIN_COMPRESSED_BYTES = 1024;

/** Compresses the text at once, which takes a quarter of the time of a stream. */
function sendText(
  c: AppContext,
  text: string | Buffer<ArrayBuffer>,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string>,
): Response {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const sent = { ...headers, Vary: 'Accept-Encoding' };
  const accepted = c.req.header('accept-encoding') ?? '';
  const coding = (['br', 'gzip'] as const).find((name) => acceptsCoding(accepted, name));
  if (bytes.length < MIN_COMPRESSED_BYTES || !coding)
    return c.body(text, status, { ...sent, 'Content-Length': String(bytes.length) });
  return c.body(COMPRESSIONS[coding](bytes), status, { ...sent, 'Content-Encoding': coding });
}

/**
 * At these levels a list takes about a millisecond; brotli, which browsers accept over https, saves a fifteenth. Its
 * window (256 KB) holds a whole page, and stays in the processor's cache, which takes a fifth off megabytes.
 */
const BROTLI_PARAMETERS = { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 };
const COMPRESSIONS = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, { params: BROTLI_PARAMETERS }),
  gzip: (bytes: Buffer) => gzipSync(bytes, { level: 3 }),
} as const;

/** Whether Accept-Encoding allows the coding (RFC 9110, 12.5.3): `;q=0` refuses it, `*` stands for all others. */
export function acceptsCoding(header: string, name: string): boolean {
  if (header === '') return false;
  const codings = header.split(',').map((part) => {
    const [coding = '', quality = ''] = part.trim().toLowerCase().split(';');
    return { coding: coding.trim(), isTaken: !/^\s*q=0(\.0*)?\s*$/.test(quality) };
  });
  const named = codings.find(({ coding }) => coding === name) ?? codings.find(({ coding }) => coding === '*');
  return named?.isTaken ?? false;
}
