import type { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { AppContext } from '../http/session.ts';
import type { ProblemCode } from '../shapes/problems.ts';

export const APPROVERS_NOTE = 'Solo para los roles 1 y 2.';

/** Codes for a request that refers to rows which somebody else changed or deleted before it was carried out. */
export const REFERENCE_PROBLEMS = ['reference_changed'] as const satisfies readonly ProblemCode[];
export const PASSWORD_PROBLEMS = [
  'reauthentication_required',
  'wrong_password',
  'too_many',
] as const satisfies readonly ProblemCode[];
export const CLOSED_PERIOD_PROBLEMS = [
  'closed_period',
  ...REFERENCE_PROBLEMS,
] as const satisfies readonly ProblemCode[];

export const TAGS: readonly string[] = [
  'Sesión',
  ...catalogs.map(({ texts }) => texts.list),
  'Facturas',
  'Pagos',
  'Notas de crédito',
  'Programaciones',
  'Caja chica',
  'Presupuestos',
  'Flujo',
  'Fiscal',
  'Firmas',
  'Correos',
  'Usuarios',
  'Bitácora',
  'Documentación',
];

export interface Description {
  tag: string;
  summary: string;
  text?: string;
  /** the query string's parameters; path parameters are taken from the path itself */
  query?: z.ZodObject;
  /** This is the shape of the JSON object in the body; `empty` means no body, or `{}`. */
  body?: z.ZodObject | 'empty';
  isForm?: true;
  isBodyOptional?: true;
  /** this and the next four members describe the successful answer */
  status: 200 | 201 | 202 | 204;
  returns: string;
  answer?: z.ZodType;
  type?: 'text/html' | 'application/octet-stream';
  headers?: readonly ('page' | 'totals')[];
  problems?: readonly ProblemCode[];
  staleAnswer?: z.ZodType;
  isIdempotent?: boolean;
  /** the only role that may call it, where the access rule of its path allows more */
  onlyRole?: number;
}

type Handler = (c: AppContext) => Response | Promise<Response>;

const descriptions = new WeakMap<object, Description>();

/** @returns a wrapper of `handler`, for which `findDescription` returns the description */
export function wrapWithDescription(description: Description, handler: Handler): Handler {
  const describedHandler: Handler = (c) => handler(c);
  descriptions.set(describedHandler, description);
  return describedHandler;
}

export const findDescription = (handler: object): Description | undefined => descriptions.get(handler);
