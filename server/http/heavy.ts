import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { api, pages } from '../../shared/urls.ts';
import { streamChunks } from '../formats/sheets/stream.ts';
import type { HeavyRequest } from './heavy-messages.ts';
import type { MadeAnswer } from './heavy-threads.ts';
import { type AppContext, type AppEnv, requireSession } from './session.ts';
import type { Spool } from './spool.ts';
import { isBeyondBound, receiveForm } from './uploads.ts';

/** A reader who takes nothing for so long has gone. */
const PATIENCE_MS = 30_000;

const IMPORTS: ReadonlySet<string> = new Set([
  pages.imports,
  pages.loadBankStatement,
  `/api${pages.loadBankStatement}`,
]);

const REPORTS: ReadonlySet<string> = new Set([
  pages.results,
  pages.dashboard,
  pages.balances,
  pages.notices,
  pages.closing,
  `${api.invoices}/reporting/pivot`,
]);

/** What reads much, or makes much of it, is made by another thread, in turns: here it would keep everybody waiting. */
export const handsOverHeavy: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { heavy } = c.get('deps');
  const kind = kindOf(c);
  if (!heavy || !kind) return next();
  const { bytes, release } = c.req.method === 'POST' ? await receiveForm(c) : NOTHING_SENT;
  const request = requestOf(c, kind, bytes);
  // Whoever waits in line is not idle.
  const socket = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming?.socket;
  const idleAfter = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  try {
    return await answerWith(c, await heavy.answer(request, c.req.raw.signal));
  } finally {
    release();
    socket?.setTimeout(idleAfter);
  }
};

const NOTHING_SENT = { bytes: undefined, release: () => {} };

function kindOf(c: AppContext): HeavyRequest['kind'] | undefined {
  const { method } = c.req;
  const path = c.req.path.replace(/(?<=.)\/$/, '');
  if (method === 'POST' && isBeyondBound(c)) return undefined; // its page says so before it has read it
  if (method === 'POST' && IMPORTS.has(path)) return 'import';
  if (method === 'POST' && path === pages.backups) return 'backup';
  if (path.startsWith(`${pages.imports}/`) && path !== pages.importTemplate) return 'import';
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const isFile = /\/export\.\w+$/.test(path) || (path.startsWith('/api/') && c.req.query('format'));
  if (isFile) return method === 'GET' ? 'file' : undefined; // nothing is made for who asks for the head alone
  return REPORTS.has(path) || c.req.query('corte') ? 'report' : undefined;
}

function requestOf(
  c: AppContext,
  kind: HeavyRequest['kind'],
  body: Uint8Array<ArrayBuffer> | undefined,
): HeavyRequest {
  return {
    kind,
    method: c.req.method,
    url: c.req.url,
    headers: [...c.req.raw.headers],
    body,
    asker: {
      requestId: c.get('requestId'),
      session: requireSession(c),
      byToken: c.get('byToken') ?? false,
      now: c.get('now'),
      today: c.get('today'),
    },
  };
}

async function answerWith(c: AppContext, made: MadeAnswer): Promise<Response> {
  const { status, headers, event, content } = made;
  if (event) c.set('event', event);
  const { log } = c.get('deps');
  const isEmpty = c.req.method === 'HEAD' || status === 204 || (status >= 300 && status < 400);
  if (isEmpty) await content.close();
  const body = isEmpty
    ? null
    : await streamChunks(
        chunksOf(content),
        (error) => {
          if (!c.req.raw.signal.aborted)
            log.error({ err: error, id: c.get('requestId') }, 'an answer broke off');
        },
        PATIENCE_MS,
      );
  return new Response(body, { status, headers });
}

async function* chunksOf(content: Spool): AsyncGenerator<Uint8Array> {
  try {
    for (let chunk = await content.take(); chunk; chunk = await content.take()) yield chunk;
  } finally {
    await content.close();
  }
}
