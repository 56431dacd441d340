import type { ReactNode } from 'react';
import type { PlainDate } from './dates.ts';
import type { Cents, Rate } from './money.ts';

export interface ControlField {
  label: string;
  name: string;
  /** for a select; an empty value means none */
  options?: readonly { value: string | number; label: string }[];
  hint?: ReactNode;
  /** only marks and announces the field: the browser's own validation would hide the specification's messages */
  required?: boolean;
  readOnly?: boolean;
  /** its initial value is a proposal, and is marked as one until somebody types in the field */
  isProposal?: boolean;
  wide?: boolean;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  autoComplete?: string;
  inputMode?: 'decimal' | 'numeric' | 'tel';
  autoCapitalize?: 'characters';
}

/** A field of a record as plain data, from which requests, forms and the parsing of a posted form are derived. */
export interface RecordField extends ControlField {
  kind: 'ref' | 'text' | 'textarea' | 'date' | 'money' | 'rate' | 'select' | 'email' | 'tel' | 'number';
  shortLabel?: string;
  /** its description in the OpenAPI document, if the label is not enough */
  description?: string;
  /** for a ref: the catalog's noun; absent where it refers to another record, which the form names */
  catalog?: string;
  /** few firms use it: the form hides it in a disclosure, until one of the firm's recent records has a value in it */
  isFolded?: true;
  cents?: string;
  /** for money: empty means none, which is not 0 */
  canBeNone?: true;
}

export type FieldNameOf<Fields extends readonly RecordField[]> = Fields[number]['name'];

type FieldValueOf<Field extends RecordField> = Field extends { kind: 'ref' }
  ? number | null
  : Field extends { kind: 'date' }
    ? PlainDate | null
    : Field extends { canBeNone: true }
      ? Cents | null
      : Field extends { kind: 'money' | 'rate' }
        ? Cents | Rate
        : Field extends { options: readonly [] }
          ? number | null
          : Field extends { options: readonly { value: infer Value extends string }[] }
            ? Value
            : string;

export type ColumnNameOf<Field extends RecordField> = Field extends { cents: infer Cents extends string }
  ? Cents
  : Field['name'];

/** A field that is missing in a request stays unchanged. */
type RequestValuesOf<Fields extends readonly RecordField[]> = {
  [Field in Fields[number] as Field['name']]?: FieldValueOf<Field>;
};

export type FieldValuesOf<Fields extends readonly RecordField[]> = {
  [Field in Fields[number] as ColumnNameOf<Field>]?: FieldValueOf<Field>;
};

export const toFieldValues = <const Fields extends readonly RecordField[]>(
  fields: Fields,
  requestValues: RequestValuesOf<Fields>,
): FieldValuesOf<Fields> => {
  const values = requestValues as Readonly<Record<string, unknown>>;
  const present = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(
    present.map(({ name, cents = name }) => [cents, values[name]]),
  ) as FieldValuesOf<Fields>;
};

export const keysOf = <Key extends string>(labels: Readonly<Record<Key, unknown>>) =>
  Object.keys(labels) as Key[];

export const getField = <const Fields extends readonly RecordField[], Name extends FieldNameOf<Fields>>(
  fields: Fields,
  name: Name,
) => fields.find((field) => field.name === name) as Extract<Fields[number], { name: Name }>;
