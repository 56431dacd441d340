import type { MiddlewareHandler } from 'hono';
import type { AppEnv } from './session.ts';

/**
 * No inline script exists, so none is allowed. React Aria writes style attributes, hence style-src-attr.
 * In development the hot reload needs inline styles and a web socket.
 */
const policy = (development: boolean) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${development ? " 'unsafe-inline'" : ''}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${development ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

/** Security headers on every answer, errors and downloads included. */
export const setsSecurityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { config, development } = c.get('deps');
  const headers = c.res.headers;
  headers.set('Content-Security-Policy', policy(development));
  headers.set('X-Content-Type-Options', 'nosniff');
  headers.set('X-Frame-Options', 'DENY');
  // same-origin, not no-referrer: with the latter browsers send "Origin: null" with our own forms.
  headers.set('Referrer-Policy', 'same-origin');
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  headers.set('Permissions-Policy', 'camera=(), geolocation=(), microphone=(), payment=()');
  if (config.url?.startsWith('https:'))
    headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains');
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};
