import type { IncomingMessage } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { findMarkedDamage, markDamaged } from '../../db/damage.ts';
import { api, pages } from '../../shared/urls.ts';
import type { RequestJobKind } from './jobs.ts';
import { type AppContext, type AppEnv, pathWithoutSlash, requireSession } from './session.ts';
import { exceedsJobLimit, receiveForm } from './uploads.ts';

const IMPORT_PATHS: ReadonlySet<string> = new Set([
  pages.imports,
  pages.loadBankStatement,
  `/api${pages.loadBankStatement}`,
]);

const REPORT_PATHS: ReadonlySet<string> = new Set([
  pages.results,
  pages.dashboard,
  pages.balances,
  pages.notices,
  pages.closing,
  `${api.invoices}/reporting/pivot`,
  pages.doublePayments,
  `${api.payments}/dobles`,
]);

/** A call to this path draws a PDF for each supplier. */
const BATCH_ADVICES_PATTERN = /^(\/api)?\/programaciones\/\d+\/avisos\/enviar$/;

export const answerByJob: MiddlewareHandler<AppEnv> = async (c, next) => {
  const { jobRunner, db } = c.get('deps');
  const kind = jobKindOfRequest(c);
  if (!jobRunner || !kind) return next();
  const form = c.req.method === 'POST' ? await receiveForm(c) : undefined;
  // While the request waits for the worker, the idle timeout must not close its connection.
  const socket = (c.env as { incoming?: IncomingMessage } | undefined)?.incoming?.socket;
  const idleTimeout = socket?.timeout ?? 0;
  socket?.setTimeout(0);
  const context = {
    requestId: c.get('requestId'),
    session: requireSession(c),
    byToken: c.get('byToken') ?? false,
    now: c.get('now'),
    today: c.get('today'),
  };
  const { method, url, raw } = c.req;
  try {
    const headers = [...raw.headers];
    const request = {
      method,
      url,
      headers,
      body: form?.bytes,
      context: context,
      damage: findMarkedDamage(db),
    };
    const { body, bytes, event, damage, ...init } = await jobRunner.runRequest(kind, request, raw.signal);
    if (damage) markDamaged(db, damage);
    if (event) c.set('event', event);
    const response = new Response(body, init);
    if (body) response.headers.set('Content-Length', String(bytes));
    return response;
  } finally {
    form?.releaseBytes();
    socket?.setTimeout(idleTimeout);
  }
};

export function jobKindOfRequest(c: AppContext): RequestJobKind | undefined {
  const { method } = c.req;
  const path = pathWithoutSlash(c);
  if (method === 'POST' && exceedsJobLimit(c)) return undefined; // the route refuses such a form before reading it
  if (method === 'POST' && IMPORT_PATHS.has(path)) return 'import';
  if (method === 'POST' && BATCH_ADVICES_PATTERN.test(path)) return 'import';
  if (method === 'POST' && path === pages.backups) return 'backup';
  if (path.startsWith(`${pages.imports}/`) && path !== pages.importTemplate) return 'import';
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const isFile = /\/export\.\w+$/.test(path) || (path.startsWith('/api/') && c.req.query('format'));
  if (isFile) return method === 'GET' ? 'export' : undefined; // HEAD needs no content
  const isReport =
    REPORT_PATHS.has(path) || c.req.query('corte') || (path === pages.audit && c.req.query('comprobar'));
  return isReport ? 'report' : undefined;
}
