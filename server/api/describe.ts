import type { MiddlewareHandler } from 'hono';
import type { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { AppEnv } from '../http/session.ts';
import type { ProblemCode } from '../shapes/problems.ts';

/** Said of what those alone may do who approve payments. */
export const APPROVERS = 'Solo para los roles 1 y 2.';

/** Of what writes a row that refers to others, which may change or be held meanwhile. */
export const REFERRING = ['reference_changed'] as const satisfies readonly ProblemCode[];
/** Of what asks for the own password again. */
export const CONFIRMED = [
  'reauthentication_required',
  'wrong_password',
  'too_many',
] as const satisfies readonly ProblemCode[];
/** Of what writes such a row with a date of its own. */
export const DATED = ['closed_period', ...REFERRING] as const satisfies readonly ProblemCode[];

const OWN_TAGS = [
  'Facturas',
  'Pagos',
  'Programaciones',
  'Caja chica',
  'Presupuestos',
  'Usuarios',
  'Bitácora',
  'Documentación',
] as const;

/** The nouns under which calls are grouped, in the order in which the page shows them; catalogs by their titles. */
export const TAGS: readonly string[] = ['Sesión', ...catalogs.map(({ texts }) => texts.list), ...OWN_TAGS];
export type Tag = 'Sesión' | (typeof OWN_TAGS)[number];

/** What headers an answer may carry beside the usual ones. */
type AnswerHeaders = 'page' | 'totals';

export interface Description {
  tag: Tag;
  summary: string;
  /** what its parameters and fields do not say by themselves */
  text?: string;
  /** the parameters of the address; those of the path are read from it */
  query?: z.ZodObject;
  /** the JSON object that is sent; `empty`: none, or `{}` */
  body?: z.ZodObject | 'empty';
  /** its members are the parts of a posted form, some of them files */
  isForm?: true;
  /** whether that object may be left out */
  mayLackBody?: true;
  success: {
    status: 200 | 201 | 204;
    says: string;
    shape?: z.ZodType;
    /** other than JSON */
    type?: 'text/html' | 'application/octet-stream';
    headers?: readonly AnswerHeaders[];
  };
  /** beside those that any such call may have */
  problems?: readonly ProblemCode[];
  /** the stored row that comes with 409 `stale` */
  stale?: z.ZodType;
  /** takes an Idempotency-Key */
  once?: boolean;
  /** only this role, where the address's own rule does not say it */
  role?: number;
}

const descriptions = new WeakMap<object, Description>();

/**
 * Stands before a handler in its route and says what the route takes and answers: the document of the API
 * is made from it, so a route and its description stand and fall together.
 * @example .get('/:id{[0-9]+}', describes({ tag: 'Pagos', summary: 'Un pago', success: … }), answerPayment)
 */
export function describes(description: Description): MiddlewareHandler<AppEnv> {
  const passesOn: MiddlewareHandler<AppEnv> = (_c, next) => next();
  descriptions.set(passesOn, description);
  return passesOn;
}

/** What a registered handler was described with, if it is such a description. */
export const descriptionOf = (handler: object): Description | undefined => descriptions.get(handler);
