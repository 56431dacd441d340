import { randomBytes } from 'node:crypto';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { renderToStaticMarkup } from 'react-dom/server';
import { DomainError, type ErrorKind } from '../shared/errors.ts';
import { LinkButton } from '../shared/ui/Button.tsx';
import { pages } from '../shared/urls.ts';
import { Document } from './layout.tsx';
import { type AppContext, isApi } from './session.ts';

const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  stale: 409,
  'too-large': 413,
  invalid: 422,
  'too-many': 429,
  busy: 503,
};

/** Kind → status: here and nowhere else. */
export const statusOf = (error: DomainError): ContentfulStatusCode => STATUS[error.kind];

/**
 * What went wrong as the user may read it: a DomainError's own text, and for anything else a plain sentence
 * with an id under which the log holds the whole story.
 */
export function explain(c: AppContext, error: unknown): DomainError & { status?: ContentfulStatusCode } {
  if (error instanceof DomainError) return error;
  const id = randomBytes(4).toString('hex');
  c.get('deps').log.error({ err: error, errorId: id, requestId: c.get('requestId') }, 'unexpected error');
  const plain = new DomainError('invalid', `Ocurrió un error. Intenta de nuevo. (id ${id})`, {
    code: 'internal_error',
  });
  return Object.assign(plain, { status: 500 as const });
}

/** Any error → the answer, as JSON under /api and as a page elsewhere. */
export function answerError(error: unknown, c: AppContext): Response {
  const problem = explain(c, error);
  const status = problem.status ?? statusOf(problem);
  if (problem.retryAfter) c.header('Retry-After', String(Math.ceil(problem.retryAfter)));
  if (isApi(c)) return c.json(errorBody(problem), status);
  const title = status === 500 ? 'Unexpected Application Error!' : (TITLES[status] ?? 'Error');
  return c.html(
    `<!doctype html>${renderToStaticMarkup(
      <Document title={title} kind="error">
        <main className="error-page">
          <p className="code">{status}</p>
          <h1>{title}</h1>
          <p>{problem.message}</p>
          <p>
            <LinkButton look="primary" href={pages.invoices}>
              Ir a Facturas
            </LinkButton>
          </p>
        </main>
      </Document>,
    )}`,
    status,
  );
}

export const errorBody = (error: DomainError) => ({
  message: error.message,
  code: error.code,
  ...(error.fields && Object.keys(error.fields).length > 0 ? { fields: error.fields } : {}),
  ...error.extra,
});

const TITLES: Record<number, string> = {
  401: 'Inicia sesión',
  403: 'Sin permiso',
  404: 'No se encontró',
  409: 'No se pudo guardar',
  413: 'Demasiado grande',
  429: 'Demasiados intentos',
  503: 'Ocupado',
};
