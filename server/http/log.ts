import { pino } from 'pino';

export type Log = pino.Logger;

/** Takes each line with its line break. */
type LogDestination = pino.DestinationStream;

/** JSON lines on standard error, a person's lines where that is a terminal; or to `destination`. */
export function createLog(level: string, destination: LogDestination = standardError()): Log {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Each line is written at once, when its answer has been sent; where nobody reads them any more, pino gives up. */
function standardError(): LogDestination {
  if (process.stderr.isTTY) return { write: (line) => void process.stderr.write(prettyLine(line)) };
  return pino.destination({ fd: 2, sync: true });
}

/** A JSON line as a person reads it: `18:03:11 info GET /invoices 200 12.3 ms id=1a2b3c4d userId=3`. */
export function prettyLine(line: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(line);
  const clock = new Date(time).toISOString().slice(11, 19);
  const { method, path, status, ms, route: _, ...rest } = facts;
  const told =
    msg === 'request' ? { title: `${method} ${path} ${status} ${ms} ms`, rest } : { title: msg, rest: facts };
  const text = [told.title, ...Object.entries(told.rest).map(([key, value]) => `${key}=${textOf(value)}`)]
    .join(' ')
    // Characters that somebody sent must not move the cursor.
    .replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return `${clock} ${level} ${text}${err?.stack ? `\n${err.stack}` : ''}\n`;
}

const textOf = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  /** the database's or the system's own, with the constraint that was broken */
  code?: string;
  constraint?: string;
  cause?: LoggedError;
}

/**
 * Keeps what leads to the cause alone: databases put the row that was refused, tokens and hashes included, into
 * further members of their errors.
 */
function describeError(error: unknown): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error) };
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    ...(typeof code === 'string' && { code }),
    ...(typeof constraint === 'string' && { constraint }),
    ...(error.cause !== undefined && error.cause !== error && { cause: describeError(error.cause) }),
  };
}
