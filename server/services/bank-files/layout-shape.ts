import { z } from 'zod';
import { DomainError } from '../../../shared/errors.ts';
import { oneLine } from '../../../shared/text.ts';
import {
  ALLOWED_CHARACTERS,
  type BankLayout,
  DESTINATIONS,
  EXTENSIONS,
  FIELD_SOURCES,
  SEPARATORS,
} from '../../formats/bank-files/layout.ts';
import { findLayoutProblem } from '../../formats/bank-files/layout-rules.ts';

const layoutFieldSchema = z
  .strictObject({
    campo: z
      .string()
      .overwrite(oneLine)
      .min(1)
      .max(40)
      .regex(/^\P{Cc}*$/u),
    origen: z.enum(FIELD_SOURCES),
    valor: z
      .string()
      .max(100)
      .regex(/^[\x20-\x7e]*$/)
      .optional(),
    solo: z.enum(['mismo', 'otro']).optional(),
    ancho: z.int().min(1).max(200).optional(),
    relleno: z.enum([' ', '0']).optional(),
    alinea: z.enum(['izquierda', 'derecha']).optional(),
    caracteres: z.enum(ALLOWED_CHARACTERS).optional(),
  })
  .refine(({ origen, valor }) => (origen === 'constante') === (valor !== undefined), {
    path: ['valor'],
    message: 'va con el origen «constante», y solo con él',
  })
  .refine(({ valor = '', ancho = valor.length }) => valor.length <= ancho, {
    path: ['valor'],
    message: 'no cabe en su ancho',
  })
  .refine(({ relleno, ancho }) => relleno === undefined || ancho !== undefined, {
    path: ['relleno'],
    message: 'pide también un ancho',
  });

const layoutSchema = z
  .strictObject({
    plantilla: z
      .string()
      .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      .max(40),
    nombre: z.string().overwrite(oneLine).min(1).max(100),
    banco: z
      .string()
      .regex(/^\d{3}$/)
      .nullable(),
    destino: z.enum(DESTINATIONS),
    separador: z.enum(SEPARATORS),
    extension: z.enum(EXTENSIONS),
    encabezado: z.boolean(),
    campos: z.array(layoutFieldSchema).min(1).max(60),
  })
  .superRefine((layout, context) => {
    const { separador, campos, encabezado } = layout;
    for (const [index, { ancho, campo }] of campos.entries())
      if (separador === '' && ancho === undefined)
        context.addIssue({
          code: 'custom',
          path: ['campos', index, 'ancho'],
          message: `falta, en «${campo}»`,
        });
    if (separador === '' && encabezado)
      context.addIssue({ code: 'custom', path: ['encabezado'], message: 'pide un separador' });
    const problem = findLayoutProblem(layout as BankLayout);
    if (problem) {
      const { at, message } = problem;
      context.addIssue({ code: 'custom', path: at === undefined ? ['campos'] : ['campos', at], message });
    }
  });

const ISSUE_TEXTS: Readonly<Record<string, string>> = {
  invalid_type: 'falta, o no es del tipo esperado',
  invalid_value: 'no es uno de los valores que puede tener',
  unrecognized_keys: 'tiene un dato que no existe',
  too_big: 'es demasiado largo',
  too_small: 'es demasiado corto',
  invalid_format: 'tiene signos que no van ahí',
};

/** @throws DomainError invalid bad_layout, with the field and the problem */
export function parseLayout(text: string): BankLayout {
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw badLayoutError('La plantilla no es un archivo JSON, o está incompleta.');
  }
  const result = layoutSchema.safeParse(json);
  if (result.success) return result.data as BankLayout;
  const [issue] = result.error.issues;
  const { path, code, message } = issue!;
  const where = path.map((part) => (typeof part === 'number' ? String(part + 1) : String(part))).join(' › ');
  const keys = code === 'unrecognized_keys' ? ` (${(issue as { keys: string[] }).keys.join(', ')})` : '';
  const why = code === 'custom' ? message : (ISSUE_TEXTS[code] ?? 'no es válido');
  throw badLayoutError(`Plantilla, ${where || 'en general'}: ${why}${keys}.`);
}

const badLayoutError = (message: string) =>
  new DomainError('invalid', message, { code: 'bad_layout', fields: { plantilla: message } });
