import type { ReactNode } from 'react';
import type { PlainDate } from './dates.ts';
import type { Cents, Rate } from './money.ts';

/** The properties of a form's control that are plain data. */
export interface ControlField {
  label: string;
  /** field name = wire name */
  name: string;
  /** of a select; an empty value is its "none" */
  options?: readonly { value: string | number; label: string }[];
  hint?: ReactNode;
  /** marked and announced; the browser's own check would hide the specification's messages */
  required?: boolean;
  readOnly?: boolean;
  /** what it starts with is proposed, and marked so until somebody types there */
  isProposal?: boolean;
  /** both columns of .fields */
  wide?: boolean;
  maxLength?: number;
  min?: string | number;
  max?: string | number;
  autoComplete?: string;
  inputMode?: 'decimal' | 'numeric' | 'tel';
  autoCapitalize?: 'characters';
}

/**
 * A field of a record, said once as plain data: the shape of its requests, its form, what is read from a posted
 * form, and the comparison after somebody else's save all go by it.
 */
export interface RecordField extends ControlField {
  /** `ref`: the id of a row of another list; `rate`: a percentage */
  kind: 'ref' | 'text' | 'textarea' | 'date' | 'money' | 'rate' | 'select' | 'email' | 'tel' | 'number';
  /** what tables, files and the filter's words call it, where that is shorter than the label of its form */
  short?: string;
  /** in the document of the API, where the label does not say it all */
  says?: string;
  /** of a ref: the noun of the list; none where it points to something else, which the record's own file then says */
  catalog?: string;
  /** few firms fill it in: it waits behind a disclosure until one of the firm's recent records has it */
  rare?: true;
  /** of money: the record's member that holds it */
  cents?: string;
  /** of money: empty is none, which is not the same as 0 */
  canBeNone?: true;
}

export type NameOf<Fields extends readonly RecordField[]> = Fields[number]['name'];

type ValueOf<Field extends RecordField> = Field extends { kind: 'ref' }
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

export type MemberOf<Field extends RecordField> = Field extends { cents: infer Cents extends string }
  ? Cents
  : Field['name'];

/** The fields that a request names; one that it leaves out stays as it is. */
type SentOf<Fields extends readonly RecordField[]> = {
  [Field in Fields[number] as Field['name']]?: ValueOf<Field>;
};

/** A draft has the names of the record's members: amounts are in cents. */
export type DraftOf<Fields extends readonly RecordField[]> = {
  [Field in Fields[number] as MemberOf<Field>]?: ValueOf<Field>;
};

export const toDraft = <const Fields extends readonly RecordField[]>(
  fields: Fields,
  sent: SentOf<Fields>,
): DraftOf<Fields> => {
  const values = sent as Readonly<Record<string, unknown>>;
  const said = fields.filter(({ name }) => values[name] !== undefined);
  return Object.fromEntries(said.map(({ name, cents = name }) => [cents, values[name]])) as DraftOf<Fields>;
};

/** The order is that of the labels. */
export const keysOf = <Key extends string>(labels: Readonly<Record<Key, unknown>>) =>
  Object.keys(labels) as Key[];

export const fieldIn = <const Fields extends readonly RecordField[], Name extends NameOf<Fields>>(
  fields: Fields,
  name: Name,
) => fields.find((field) => field.name === name) as Extract<Fields[number], { name: Name }>;
