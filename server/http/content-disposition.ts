import type { AppContext } from './session.ts';

/** RFC 6266 and 8187: the name in plain letters for old readers, and as it is. */
export function attachment(file: string): string {
  const plain = file
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .replace(/[^\x20-\x7e]|["\\%]/g, '_');
  // What encodeURIComponent leaves and the RFC does not allow.
  const encoded = encodeURIComponent(file).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}

/** A file whose bytes are there, to be saved and not shown. */
export const sendBytes = (c: AppContext, { filename, bytes }: { filename: string; bytes: Uint8Array }) =>
  c.body(new Uint8Array(bytes), 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(bytes.length),
    'Content-Disposition': attachment(filename),
    'Cache-Control': 'no-store',
  });
