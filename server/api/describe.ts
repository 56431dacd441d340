import type { z } from 'zod';
import { catalogs } from '../../shared/catalogs/all.ts';
import type { AppContext } from '../http/session.ts';
import type { ProblemCode } from '../shapes/problems.ts';

export const APPROVERS = 'Solo para los roles 1 y 2.';

/** A row that refers to others may find them changed or held meanwhile. */
export const REFERRING = ['reference_changed'] as const satisfies readonly ProblemCode[];
/** Some calls ask for the own password again. */
export const CONFIRMED = [
  'reauthentication_required',
  'wrong_password',
  'too_many',
] as const satisfies readonly ProblemCode[];
export const DATED = ['closed_period', ...REFERRING] as const satisfies readonly ProblemCode[];

/** Calls are grouped by these nouns, which the page shows in this order. */
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
  /** one of TAGS */
  tag: string;
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
  /** of the answer of a call that succeeds, as are the next four */
  status: 200 | 201 | 204;
  says: string;
  answer?: z.ZodType;
  /** other than JSON */
  type?: 'text/html' | 'application/octet-stream';
  headers?: readonly ('page' | 'totals')[];
  /** beside those that any such call may have */
  problems?: readonly ProblemCode[];
  /** the stored row that comes with 409 `stale` */
  stale?: z.ZodType;
  /** takes an Idempotency-Key */
  once?: boolean;
  /** only this role, where the address's own rule does not say it */
  role?: number;
}

type Answers = (c: AppContext) => Response | Promise<Response>;

const descriptions = new WeakMap<object, Description>();

/** @returns the handler, made anew, under which the document of the API finds the description in the routes */
export function describe(description: Description, answer: Answers): Answers {
  const described: Answers = (c) => answer(c);
  descriptions.set(described, description);
  return described;
}

export const descriptionOf = (handler: object): Description | undefined => descriptions.get(handler);
