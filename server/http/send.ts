import { gzipSync } from 'node:zlib';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { AppContext } from './session.ts';

export const sendMarkup = (c: AppContext, markup: string, status?: ContentfulStatusCode): Response =>
  sendText(c, markup, status, { 'Content-Type': 'text/html; charset=UTF-8' });

export const sendJson = (
  c: AppContext,
  value: object,
  status?: ContentfulStatusCode,
  headers?: Record<string, string>,
): Response => sendText(c, JSON.stringify(value), status, { ...headers, 'Content-Type': 'application/json' });

/** Shorter answers take longer to compress than to send. */
const MIN_COMPRESSED_BYTES = 1024;

/** Compresses the text at once, which takes a quarter of the time of a stream. */
function sendText(
  c: AppContext,
  text: string,
  status: ContentfulStatusCode = 200,
  headers: Record<string, string>,
): Response {
  const bytes = Buffer.byteLength(text);
  const sent = { ...headers, Vary: 'Accept-Encoding' };
  if (bytes < MIN_COMPRESSED_BYTES || !acceptsCoding(c.req.header('accept-encoding') ?? '', 'gzip'))
    return c.body(text, status, { ...sent, 'Content-Length': String(bytes) });
  return c.body(gzipSync(text, { level: 3 }), status, { ...sent, 'Content-Encoding': 'gzip' });
}

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
