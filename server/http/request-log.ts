import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { DomainError, ErrorKind } from '../../shared/errors.ts';
import type { FinishedRequest, RequestEvent } from './request-facts.ts';
import { type AppContext, type AppEnv, readClientAddress } from './session.ts';

export const SLOW_MS = 1000;

/** The log states the client's address only for sign-ins and refusals, so for none of these events. */
const EVENTS_WITHOUT_ADDRESS: ReadonlySet<RequestEvent | undefined> = new Set([
  undefined,
  'sign-out',
  'error',
  'aborted',
]);

export const logRequests: MiddlewareHandler<AppEnv> = async (c, next) => {
  const startedAt = performance.now();
  const id = newRequestId();
  c.set('requestId', id);
  const { log, metrics } = c.get('deps');
  const outgoing = getServerResponse(c);
  let pending = outgoing ? 2 : 1; // waits for the handler, and for the answer to be sent
  const logFinished = () => {
    if (--pending > 0) return;
    const facts = describeRequest(c, {
      id,
      ms: performance.now() - startedAt,
      isSent: outgoing?.writableFinished ?? true,
    });
    metrics?.observeRequest(facts);
    log[logLevel(facts)](facts, 'request');
  };
  outgoing?.once('close', logFinished);
  try {
    await next();
    c.res.headers.set('X-Request-Id', id);
  } finally {
    logFinished();
  }
};

export const eventOfError = ({ kind, code }: DomainError): RequestEvent | undefined =>
  EVENT_BY_CODE[code] ?? EVENT_BY_KIND[kind];

const EVENT_BY_CODE: Partial<Record<string, RequestEvent>> = {
  foreign_origin: 'foreign-origin',
  password_change_required: 'password-change-required',
  second_factor_enrolment_required: 'second-factor-required',
  reauthentication_required: 'reauthentication-required',
  wrong_password: 'wrong-password',
  second_factor_refused: 'wrong-password',
};

const EVENT_BY_KIND: Partial<Record<ErrorKind, RequestEvent>> = {
  unauthenticated: 'unauthenticated',
  forbidden: 'forbidden',
  'too-many': 'too-many',
  busy: 'busy',
};

/** Short, because users read the id out over the telephone, but unique within a day. */
const newRequestId = (): string => randomUUID().slice(0, 8);

function getServerResponse(c: AppContext): ServerResponse | undefined {
  return (c.env as { outgoing?: ServerResponse } | undefined)?.outgoing;
}

function describeRequest(
  c: AppContext,
  { id, ms, isSent }: { id: string; ms: number; isSent: boolean },
): FinishedRequest {
  const status = c.finalized ? c.res.status : 500;
  const event = c.get('event') ?? (status === 500 ? 'error' : isSent ? undefined : 'aborted');
  return {
    id,
    userId: c.get('session')?.userId ?? c.get('signedIn'),
    method: c.req.method,
    route: findRoutePattern(c),
    path: redactPath(c.req.path),
    status,
    ms: Math.round(ms * 10) / 10,
    slow: ms >= SLOW_MS || undefined,
    event,
    address: EVENTS_WITHOUT_ADDRESS.has(event) ? undefined : readClientAddress(c),
    account: c.get('triedAccount'),
  };
}

/** The first pattern without *, because middleware has * in its pattern. */
const findRoutePattern = (c: AppContext): string | undefined =>
  matchedRoutes(c).find(({ path }) => !path.includes('*'))?.path;

const MAX_PATH_LENGTH = 200;

/** Replaces long segments, which may be secrets: no segment of a route is as long as a token. */
const redactPath = (path: string): string => path.replace(/[^/]{31,}/g, '…').slice(0, MAX_PATH_LENGTH);

function logLevel({ path, status, event }: FinishedRequest): 'debug' | 'info' | 'warn' | 'error' {
  if (status >= 500) return status === 503 ? 'warn' : 'error';
  return event === undefined && isRoutinePath(path) ? 'debug' : 'info';
}

const isRoutinePath = (path: string) => /^\/(healthz|readyz|favicon\.ico|assets\/[^/]*)\/?$/.test(path);
