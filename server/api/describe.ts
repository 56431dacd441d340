import type { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { AppContext } from '../http/session.ts';
import type { ProblemCode } from '../shapes/problems.ts';

export const APPROVERS = 'Solo para los roles 1 y 2.';

/** Rows that a call refers to may be changed or locked meanwhile. */
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

/** Calls are grouped by these nouns, in this order on the page. */
export const TAGS: readonly string[] = [
  'Sesión',
  ...catalogs.map(({ texts }) => texts.list),
  'Facturas',
  'Pagos',
  'Notas de crédito',
  'Programaciones',
  'Caja chica',
  'Presupuestos',
  'Usuarios',
  'Bitácora',
  'Documentación',
];

export interface Description {
  tag: string;
  summary: string;
  /** what its parameters and fields do not say by themselves */
  text?: string;
  /** the address's parameters; those of the path are derived from it */
  query?: z.ZodObject;
  /** the JSON object in the body; `empty`: none, or `{}` */
  body?: z.ZodObject | 'empty';
  /** its members are the parts of a posted form, some of them files */
  isForm?: true;
  isBodyOptional?: true;
  /** of a successful answer, as are the next four */
  status: 200 | 201 | 204;
  returns: string;
  answer?: z.ZodType;
  type?: 'text/html' | 'application/octet-stream';
  headers?: readonly ('page' | 'totals')[];
  /** beside those that any such call may have */
  problems?: readonly ProblemCode[];
  /** the stored row that comes with 409 `stale` */
  stale?: z.ZodType;
  once?: boolean;
  /** only this role, where the address's own rule does not say so */
  role?: number;
}

type Handler = (c: AppContext) => Response | Promise<Response>;

const descriptions = new WeakMap<object, Description>();

/** @returns a new handler, by which the API's document finds the description among the routes */
export function describe(description: Description, handler: Handler): Handler {
  const described: Handler = (c) => handler(c);
  descriptions.set(described, description);
  return described;
}

export const findDescription = (handler: object): Description | undefined => descriptions.get(handler);
