import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import { markDamaged } from '../../db/damage.ts';
import { damagedError, isDamage } from '../../db/errors.ts';
import { explainDatabase, explainFile, hindranceIn, isOutage } from '../../db/explain.ts';
import { damageOf } from '../../db/integrity.ts';
import { DomainError, type ErrorKind } from '../../shared/errors.ts';
import { eventOf } from './request-log.ts';
import type { AppContext } from './session.ts';

export const STATUS: Record<ErrorKind, ContentfulStatusCode> = {
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
 * Tells an error as the user may read it: a DomainError by its own text, anything else by a plain sentence with the
 * request's id, under which the log holds the whole story. The answer says when to try again, where that is known.
 * @param failed what the page says of itself in the second case
 */
export function explain(c: AppContext, error: unknown, failed = 'Ocurrió un error.') {
  const { problem, status } = problemOf(c, error, failed);
  if (!c.get('event')) c.set('event', eventOf(problem));
  if (problem.kind === 'too-large') closesConnection(c);
  if (problem.retryAfter) c.header('Retry-After', String(Math.ceil(problem.retryAfter)));
  // Kind → status: here and nowhere else.
  return { problem, status: status ?? STATUS[problem.kind] };
}

interface Explained {
  problem: DomainError;
  /** where its kind does not say it */
  status?: ContentfulStatusCode;
}

function problemOf(c: AppContext, error: unknown, failed: string): Explained {
  const { db, log } = c.get('deps');
  const id = c.get('requestId');
  if (error instanceof DomainError) return { problem: error };
  if (isOutage(error)) {
    log.error({ err: error, id }, 'the database does not answer');
    return { problem: outage() };
  }
  if (isDamage(error)) {
    const problem = damageOf(error);
    log.error({ problem, id }, 'the database is damaged: it is served for reading alone');
    markDamaged(db, problem);
    return { problem: damagedError() };
  }
  const hindrance = hindranceIn(error);
  if (hindrance !== undefined) {
    const { message = '' } = explainFile(error) ?? explainDatabase(error) ?? {};
    log.error({ problem: message, id }, 'a file of the server cannot be used');
    return { problem: fileTrouble(hindrance) };
  }
  const isGone = hasGone(c, error);
  c.set('event', isGone ? 'aborted' : 'error');
  if (!isGone) log.error({ err: error, id }, 'unexpected error');
  const message = `${failed} Intenta de nuevo. (id ${id})`;
  const problem = new DomainError('invalid', message, { code: 'internal_error' });
  return { problem, status: isGone ? READER_GONE : 500 };
}

/** Nobody reads it; the log and the metrics tell it from our own mistakes (nginx's number for it). */
const READER_GONE = 499 as ContentfulStatusCode;

/** Nothing more is made for a client that has gone. */
function hasGone(c: AppContext, error: unknown): boolean {
  const { signal } = c.req.raw;
  return (
    signal.aborted && (error === signal.reason || (error instanceof Error && error.name === 'AbortError'))
  );
}

/** Which file it is, the log alone says. */
function fileTrouble(reason: string): DomainError {
  const message = `El servidor no puede usar uno de sus archivos: ${reason}. Avisa al administrador.`;
  return new DomainError('busy', message, { code: 'file_unusable', retryAfter: 60 });
}

/** Whether a change under way was stored is unknown: its answer may be what was lost. */
function outage(): DomainError {
  const message = 'La base de datos no responde. Intenta de nuevo en un momento.';
  return new DomainError('busy', message, { code: 'database_unavailable', retryAfter: 5 });
}

export const errorBody = (error: DomainError) => ({
  message: error.message,
  code: error.code,
  ...(error.fields && Object.keys(error.fields).length > 0 ? { fields: error.fields } : {}),
  ...error.extra,
});

/** As long, and as much, as a client may go on sending after its answer. */
const LINGER_MS = 500;
const LINGER_BYTES = 64 * 1024 * 1024;

/**
 * The answer to a body that is not read ends its connection: what is left of the body would be taken for the
 * next request. Closed at once, with bytes unread, the answer would be lost on its way (RFC 9112, 9.6), so
 * after its end what still comes is read for a moment and thrown away.
 */
function closesConnection(c: AppContext): void {
  const { incoming, outgoing } = (c.env ?? {}) as { incoming?: IncomingMessage; outgoing?: ServerResponse };
  if (incoming && incoming.httpVersionMajor > 1) return; // there each request has a stream of its own
  c.header('Connection', 'close');
  if (!incoming || !outgoing || incoming.complete) return;
  const { socket } = incoming;
  const destroy = () => socket.destroy();
  // Node ends a connection with this once its last answer has been handed over.
  socket.destroySoon = () => {
    socket.end();
    let left = LINGER_BYTES;
    incoming.on('data', (chunk: Buffer) => {
      left -= chunk.length;
      if (left < 0) destroy();
    });
    incoming.once('end', destroy).resume();
    const late = setTimeout(destroy, LINGER_MS);
    socket.once('close', () => clearTimeout(late));
  };
}
