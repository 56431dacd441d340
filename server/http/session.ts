import { createHmac, timingSafeEqual } from 'node:crypto';
import { isIP } from 'node:net';
import { getConnInfo } from '@hono/node-server/conninfo';
import type { Context, MiddlewareHandler } from 'hono';
import { deleteCookie, getCookie, setSignedCookie } from 'hono/cookie';
import { readDataVersion } from '../../db/open.ts';
import type { Db } from '../../db/schema.ts';
import { type PlainDate, plainDateIn } from '../../shared/dates.ts';
import { DomainError } from '../../shared/errors.ts';
import { describeMissingPrivileges } from '../../shared/roles.ts';
import { cleanMotivo } from '../../shared/text.ts';
import { pages, withQuery } from '../../shared/urls.ts';
import type { Config } from '../config.ts';
import type { Actor } from '../services/audit/audit.ts';
import { loadPreferenceReader, type PreferenceReader } from '../services/preferences/preferences.ts';
import type { Auth } from '../services/session/auth.ts';
import { readSession, type Session } from '../services/session/session.ts';
import type { Settings } from '../services/settings/definitions.ts';
import { readSettings } from '../services/settings/settings.ts';
import { findAccess, isAllowed, isPasswordChangePath, isSecondFactorPath } from './access.ts';
import type { JobRunner } from './jobs.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import type { RequestEvent } from './request-facts.ts';

export interface Deps {
  db: Db;
  auth: Auth;
  config: Config;
  log: Log;
  metrics?: Metrics;
  /** runs reports, exports and imports; absent in development, where the main thread does */
  jobRunner?: JobRunner;
  now: () => Date;
  isDevelopment: boolean;
}

export interface AppEnv {
  Variables: {
    deps: Deps;
    requestId: string;
    event?: RequestEvent;
    signedIn?: number;
    triedAccount?: string;
    now: Date;
    today: PlainDate;
    session?: Session;
    /** of a GET */
    dataVersion?: string;
    settings?: Promise<Settings>;
    preferences?: Promise<PreferenceReader>;
    byToken?: boolean;
  };
}

export type AppContext = Context<AppEnv>;

export function readSettingsOnce(c: AppContext): Promise<Settings> {
  const settings = c.get('settings') ?? readSettings(c.get('deps').db);
  c.set('settings', settings);
  return settings;
}

/** The caller's choices about screens. Whoever stores one and then renders a page has to forget what was read. */
export function readPreferencesOnce(c: AppContext): Promise<PreferenceReader> {
  const preferences =
    c.get('preferences') ?? loadPreferenceReader(c.get('deps').db, requireSession(c).userId);
  c.set('preferences', preferences);
  return preferences;
}

export const attachSession: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { db, config, now } = c.get('deps');
  const at = now();
  c.set('now', at);
  c.set('today', plainDateIn(at, config.timeZone));
  const token = readHeaderToken(c);
  const sessionToken = token ?? readSignedCookie(c, sessionCookieName(config), config.secret);
  if (sessionToken) {
    // PostgreSQL answers all of these at once. Whatever is written later has another version than the answer's.
    const [session, dataVersion] = await Promise.all([
      readSession(db, sessionToken, at, () => readSettingsOnce(c)),
      c.req.method === 'GET' ? readDataVersion(db) : undefined,
    ]);
    c.set('session', session);
    c.set('dataVersion', dataVersion);
    c.set('byToken', token !== undefined);
  }
  await next();
};

/**
 * Refuses changes from other sites. Accepts callers with a token and no cookie and, without a session cookie, requests
 * that state no origin, such as a program's sign-in.
 */
export const refuseForeignOrigins: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (!['GET', 'HEAD', 'OPTIONS'].includes(c.req.method)) {
    const hasCookie = (c.req.header('cookie') ?? '').includes(`${sessionCookieName(c.get('deps').config)}=`);
    const exempt = readHeaderToken(c) !== undefined && !hasCookie;
    if (!exempt && !isSameOrigin(c, hasCookie)) {
      throw new DomainError('forbidden', 'La solicitud viene de otro sitio.', { code: 'foreign_origin' });
    }
  }
  await next();
};

export const guardAccess: MiddlewareHandler<AppEnv> = async (c, next) => {
  const access = findAccess(c.req.path);
  if (access === undefined) throw new DomainError('not-found', 'No existe esta página.');
  const session = c.get('session');
  if (access === 'public') return next();
  if (!session) {
    if (isApiRequest(c)) throw new DomainError('unauthenticated', 'Inicia sesión para continuar.');
    c.set('event', 'unauthenticated');
    return c.redirect(withQuery(pages.login, { next: findReturnPage(c) }), 303);
  }
  if (session.mustChangePassword && !isPasswordChangePath(c.req.path)) {
    c.set('event', 'password-change-required');
    if (!isApiRequest(c)) return c.redirect(pages.profile, 303);
    throw new DomainError('forbidden', 'Cambia tu contraseña para continuar.', {
      code: 'password_change_required',
    });
  }
  if (!session.mustChangePassword && session.mustAddSecondFactor && !isSecondFactorPath(c.req.path)) {
    c.set('event', 'second-factor-required');
    if (!isApiRequest(c)) return c.redirect(pages.secondFactor, 303);
    throw new DomainError('forbidden', 'Activa el doble factor para continuar.', {
      code: 'second_factor_enrolment_required',
    });
  }
  if (!isAllowed(access, session.roles))
    throw new DomainError('forbidden', describeMissingPrivileges(session.username));
  return next();
};

/**
 * The page to open after the sign-in: for a GET, the requested page; for a posted form, the page that showed the form,
 * where script fills it in again, or without a referer the form's target.
 */
function findReturnPage(c: AppContext): string | undefined {
  const referer = c.req.method === 'GET' ? undefined : c.req.header('referer');
  const urls = [referer, c.req.url].map((address) => address && URL.parse(address));
  const url = urls.find((one) => one && one.pathname !== '/');
  return url ? url.pathname + url.search : undefined;
}

export const pathWithoutSlash = (c: AppContext): string => c.req.path.replace(/(?<=.)\/$/, '');

export const isApiRequest = (c: AppContext): boolean => /^\/api(\/|$)/.test(c.req.path);

/** @param motivo the reason as sent @throws DomainError invalid where it is too long */
export function actorOf(c: AppContext, motivo = ''): Actor {
  const session = requireSession(c);
  return {
    userId: session.userId,
    username: session.username,
    roles: session.roles,
    origin: isApiRequest(c) ? 'api' : 'page',
    at: c.get('now').toISOString(),
    today: c.get('today'),
    motivo: cleanMotivo(motivo),
    overriddenRules: new Set(),
  };
}

export function requireSession(c: AppContext): Session {
  const session = c.get('session');
  if (!session) throw new DomainError('unauthenticated', 'Inicia sesión para continuar.');
  return session;
}

export async function setSessionCookie(c: AppContext, token: string): Promise<void> {
  const { config } = c.get('deps');
  await setSignedCookie(c, sessionCookieName(config), token, config.secret, cookieOptions(config));
}

export const cookieOptions = (config: Config) =>
  ({ path: '/', httpOnly: true, sameSite: 'Lax', secure: usesHttps(config) }) as const;

/**
 * Reads a cookie that setSignedCookie wrote, if its signature is valid. Hono's own function uses Web Crypto, which
 * switches threads twice: as much processor time as the rest of a signed-in request.
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

export function clearSessionCookie(c: AppContext): void {
  const { config } = c.get('deps');
  deleteCookie(c, sessionCookieName(config), { path: '/', secure: usesHttps(config) });
}

/** The address of the socket, or the one that the outermost trusted proxy saw; untrusted entries are ignored. */
export function readClientAddress(c: AppContext): string {
  const { trustedProxies } = c.get('deps').config;
  if (trustedProxies > 0) {
    const hops = (c.req.header('x-forwarded-for') ?? '').split(',').map(withoutPort);
    const hop = hops.at(-trustedProxies);
    if (hop && isIP(hop)) return hop;
  }
  // Requests without a socket come from this machine: tests, the development server.
  const hasSocket = typeof c.env === 'object' && c.env !== null && 'incoming' in c.env;
  return (hasSocket && getConnInfo(c).remote.address) || '127.0.0.1';
}

/** Some proxies add the port: 203.0.113.7:50123, [2001:db8::7]:50123. */
const withoutPort = (hop: string): string =>
  hop
    .trim()
    .replace(/^\[([^\]]*)\](:\d+)?$/, '$1')
    .replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');

function readHeaderToken(c: AppContext): string | undefined {
  const legacy = c.req.header('x-access-token');
  if (legacy) return legacy.trim();
  return /^Bearer\s+(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1];
}

function isSameOrigin(c: AppContext, hasCookie: boolean): boolean {
  const origin = c.req.header('origin');
  if (origin !== undefined) return origin === serverOrigin(c);
  const site = c.req.header('sec-fetch-site');
  if (site !== undefined) return site === 'same-origin';
  return !hasCookie;
}

function serverOrigin(c: AppContext): string {
  const { config } = c.get('deps');
  if (config.url) return config.url;
  const url = new URL(c.req.url);
  const proto = config.trustedProxies > 0 ? c.req.header('x-forwarded-proto') : undefined;
  return proto ? `${proto}://${url.host}` : url.origin;
}

/** The prefix __Host- makes browsers insist on Secure, path / and no domain. It can only be used over https. */
export const hostCookieName = (config: Config, name: string): string =>
  usesHttps(config) ? `__Host-${name}` : name;

export const messageCookieName = (config: Config) => hostCookieName(config, 'saldo-message');

const sessionCookieName = (config: Config) => hostCookieName(config, 'saldo');

export const usesHttps = (config: Config) => config.url?.startsWith('https:') ?? false;
