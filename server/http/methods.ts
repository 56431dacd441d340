import type { Hono } from 'hono';
import { DomainError } from '../../shared/errors.ts';
import { type AppContext, type AppEnv, isApi } from './session.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;

/**
 * Where nothing answers: 404, or 405 with Allow where the address is known under another method (RFC 9110, 15.5.6).
 * A page's address that only takes a form leads whoever comes back to it, as after a refusal, to the page of the form.
 * @throws DomainError not-found, wrong-method
 */
export function answerUnknown(app: Hono<AppEnv>, c: AppContext): Response {
  const { path, method } = c.req;
  const allowed = methodsAt(app, path);
  if (allowed.length === 0 || method === 'TRACE')
    // which nothing here ever answers
    throw new DomainError('not-found', isApi(c) ? 'No existe esta dirección.' : 'No existe esta página.');
  if (!isApi(c) && (method === 'GET' || method === 'HEAD')) return c.redirect(pageAbove(app, path), 303);
  c.header('Allow', allowed.join(', '));
  throw new DomainError('wrong-method', `Esta dirección solo admite ${allowed.join(', ')}.`, {
    code: 'method_not_allowed',
  });
}

/** What was registered for the path by its method, not what stands around every answer. */
const methodsAt = (app: Hono<AppEnv>, path: string): string[] =>
  METHODS.filter((method) =>
    app.router.match(method, path)[0].some(([[, route]]) => route.method === method),
  ).flatMap((method) => (method === 'GET' ? [method, 'HEAD'] : method));

function pageAbove(app: Hono<AppEnv>, path: string): string {
  const above = path.slice(0, path.lastIndexOf('/')) || '/';
  return above === '/' || methodsAt(app, above).includes('GET') ? above : pageAbove(app, above);
}
