import type { MiddlewareHandler } from 'hono';
import type { Config } from '../config.ts';
import type { AppEnv } from './session.ts';

/** Allows no inline scripts. React Aria writes style attributes; hot reloading needs inline styles and a web socket. */
const buildContentSecurityPolicy = (isDevelopment: boolean) =>
  [
    "default-src 'self'",
    "script-src 'self'",
    `style-src 'self'${isDevelopment ? " 'unsafe-inline'" : ''}`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    `connect-src 'self'${isDevelopment ? ' ws:' : ''}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

export const buildSecurityHeaders = ({ url }: Pick<Config, 'url'>, isDevelopment = false) => ({
  'Content-Security-Policy': buildContentSecurityPolicy(isDevelopment),
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  // With no-referrer, browsers would send "Origin: null" when this site's own forms are posted.
  'Referrer-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  ...(url?.startsWith('https:') && {
    'Strict-Transport-Security': 'max-age=31536000; includeSubDomains',
  }),
});

export function setSecurityHeaders(config: Config, isDevelopment: boolean): MiddlewareHandler<AppEnv> {
  const { 'Content-Security-Policy': policy, ...others } = buildSecurityHeaders(config, isDevelopment);
  const entries = Object.entries(others);
  return async (c, next) => {
    await next();
    const { headers } = c.res;
    // An uploaded file is sent with a stricter policy.
    if (!headers.get('Content-Security-Policy')?.startsWith('sandbox'))
      headers.set('Content-Security-Policy', policy);
    for (const [name, value] of entries) headers.set(name, value);
    if (!headers.has('Cache-Control')) headers.set('Cache-Control', 'no-store');
  };
}
