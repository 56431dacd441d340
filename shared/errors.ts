import { localize } from './language.ts';
import type { RemedyCode } from './remedies.ts';

/** Each kind is mapped to an HTTP status in server/http/errors.ts and to an exit code in cli/main.ts. */
export type ErrorKind =
  | 'malformed' // not readable: wrong type, unreadable number or date, unknown parameter
  | 'invalid' // readable, but breaks a rule
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'stale' // somebody else has saved a newer version
  | 'wrong-method'
  | 'wrong-type'
  | 'too-large'
  | 'too-many'
  | 'busy'; // too much work of this kind is in progress

export interface ErrorDetail {
  /** snake_case, for programs; derived from the kind by default */
  code?: string;
  fields?: Record<string, string>;
  extra?: Record<string, unknown>;
  /** seconds after which a retry makes sense */
  retryAfter?: number;
  /** how to solve the problem; pages and command line word it, and the API leaves it out */
  remedy?: RemedyCode;
}

/** The messages are in the language of the current request at the moment of creation. */
export class DomainError extends Error {
  readonly kind: ErrorKind;
  readonly code: string;
  readonly fields?: Record<string, string>;
  readonly extra?: Record<string, unknown>;
  readonly retryAfter?: number;
  readonly remedy?: RemedyCode;

  constructor(kind: ErrorKind, message: string, detail: ErrorDetail = {}) {
    super(localize(message));
    this.name = 'DomainError';
    this.kind = kind;
    this.code = detail.code ?? kind.replaceAll('-', '_');
    this.fields = detail.fields && localizeFieldTexts(detail.fields);
    this.extra = detail.extra;
    this.retryAfter = detail.retryAfter;
    this.remedy = detail.remedy;
  }
}

/** @returns what the work returns; where it throws a DomainError, what `handle` makes of that, undefined by default */
export function catchDomainError<Result, Handled = undefined>(
  work: () => Result,
  handle: (error: DomainError) => Handled = () => undefined as Handled,
): Result | Handled {
  try {
    return work();
  } catch (error) {
    if (error instanceof DomainError) return handle(error);
    throw error;
  }
}

const localizeFieldTexts = (fields: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, localize(text)]));
