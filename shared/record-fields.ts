import type { FieldProps } from './ui/Field.tsx';

/**
 * A field of a record, said once as plain data: the shape of its requests, its form, what is read from a posted
 * form, and the comparison after somebody else's save all go by it.
 */
export interface RecordField
  extends Pick<
    FieldProps,
    | 'name'
    | 'label'
    | 'options'
    | 'hint'
    | 'required'
    | 'readOnly'
    | 'wide'
    | 'maxLength'
    | 'min'
    | 'max'
    | 'autoComplete'
    | 'inputMode'
    | 'autoCapitalize'
  > {
  /** `ref`: the id of a row of another list; `rate`: a percentage */
  kind: 'ref' | 'text' | 'textarea' | 'date' | 'money' | 'rate' | 'select' | 'email' | 'tel' | 'number';
  /** what tables, files and the filter's words call it, where that is shorter than the label of its form */
  short?: string;
  /** of a ref: the noun of the list; none where it points to something else, which the record's own file then says */
  catalog?: string;
  /** of money: the record's member that holds it */
  cents?: string;
  /** of money: empty is none, which is not the same as 0 */
  canBeNone?: true;
}

export type NameOf<Fields extends readonly RecordField[]> = Fields[number]['name'];

/** The values that have a label, in the order of their labels. */
export const keysOf = <Key extends string>(labels: Readonly<Record<Key, unknown>>) =>
  Object.keys(labels) as Key[];

/** The field of that name. */
export const fieldIn = <const Fields extends readonly RecordField[], Name extends NameOf<Fields>>(
  fields: Fields,
  name: Name,
) => fields.find((field) => field.name === name) as Extract<Fields[number], { name: Name }>;
