import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';

/**
 * The value of a cookie that setSignedCookie wrote, where its signature holds. Hono's own reading asks Web Crypto, which
 * goes to another thread and back, twice: as much processor as all else that a signed-in request takes.
 */
export function readSignedCookie(c: Context, name: string, secret: string): string | undefined {
  const cookie = getCookie(c, name) ?? '';
  const end = cookie.lastIndexOf('.');
  if (end < 0) return undefined;
  const value = cookie.slice(0, end);
  const sent = Buffer.from(cookie.slice(end + 1));
  const signature = Buffer.from(createHmac('sha256', secret).update(value).digest('base64'));
  return sent.length === signature.length && timingSafeEqual(sent, signature) ? value : undefined;
}
