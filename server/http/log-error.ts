/** An error as the log has it. */
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
 * What it takes to find the cause and nothing else: databases put the row that was refused, tokens and hashes
 * included, into further members of their errors.
 */
export function describeError(error: unknown): LoggedError {
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
