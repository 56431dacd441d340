import { pino } from 'pino';

export type Log = pino.Logger;

type LogDestination = pino.DestinationStream;

export function createLog(level: string, destination: LogDestination = standardErrorDestination()): Log {
  const options = {
    level,
    base: null,
    formatters: { level: (label: string) => ({ level: label }) },
    serializers: { err: describeError },
  };
  return pino(options, destination);
}

/** Writes lines synchronously, because pino stops writing once nobody reads its output. */
function standardErrorDestination(): LogDestination {
  if (process.stderr.isTTY) return { write: (line) => void process.stderr.write(formatLogLine(line)) };
  return pino.destination({ fd: 2, sync: true });
}

/** Formats a JSON line for people: `18:03:11 info GET /invoices 200 12.3 ms id=1a2b3c4d userId=3`. */
export function formatLogLine(jsonLine: string): string {
  const { level, time, msg = '', err, ...facts } = JSON.parse(jsonLine);
  const clock = new Date(time).toISOString().slice(11, 19);
  const { method, path, status, ms, route: _, ...rest } = facts;
  const heading =
    msg === 'request' ? { title: `${method} ${path} ${status} ${ms} ms`, rest } : { title: msg, rest: facts };
  const text = [
    heading.title,
    ...Object.entries(heading.rest).map(([key, value]) => `${key}=${formatLogValue(value)}`),
  ]
    .join(' ')
    // Control characters in user input must not control the terminal.
    .replace(/\p{Cc}/gu, (character) => JSON.stringify(character).slice(1, -1));
  return `${clock} ${level} ${text}${err?.stack ? `\n${err.stack}` : ''}\n`;
}

const formatLogValue = (value: unknown) => (typeof value === 'string' ? value : JSON.stringify(value));

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  code?: string;
  constraint?: string;
  cause?: LoggedError;
}

/** Logs only these members, because a database error's other members contain the refused row with its password hash. */
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
