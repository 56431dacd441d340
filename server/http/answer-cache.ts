import { createHash, randomUUID } from 'node:crypto';
import { getCookie } from 'hono/cookie';
import type { MiddlewareHandler } from 'hono/types';
import { readVersion } from '../../db/open.ts';
import { catalogs } from '../../shared/catalogs/all.ts';
import { api, pages } from '../../shared/urls.ts';
import { LISTS } from '../lists/all.ts';
import { isDamaged } from '../services/database/damage.ts';
import {
  type AppContext,
  type AppEnv,
  messageCookieName,
  pathWithoutSlash,
  requireSession,
} from './session.ts';

/** Limit for all cached answers together, in bytes as they are sent; the oldest are dropped first. */
const MAX_BYTES = 4_000_000;

/** Lists and reports: showing them changes nothing, and their forms carry no idempotency key. */
export const CACHED_PATHS: ReadonlySet<string> = new Set([
  ...LISTS.map(({ page }) => page),
  pages.dashboard,
  ...[api.invoices, api.payments, ...catalogs.map(({ paths }) => paths.api)].flatMap((path) => [
    path,
    `${path}/search`,
  ]),
]);

/**
 * Repeats an answer for the same user, or sends 304, as long as nothing was written to the database. The tag covers
 * everything that an answer depends on. The database's version is read before the rows, so an answer that a write
 * overtakes is cached under the version before it. The tag includes the minute, since printouts show their time.
 */
export function cacheAnswers(): MiddlewareHandler<AppEnv> {
  const processId = randomUUID(); // the database's version is comparable only within one process
  const answers = new Map<string, { body: Uint8Array<ArrayBuffer>; headers: Record<string, string> }>();
  let bytes = 0;
  return async (c, next) => {
    if (!isCached(c)) return next();
    const tag = await createTag(c, processId);
    const cached = answers.get(tag);
    if (c.req.header('if-none-match')?.includes(tag)) return c.body(null, 304, { ETag: tag });
    if (cached) return c.body(cached.body, 200, cached.headers);
    await next();
    const { res } = c;
    if (res.status !== 200 || res.headers.has('Set-Cookie')) return;
    res.headers.set('ETag', tag);
    const headers = Object.fromEntries(res.headers);
    const body = new Uint8Array(await res.arrayBuffer()); // unlike a buffer it is sent without a stream
    c.res = new Response(body, { headers });
    if (answers.has(tag)) return; // a concurrent request has cached it
    answers.set(tag, { body, headers });
    bytes += body.byteLength;
    for (const [oldest, { body: droppedBody }] of answers) {
      if (bytes <= MAX_BYTES) return;
      answers.delete(oldest);
      bytes -= droppedBody.byteLength;
    }
  };
}

function isCached(c: AppContext): boolean {
  const { config, development } = c.get('deps');
  const path = pathWithoutSlash(c);
  const isFile = Boolean(c.req.query('format'));
  const hasMessage = getCookie(c, messageCookieName(config)) !== undefined;
  return c.req.method === 'GET' && CACHED_PATHS.has(path) && !isFile && !hasMessage && !development;
}

async function createTag(c: AppContext, processId: string): Promise<string> {
  const { db } = c.get('deps');
  const minute = Math.floor(c.get('now').getTime() / 60_000);
  const requestHeaders = ['x-fragment', 'accept-encoding'].map((name) => c.req.header(name));
  const { userId } = requireSession(c);
  const parts = [
    processId,
    await readVersion(db),
    isDamaged(db),
    userId,
    minute,
    c.get('today'),
    c.req.url,
    requestHeaders,
  ];
  const digest = createHash('sha256').update(JSON.stringify(parts)).digest('base64url');
  return `W/"${digest}"`;
}
