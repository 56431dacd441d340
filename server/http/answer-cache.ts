import { createHash, randomUUID } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import type { MiddlewareHandler } from 'hono/types';
import { isMarkedDamaged } from '../services/database/damage.ts';
import { isPasswordConfirmed } from '../services/users/passwords.ts';
import { jobKindOfRequest } from './job-answers.ts';
import {
  type AppContext,
  type AppEnv,
  isApiRequest,
  messageCookieName,
  pathWithoutSlash,
  readPreferencesOnce,
  requireSession,
} from './session.ts';

/** Limit for all cached answers together, in bytes as they are sent; the oldest are dropped first. */
const MAX_BYTES = 4_000_000;

/** A longer answer would push out too many others; a file can be as long as the database. */
const MAX_ANSWER_BYTES = MAX_BYTES / 4;

/** Forms with an idempotency key, pages about files outside the database, and downloads, which are sent in chunks. */
const UNCACHED_PATHS: readonly RegExp[] = [
  /^\/(new-|empezar$|editsupplierpage\/|importar\/|programaciones\/nueva$)/,
  /^\/caja-chica\/(nuevo-fondo|\d+\/(nuevo-movimiento|arqueo|cerrar|entregar))$/,
  /^\/admin-settings\/(acerca-de|logo|respaldos)/,
  /\/enviar$/,
  /\.\w+$|\/adjuntos\/\d+(\/ver)?$/,
];

/** With these parameters, the answer is a file, or tells the present state of the database file and its damage. */
const UNCACHED_PARAMETERS = ['format', 'comprobar'];

/**
 * Repeats an answer for the same user, or sends 304, as long as nothing was written to the database. The tag covers
 * everything that an answer depends on, including the minute, since printouts show their time. The database's version
 * is read before the rows, so an answer during which something was written is cached under the earlier version, and
 * never repeated. Repeating skips the handler, whose only side effect on a GET is to remember a list's view. Answers of
 * UNCACHED_PATHS are never repeated.
 */
export function cacheAnswers(): MiddlewareHandler<AppEnv> {
  const processId = randomUUID(); // the database's version is comparable only within one process
  const answers = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }>();
  let bytes = 0;
  return async (c, next) => {
    if (!isCacheable(c)) return next();
    const tag = createRequestETag(c, processId);
    const cached = answers.get(tag);
    if (c.req.header('if-none-match')?.includes(tag)) return c.body(null, 304, { ETag: tag });
    if (cached) return c.body(cached.body, 200, cached.headers);
    // Every page needs them, so they are read together with its first rows.
    if (!isApiRequest(c) && !jobKindOfRequest(c)) readPreferencesOnce(c).catch(() => {});
    await next();
    const { res } = c;
    const length = Number(res.headers.get('Content-Length'));
    if (res.status !== 200 || res.headers.has('Set-Cookie') || length > MAX_ANSWER_BYTES) return;
    res.headers.set('ETag', tag);
    const headers = Object.fromEntries(res.headers);
    const body = new Uint8Array(await res.arrayBuffer()); // unlike a buffer it is sent without a stream
    c.res = new Response(body, { headers });
    // A concurrent request may already have cached this answer.
    if (answers.has(tag) || body.byteLength > MAX_ANSWER_BYTES) return;
    answers.set(tag, { body, headers });
    bytes += body.byteLength;
    for (const [oldest, { body: droppedBody }] of answers) {
      if (bytes <= MAX_BYTES) return;
      answers.delete(oldest);
      bytes -= droppedBody.byteLength;
    }
  };
}

function isCacheable(c: AppContext): boolean {
  const { config, isDevelopment } = c.get('deps');
  const path = pathWithoutSlash(c);
  return (
    c.req.method === 'GET' &&
    c.get('session') !== undefined &&
    !UNCACHED_PATHS.some((pattern) => pattern.test(path)) &&
    !UNCACHED_PARAMETERS.some((name) => c.req.query(name)) &&
    getCookie(c, messageCookieName(config)) === undefined &&
    !isDevelopment
  );
}

function createRequestETag(c: AppContext, processId: string): string {
  const { db } = c.get('deps');
  const minute = Math.floor(c.get('now').getTime() / 60_000);
  const requestHeaders = ['x-fragment', 'accept-encoding'].map((name) => c.req.header(name));
  const session = requireSession(c);
  const parts = [
    processId,
    c.get('dataVersion'),
    isMarkedDamaged(db),
    session,
    c.get('byToken'),
    isPasswordConfirmed(session, c.get('now')),
    minute,
    c.get('today'),
    c.req.url,
    requestHeaders,
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `W/"${digest}"`;
}
