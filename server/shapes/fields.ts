import { z } from 'zod';
import { isPlainDate, parsePlainDate } from '../../shared/dates.ts';
import { DomainError, type ErrorKind } from '../../shared/errors.ts';
import { parseMoney, parseRate } from '../../shared/money.ts';
import { cleanLine, cleanText, MAX_MOTIVO_LENGTH } from '../../shared/text.ts';
import { EXPORT_FORMATS } from '../../shared/urls.ts';

/**
 * Creates field types of requests. One schema validates JSON, forms and query strings, and describes the field in the
 * API's document. An unreadable value is malformed (400); a value that breaks a rule is invalid (422). Empty text is
 * absent unless the field accepts it. The rules of shared/ decide which fields are required.
 */
const createField = <T>(schema: Record<string, unknown>, read: (value: unknown) => T) =>
  z
    .unknown()
    .transform((value, context): T | undefined => {
      if (value === undefined) return undefined;
      try {
        return read(value);
      } catch (error) {
        if (!(error instanceof DomainError)) throw error;
        const { kind, code, message } = error;
        context.addIssue({ code: 'custom', message, params: { kind, code } });
        return z.NEVER;
      }
    })
    .optional()
    .meta(schema);

/** Without `multipleOf: 0.01`, because validators would refuse 1160.58, whose binary number is no multiple of 0.01. */
const MONEY_META = { type: ['number', 'string'], format: 'decimal', examples: [1160.5] };
const DAY_META = { type: ['string', 'null'], format: 'date', examples: ['2026-11-20'] };

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

export const moneyField = (label: string) =>
  createField({ ...MONEY_META, description: `${label}; también texto como "$1,160.50"` }, (value) =>
    isBlank(value) ? undefined : parseMoney(value, label),
  );

export const moneyOrNoneField = (label: string) =>
  createField(
    { ...MONEY_META, type: [...MONEY_META.type, 'null'], description: `${label}; null: ninguno` },
    (value) => (isBlank(value) ? null : parseMoney(value, label)),
  );

export const rateField = (label: string) =>
  createField(
    { type: ['number', 'string'], minimum: 0, maximum: 100, description: `${label}, %` },
    (value) => (isBlank(value) ? undefined : parseRate(value, label)),
  );

export const dateField = (label: string) =>
  createField({ ...DAY_META, description: label }, (value) =>
    isBlank(value) ? null : parsePlainDate(value, label),
  );

export const monthField = (label: string) =>
  createField(
    { type: 'string', pattern: '^\\d{4}-\\d{2}$', description: label, examples: ['2026-11'] },
    (value) => {
      if (isBlank(value)) return undefined;
      if (typeof value === 'string' && isPlainDate(`${value}-01`)) return value;
      throw malformedError(`${label}: no es un mes (AAAA-MM).`);
    },
  );

/** Null and empty text mean "none". */
export const idField = (label: string) =>
  createField({ type: ['integer', 'null'], minimum: 1, description: label, examples: [1] }, (value) =>
    isBlank(value) ? null : parseId(value, label),
  );

export const deprecatedIdFilterField = idField('id').meta({
  description:
    'En desuso: responde ese registro solo, y no la lista. Un registro se lee con su id al final de la dirección',
  deprecated: true,
});

/** In a filter, 0 finds the rows that refer to none. */
export const idOrZeroField = (label: string) =>
  createField(
    { type: ['integer', 'null'], minimum: 0, description: `${label}; 0: sin ${label.toLowerCase()}` },
    (value) => (isBlank(value) ? null : parseWholeNumber(value) === 0 ? 0 : parseId(value, label)),
  );

/** Without bounds any integer is accepted here, such as a week's number, which the service validates. */
export const wholeNumberField = (label: string, min?: number, max?: number) =>
  createField({ type: 'integer', minimum: min, maximum: max, description: label }, (value) => {
    if (isBlank(value)) return undefined;
    const number = parseWholeNumber(value);
    if (number === undefined) throw malformedError(`${label}: no es un número entero.`);
    if (number < (min ?? number) || number > (max ?? number))
      throw new DomainError('invalid', `${label}: debe estar entre ${min} y ${max}.`);
    return number;
  });

export const idsField = (label: string) =>
  createField(
    { type: 'array', items: { type: 'integer', minimum: 1 }, maxItems: 100, description: label },
    (value) => {
      if (!Array.isArray(value) || value.length > 100)
        throw malformedError(`${label}: se espera una lista de números.`);
      return value.map((id) => parseId(id, label));
    },
  );

export const textField = (label: string, max: number, name = label) =>
  createTextField(cleanLine, label, max, name);

/** A parameter that may repeat. */
/** A file of a multipart form, described here and checked where it is read. */
export const fileField = (description: string) =>
  z.unknown().optional().meta({ type: 'string', format: 'binary', description });

export const textsField = (label: string, max: number) =>
  createField(
    { type: 'array', items: { type: 'string', maxLength: max }, maxItems: 100, description: label },
    (value) => {
      const texts = Array.isArray(value) ? value : [value];
      if (texts.length > 100) throw malformedError(`${label}: se esperan máximo 100.`);
      return texts.map((text) => cleanLine(String(text), label, label, max));
    },
  );

export const longTextField = (label: string, max: number, name = label) =>
  createTextField(cleanText, label, max, name);

const createTextField = (clean: typeof cleanText, label: string, max: number, name: string) =>
  createField({ type: 'string', maxLength: max, description: label }, (value) => {
    if (value === null) return '';
    if (typeof value !== 'string') throw malformedError(`${label}: se espera un texto.`);
    return clean(value, label, name, max);
  });

export const flagField = (label: string) =>
  createField({ type: 'boolean', description: label }, (value) => {
    if (typeof value === 'boolean') return value;
    if (value === 'true' || value === 'on' || value === '1') return true;
    if (value === 'false' || value === '0') return false;
    if (value === '') return undefined;
    throw malformedError(`${label}: se espera sí o no.`);
  });

export const choiceField = <const T extends string>(label: string, choices: readonly T[]) =>
  createField({ type: 'string', enum: choices, description: label }, (value) => {
    if (isBlank(value)) return undefined;
    const found = choices.find((choice) => choice === value);
    if (!found) throw malformedError(`${label}: se espera ${choices.join(', ')}.`);
    return found;
  });

export const sortDirectionField = createField(
  { type: 'string', enum: ['ASC', 'DESC'], description: 'Sentido del orden, en mayúsculas o minúsculas' },
  (value) => {
    if (isBlank(value)) return undefined;
    const direction = (['asc', 'desc'] as const).find(
      (one) => typeof value === 'string' && value.toLowerCase() === one,
    );
    if (!direction) throw malformedError('sorttype: se espera ASC o DESC.');
    return direction;
  },
);

/** The order of a list that has no definition in server/lists. */
export const sortOrderShape = <Sort extends string>(sorts: Readonly<Record<Sort, string>>) =>
  z.object({
    sortfield: choiceField('sortfield', Object.keys(sorts) as Sort[]),
    sorttype: sortDirectionField,
  });

export const versionField = wholeNumberField('Versión', 1, Number.MAX_SAFE_INTEGER).meta({
  description: 'La versión que se leyó: si ya hay otra más nueva, 409 `stale`. Sin ella se sobrescribe',
});

/** Optional here, but a signature needs a version: requireVersion refuses a request without one. */
export const signatureVersionField = versionField.meta({
  description: 'La versión que se revisó: sin ella no se firma, y si ya hay otra más nueva, 409 `stale`',
});

export const motivoField = textField('Motivo', MAX_MOTIVO_LENGTH, 'motivo').meta({
  description:
    'Por qué se cambia algo de un periodo cerrado, lo que solo puede el rol 3, se excede un presupuesto, lo que solo puede el rol 1, o se hace a un lado una programación que ya tiene el banco; queda en la bitácora',
});

export const motivoOnlyShape = z
  .strictObject({ motivo: motivoField })
  .meta({ examples: [{ motivo: 'La nota llegó tarde' }] });

export const legacyUserField = idField('Usuario').meta({
  description: 'No cuenta: queda el usuario de la sesión',
  deprecated: true,
});

export const restoreShape = motivoOnlyShape
  .extend({ userId: legacyUserField })
  .meta({ examples: [{ motivo: 'La nota llegó tarde' }] });

export const limitField = wholeNumberField('limit', 1, 1000).meta({
  description: 'Filas por página; la siguiente viene en `Link`',
});
export const cursorField = textField('cursor', 2000).meta({
  description: 'Dónde sigue la lista: se toma de `Link`, no se arma',
});

export const exportFormatField = choiceField('format', EXPORT_FORMATS).meta({
  description:
    'La lista como archivo: todo lo filtrado si no viene `limit`; en `json`, las mismas filas de la respuesta. Sin él se responde la lista por páginas',
});

/** Accepts positive integers only: no sign, no decimals, no exponent. @throws DomainError malformed */
export function parseId(value: unknown, label = 'id'): number {
  const number = parseWholeNumber(value);
  if (number === undefined || number < 1) throw malformedError(`${label}: no es un número de registro.`);
  return number;
}

/** @throws DomainError malformed (unknown members, wrong types) or invalid, with a message for each wrong field */
export function parseShape<S extends z.ZodType>(shape: S, input: unknown): z.output<S> {
  const result = shape.safeParse(input);
  if (result.success) return result.data;
  const fields: Record<string, string> = {};
  const codes = new Set<string | undefined>();
  let kind: ErrorKind = 'invalid';
  let first: string | undefined;
  for (const issue of result.error.issues) {
    const customKind = issue.code === 'custom' ? (issue.params?.kind as ErrorKind) : undefined;
    if (customKind !== 'invalid') kind = 'malformed';
    codes.add(customKind && issue.code === 'custom' ? (issue.params?.code as string) : undefined);
    const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? '')];
    for (const name of names) {
      const message = customKind
        ? issue.message
        : issue.code === 'unrecognized_keys'
          ? `No existe el campo «${name}».`
          : name
            ? `${name}: no es del tipo esperado.`
            : 'Se espera un objeto.';
      first ??= message;
      if (name) fields[name] ??= message;
    }
  }
  const code = codes.size === 1 ? [...codes][0] : undefined;
  throw new DomainError(kind, first ?? 'La solicitud no es válida.', { code, fields });
}

/** Refuses a change that sends one of these fields empty. @param messages by field @throws DomainError invalid */
export function requireFilledFields(body: object, messages: Readonly<Record<string, string>>): void {
  const sent = new Map(Object.entries(body));
  const emptied = Object.entries(messages).filter(([name]) => sent.has(name) && isBlank(sent.get(name)));
  const [first] = emptied;
  if (first) throw new DomainError('invalid', first[1], { fields: Object.fromEntries(emptied) });
}

/**
 * Only parameters of textsField may be repeated. Empty text, "undefined" and "null" count as absent.
 * @throws DomainError malformed
 */
export function parseQuery<S extends z.ZodType>(shape: S, query: Record<string, string[]>): z.output<S> {
  const input: Record<string, string | string[]> = Object.create(null);
  const members = new Map(Object.entries(getShapeMembers(shape)));
  for (const [name, values] of Object.entries(query)) {
    if (members.get(name)?.meta()?.type === 'array') {
      const filled = values.filter((value) => value.trim() !== '');
      if (filled.length > 0) input[name] = filled;
      continue;
    }
    if (values.length > 1) throw malformedError(`El parámetro «${name}» viene más de una vez.`);
    const [value = ''] = values;
    if (value.trim() !== '' && value !== 'undefined' && value !== 'null') input[name] = value;
    else if (!Object.hasOwn(getShapeMembers(shape), name))
      throw malformedError(`No existe el campo «${name}».`);
  }
  try {
    return parseShape(shape, { ...input });
  } catch (error) {
    // In a query string a value that breaks a rule counts as malformed too.
    if (!(error instanceof DomainError)) throw error;
    throw new DomainError('malformed', error.message, { fields: error.fields });
  }
}

const getShapeMembers = (shape: z.ZodType): Record<string, z.ZodType> =>
  shape instanceof z.ZodObject ? shape.shape : {};

function parseWholeNumber(value: unknown): number | undefined {
  const text = typeof value === 'number' ? String(value) : typeof value === 'string' ? value.trim() : '';
  const number = /^-?\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(number) ? number : undefined;
}

const malformedError = (message: string) => new DomainError('malformed', message);
