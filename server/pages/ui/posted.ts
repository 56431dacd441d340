import type { z } from 'zod';
import { isOperation, moneyOf, rateOf } from '../../../shared/arithmetic.ts';
import { DomainError, type ErrorKind } from '../../../shared/errors.ts';
import { formatMoney, moneyText, rateText } from '../../../shared/money.ts';
import type { Refusal } from '../../../shared/refusal.ts';
import { parseShape } from '../../shapes/fields.ts';

/** What each field posts; undefined: not sent. */
export type Posted = Record<string, string | undefined>;

/**
 * Reads a posted form to its end, so that all that is wrong with it is said at once: what is missing first, in
 * the specification's words, then each field's own message.
 */
export class FormReading {
  readonly #wrong: Record<string, string> = {};
  #kind: ErrorKind = 'invalid';

  /** What `read` gives; where it refuses with messages for fields, those are kept and nothing is given. */
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

  /** The amount's text, an operation worked out; an empty one stays what it is. */
  amount(text: string | undefined, label: string, field: string): Promise<string | undefined> {
    return this.try(() => text && workOutAmount(text, label, field));
  }

  rate(text: string | undefined): Promise<string | undefined> {
    return this.try(() => (text !== undefined && isOperation(text) ? rateText(rateOf(text)) : text));
  }

  /** The shape's reading of the fields that can be read. */
  async parse<S extends z.ZodType>(shape: S, posted: Posted): Promise<z.output<S>> {
    const readable = () =>
      Object.fromEntries(
        Object.entries(posted).filter(
          ([name, text]) => text !== undefined && !Object.hasOwn(this.#wrong, name),
        ),
      );
    return (await this.try(() => parseShape(shape, readable()))) ?? parseShape(shape, readable());
  }

  /**
   * @param rules what the rules have against what could be read
   * @param order the fields from first to last
   * @throws DomainError where anything is wrong
   */
  finish(rules: Refusal | undefined, required: string, order: readonly string[]): void {
    const fields: Record<string, string> = { ...rules?.fields, ...this.#wrong };
    const isMissing = Object.values(fields).includes(required);
    const first = [...order, ...Object.keys(fields)].find((name) => Object.hasOwn(fields, name));
    if (first === undefined) return;
    const message = isMissing ? required : (fields[first] as string);
    throw new DomainError(isMissing ? 'invalid' : this.#kind, message, { fields });
  }
}

/** An amount's text, an operation worked out. @throws DomainError that names the field */
export const workOutAmount = (text: string, label: string, field = label): string =>
  isOperation(text) ? moneyText(moneyOf(text, label, field)) : text;

const AMOUNT_NAMES = ['subtotal', 'otrosimpuestos', 'retenciones', 'paymentamount', 'amount', 'opening'];

/** A form's texts with the operations among its amounts worked out; those that can't be stay as they are. */
export function workedOut<Texts extends Readonly<Record<string, string>>>(texts: Texts): Texts {
  const read = (name: string, text: string) => {
    try {
      if (AMOUNT_NAMES.includes(name)) return workOutAmount(text, name);
      if (name === 'tasa' && isOperation(text)) return rateText(rateOf(text));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
    return text;
  };
  return Object.fromEntries(
    Object.entries(texts).map(([name, text]) => [name, read(name, text)]),
  ) as unknown as Texts;
}

/** An amount as it is shown, "$1,160.50" for "1160.5"; what is none stays as it was typed. */
export function asMoney(text: string): string {
  try {
    return text.trim() ? formatMoney(moneyOf(text, '')) : text;
  } catch (error) {
    if (error instanceof DomainError) return text;
    throw error;
  }
}
