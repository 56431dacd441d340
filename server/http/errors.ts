import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { markDamaged } from '../../db/damage.ts';
import { databaseDamagedError, isDamageError } from '../../db/errors.ts';
import {
  describeIfFileError,
  explainDatabaseError,
  explainFileError,
  isOutage,
} from '../../db/explain-errors.ts';
import { describeDamageError } from '../../db/integrity.ts';
import { DomainError, type ErrorKind } from '../../shared/errors.ts';
import { eventOfError } from './request-log.ts';
import type { AppContext } from './session.ts';

export const STATUS_BY_KIND: Record<ErrorKind, ContentfulStatusCode> = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  'wrong-method': 405,
  conflict: 409,
  stale: 409,
  'too-large': 413,
  'wrong-type': 415,
  invalid: 422,
  'too-many': 429,
  busy: 503,
};

/**
 * Turns an error into one that the user may read: a DomainError as it is, any other into a general sentence with the
 * request's id, under which the log has the details. Sets Retry-After where the time is known.
 * @param unexpectedErrorText the page's sentence for an unexpected error
 */
export function explainError(c: AppContext, error: unknown, unexpectedErrorText = 'Ocurrió un error.') {
  const { problem, status } = logAndConvertError(c, error, unexpectedErrorText);
  if (!c.get('event')) c.set('event', eventOfError(problem));
  if (problem.kind === 'too-large') closeConnection(c);
  if (problem.retryAfter) c.header('Retry-After', String(Math.ceil(problem.retryAfter)));
  return { problem, status: status ?? STATUS_BY_KIND[problem.kind] };
}

interface ExplainedError {
  problem: DomainError;
  status?: ContentfulStatusCode;
}

function logAndConvertError(c: AppContext, error: unknown, failed: string): ExplainedError {
  const { db, log } = c.get('deps');
  const id = c.get('requestId');
  if (error instanceof DomainError) return { problem: error };
  if (isOutage(error)) {
    log.error({ err: error, id }, 'the database does not answer');
    return { problem: outageError() };
  }
  if (isDamageError(error)) {
    const problem = describeDamageError(error);
    log.error({ problem, id }, 'the database is damaged: it is served for reading alone');
    markDamaged(db, problem);
    return { problem: databaseDamagedError() };
  }
  const fileReason = describeIfFileError(error);
  if (fileReason !== undefined) {
    const { message = '' } = explainFileError(error) ?? explainDatabaseError(error) ?? {};
    log.error({ problem: message, id }, 'a file of the server cannot be used');
    return { problem: fileUnusableError(fileReason) };
  }
  const isGone = isClientGone(c, error);
  c.set('event', isGone ? 'aborted' : 'error');
  if (!isGone) log.error({ err: error, id }, 'unexpected error');
  const message = `${failed} Intenta de nuevo. (id ${id})`;
  const problem = new DomainError('invalid', message, { code: 'internal_error' });
  return { problem, status: isGone ? CLIENT_CLOSED_REQUEST : 500 };
}

/** Only for the log and the metrics, as in nginx: the client closed the connection, so nobody reads the answer. */
const CLIENT_CLOSED_REQUEST = 499 as ContentfulStatusCode;

function isClientGone(c: AppContext, error: unknown): boolean {
  const { signal } = c.req.raw;
  return (
    signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))
  );
}

/** The message leaves out the file's path, which only the log has. */
function fileUnusableError(reason: string): DomainError {
  const message = `El servidor no puede usar uno de sus archivos: ${reason}. Avisa al administrador.`;
  return new DomainError('busy', message, { code: 'file_unusable', retryAfter: 60 });
}

/** The text does not say that nothing was stored, because perhaps only the database's answer was lost. */
function outageError(): DomainError {
  const message = 'La base de datos no responde. Intenta de nuevo en un momento.';
  return new DomainError('busy', message, { code: 'database_unavailable', retryAfter: 5 });
}

export const errorBody = (error: DomainError) => ({
  message: error.message,
  code: error.code,
  ...(error.fields && Object.keys(error.fields).length > 0 ? { fields: error.fields } : {}),
  ...error.extra,
});

/** Limits of time and bytes for what a client goes on sending after it was answered. */
const MAX_LINGER_MS = 500;
const MAX_LINGER_BYTES = 64 * 1024 * 1024;

/**
 * Closes the connection after an answer to a request whose body was not read to its end, because the rest of the body
 * would be taken for the next request. Closing at once, with unread bytes, would lose the answer (RFC 9112, 9.6), so
 * further bytes are read for a moment and discarded.
 */
function closeConnection(c: AppContext): void {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  if (incoming && incoming.httpVersionMajor > 1) return; // in HTTP/2 each request has a stream of its own
  c.header('Connection', 'close');
  if (!incoming || !outgoing || incoming.complete) return;
  const { socket } = incoming;
  const destroySocket = () => socket.destroy();
  // Node calls this to close a connection after its last answer.
  socket.destroySoon = () => {
    socket.end();
    let remaining = MAX_LINGER_BYTES;
    incoming.on('data', (chunk: Buffer) => {
      remaining -= chunk.length;
      if (remaining < 0) destroySocket();
    });
    incoming.once('end', destroySocket).resume();
    const timer = setTimeout(destroySocket, MAX_LINGER_MS);
    socket.once('close', () => clearTimeout(timer));
  };
}
