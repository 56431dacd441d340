import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { AppEnv } from './session.ts';

/** No inline scripts. React Aria writes style attributes; hot reloading needs inline styles and a web socket. */
const contentSecurityPolicy = (development: boolean) =>
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

/** Headers of every answer, also of those that the HTTP server gives before the application sees a request. */
export const securityHeaders = ({ url }: Pick<Config, 'url'>, development = false) => ({
  'Content-Security-Policy': contentSecurityPolicy(development),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // Not no-referrer: with that, browsers send "Origin: null" with this site's own forms.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  ...(url?.startsWith('https:') && {
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  }),
});

export const setSecurityHeaders: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  const { headers } = c.res;
  const { config, development } = c.get('deps');
  for (const [name, value] of Object.entries(securityHeaders(config, development))) {
    // An uploaded file is sent with a stricter policy.
    if (name !== 'Content-Security-Policy' || !headers.get(name)?.startsWith('sandbox'))
      headers.set(name, value);
  }
  if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
};
