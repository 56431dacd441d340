import type { Hono, MiddlewareHandler } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { DomainError } from '../../shared/errors.ts';
import { type AppContext, type AppEnv, attachSession, isApiRequest } from './session.ts';
import { readDeclaredLength } from './uploads.ts';

const MAX_BODY_BYTES = 256 * 1024;

/** Routes that take files. They limit the size themselves (http/uploads.ts), so that their pages show the error. */
const UPLOAD_PATHS: readonly RegExp[] = [
  /^\/importar\/?$/,
  /^\/new-invoice\/xml\/?$/,
  /^\/editinvoicepage\/\d+\/adjuntos\/?$/,
  /^\/admin-settings\/(logo|plantillas)\/?$/,
  /^\/caja-chica\/(\d+\/(nuevo-movimiento|leer-xml)|movimientos\/\d+(\/(leer-xml|adjuntos))?)\/?$/,
  /^(\/api)?\/programaciones\/estados-de-cuenta\/cargar\/?$/,
  /^(\/api)?\/fiscal\/(metadatos|69b)\/?$/,
];

/** A visitor who is not signed in sends no more than a mail address and a password. */
const MAX_GUEST_BODY_BYTES = 16 * 1024;

/** All routes are plain names, so no route has %2F, "..", "//", ";" or a backslash in its path. */
const isPlainPath = (path: string): boolean => /^\/(?:[\w-][\w.-]*(?:\/[\w-][\w.-]*)*\/?)?$/.test(path);

/** Checks the path as it was sent: in the parsed URL ".." is resolved already. */
export const refuseOddPaths: MiddlewareHandler<AppEnv> = async (c, next) => {
  if (isPlainPath(readRawPath(c))) return next();
  await attachSession(c, async () => {}); // the error page then has the menu of a signed-in user
  throw new DomainError('not-found', 'No existe esta página.');
};

/** Refuses a request that declares too large a body, before the session or the body is read. */
export const refuseLargeBodies: MiddlewareHandler<AppEnv> = (c, next) => {
  const isLimited = !(isUploadRequest(c) && hasCredentials(c));
  if (isLimited && readDeclaredLength(c) > MAX_BODY_BYTES) throw requestTooLargeError(MAX_BODY_BYTES);
  return next();
};

/** Runs after the access check. Limits the bodies of guests, and any body of undeclared length, while they are read. */
export const limitBodies: MiddlewareHandler<AppEnv> = (c, next) => {
  if (hasNoBody(c)) return next();
  if (!c.get('session')) return limitGuestBody(c, next);
  return isUploadRequest(c) ? next() : limitUserBody(c, next);
};

/** No handler reads a body of these methods, and checking for one would build the whole Request object. */
const hasNoBody = (c: AppContext) => c.req.method === 'GET' || c.req.method === 'HEAD';

/** Node reads no more than the declared length; counting again would build the whole Request object and a stream. */
const hasDeclaredLength = (c: AppContext) =>
  c.req.header('content-length') !== undefined && c.req.header('transfer-encoding') === undefined;

function limitBody(maxSize: number): MiddlewareHandler<AppEnv> {
  const refuseBody = () => {
    throw requestTooLargeError(maxSize);
  };
  const limitCounted = bodyLimit({ maxSize, onError: refuseBody });
  return (c, next) => {
    if (!hasDeclaredLength(c)) return limitCounted(c, next);
    return readDeclaredLength(c) > maxSize ? refuseBody() : next();
  };
}

const limitUserBody = limitBody(MAX_BODY_BYTES);
const limitGuestBody = limitBody(MAX_GUEST_BODY_BYTES);

const requestTooLargeError = (limit: number) =>
  new DomainError('too-large', `La solicitud pasa de ${limit / 1024} KB.`);

const isUploadRequest = (c: AppContext) =>
  c.req.method === 'POST' && UPLOAD_PATHS.some((path) => path.test(c.req.path));

/** Whether the request names a session, valid or not; without one nobody may send files. */
const hasCredentials = (c: AppContext) =>
  ['cookie', 'authorization', 'x-access-token'].some((name) => c.req.header(name) !== undefined);

function readRawPath(c: AppContext): string {
  const { incoming } = (c.env ?? {}) as { incoming?: { url?: string } };
  const target = incoming?.url ?? c.req.url;
  // Proxies may send the complete URL.
  return target.replace(/^https?:\/\/[^/?#]*/, '').replace(/[?#].*$/s, '') || '/';
}

const ROUTED_METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Answers 404, or 405 with Allow where the path exists for another method (RFC 9110, 15.5.6). A browser that opens a
 * path which only takes a form, as when reloading a refused form, is redirected to the nearest page above it.
 * @throws DomainError not-found, wrong-method
 */
export function answerUnmatchedPath(app: Hono<AppEnv>, c: AppContext): Response {
  const { path, method } = c.req;
  const allowed = findMethodsAt(app, path);
  if (allowed.length === 0 || method === 'TRACE')
    throw new DomainError(
      'not-found',
      isApiRequest(c) ? 'No existe esta dirección.' : 'No existe esta página.',
    );
  if (!isApiRequest(c) && (method === 'GET' || method === 'HEAD'))
    return c.redirect(findNearestPage(app, path), 303);
  c.header('Allow', allowed.join(', '));
  throw new DomainError('wrong-method', `Esta dirección solo admite ${allowed.join(', ')}.`, {
    code: 'method_not_allowed',
  });
}

/** Leaves out middleware, which matches every path. */
const findMethodsAt = (app: Hono<AppEnv>, path: string): string[] =>
  ROUTED_METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  ).flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : method));

function findNearestPage(app: Hono<AppEnv>, path: string): string {
  const parent = path.slice(0, path.lastIndexOf('/')) || '/';
  return parent === '/' || findMethodsAt(app, parent).includes('GET') ? parent : findNearestPage(app, parent);
}
