import type { z } from 'zod';
import type { Db } from '../../../db/schema.ts';
import { evaluateMoney, evaluateTaxRate, isOperation } from '../../../shared/arithmetic.ts';
import { catalogOf } from '../../../shared/catalogs/all.ts';
import { catchDomainError, DomainError, type ErrorKind } from '../../../shared/errors.ts';
import { formatMoney, formatRate, toDecimalText } from '../../../shared/money.ts';
import type { RecordField } from '../../../shared/record-fields.ts';
import type { Refusal } from '../../../shared/refusal.ts';
import { parseShape } from '../../shapes/fields.ts';
import { resolvePickedId } from './pickers.ts';
import type { FieldTexts } from './record-fields.tsx';

export type PostedFields = Record<string, string | undefined>;

/** The form's message is about missing fields if any is missing, else the first error's. */
export class FormErrorCollector {
  readonly #wrong: Record<string, string> = {};
  #kind: ErrorKind = 'invalid';

  /** Collects a refusal with messages for fields, and returns undefined; throws other errors. */
  async try<T>(read: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DomainError) || !error.fields || Object.keys(error.fields).length === 0)
        throw error;
      if (Object.keys(this.#wrong).length === 0) this.#kind = error.kind;
      Object.assign(this.#wrong, error.fields);
      return undefined;
    }
  }

  async parse<S extends z.ZodType>(shape: S, posted: PostedFields): Promise<z.output<S>> {
    const pickReadableTexts = () =>
      Object.fromEntries(
        Object.entries(posted).filter(
          ([name, text]) => text !== undefined && !Object.hasOwn(this.#wrong, name),
        ),
      );
    return (
      (await this.try(() => parseShape(shape, pickReadableTexts()))) ?? parseShape(shape, pickReadableTexts())
    );
  }

  /**
   * @param rules refusal by the business rules, which check the fields that could be read
   * @param order the fields in the order of the form
   * @throws DomainError where anything is wrong
   */
  throwIfAnyWrong(rules: Refusal | undefined, required: string, order: readonly { name: string }[]): void {
    const fields: Record<string, string> = { ...rules?.fields, ...this.#wrong };
    const isMissing = Object.values(fields).includes(required);
    const names = [...order.map(({ name }) => name), ...Object.keys(fields)];
    const first = names.find((name) => Object.hasOwn(fields, name));
    if (first === undefined) return;
    const message = isMissing ? required : (fields[first] as string);
    throw new DomainError(isMissing ? 'invalid' : this.#kind, message, { fields });
  }
}

/**
 * Reads the fields of a record from a posted form. Arithmetic such as `2*580` is evaluated, and names become ids.
 * @param previous the row before the change: an unchanged name means the row to which `previous` refers
 * @param errorCollector collects errors instead of throwing the first one
 * @throws DomainError naming the field, without a `reading`
 */
export async function readFields(
  db: Db,
  fields: readonly RecordField[],
  form: FieldTexts,
  { previous, reading: errorCollector }: { previous?: object; reading?: FormErrorCollector } = {},
): Promise<PostedFields> {
  const posted: PostedFields = {};
  for (const field of fields) {
    const readPostedField = () =>
      readField(db, field, form, previous as Readonly<Record<string, unknown>> | undefined);
    const text = await (errorCollector ? errorCollector.try(readPostedField) : readPostedField());
    if (text !== undefined) posted[field.name] = text;
  }
  return posted;
}

async function readField(
  db: Db,
  field: RecordField,
  form: FieldTexts,
  previous?: Readonly<Record<string, unknown>>,
) {
  const { name } = field;
  if (!field.catalog) return form[name] === undefined ? undefined : evaluateField(field, form[name]);
  const catalog = catalogOf(field.catalog);
  const previousReference = previous && {
    id: previous[name] as number | null,
    name: previous[catalog.nameField] as string | null,
  };
  return resolvePickedId(db, catalog, name, form, previousReference);
}

/** An optional amount that was emptied is 0, and does not stay unchanged. @throws DomainError that names the field */
function evaluateField({ kind, name, label, required, canBeNone }: RecordField, text: string): string {
  if (kind === 'money' && isOperation(text)) return toDecimalText(evaluateMoney(text, label, name));
  if (kind === 'rate' && isOperation(text)) return formatRate(evaluateTaxRate(text));
  return kind === 'money' && !required && !canBeNone && !text.trim() ? '0' : text;
}

/** A text that cannot be evaluated is kept as the user typed it. */
export function evaluateOperations<Values extends FieldTexts>(
  fields: readonly RecordField[],
  values: Values,
): Values {
  const evaluated: Record<string, string> = {};
  for (const field of fields) {
    const text = values[field.name];
    if (text !== undefined)
      evaluated[field.name] = evaluateOrKeepText(text, () => evaluateField(field, text));
  }
  return { ...values, ...evaluated };
}

/** Formats an amount, "$1,160.50" for "1160.5"; any other text stays as typed. */
export const formatTypedMoney = (text: string): string =>
  text.trim() ? evaluateOrKeepText(text, () => formatMoney(evaluateMoney(text, ''))) : text;

const evaluateOrKeepText = (text: string, read: () => string): string => catchDomainError(read, () => text);
