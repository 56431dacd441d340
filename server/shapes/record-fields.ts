import type { z } from 'zod';
import type { RecordField } from '../../shared/record-fields.ts';
import {
  choiceField,
  dateField,
  idField,
  longTextField,
  moneyField,
  moneyOrNoneField,
  rateField,
  textField,
} from './fields.ts';

type RequestField = RecordField & { kind: keyof typeof MEMBER_FACTORIES_BY_FIELD_KIND };

/** Derives a request's members from the fields of the record's form, so that labels, lengths and choices agree. */
export const toRequestMembers = <const Fields extends readonly RequestField[]>(fields: Fields) =>
  Object.fromEntries(fields.map((field) => [field.name, toRequestMember(field)])) as {
    [Field in Fields[number] as Field['name']]: RequestMember<Field>;
  };

type RequestMember<Field extends RequestField> = Field extends { options: readonly [] }
  ? ReturnType<typeof idField>
  : Field extends { options: readonly { value: infer Value extends string }[] }
    ? ReturnType<typeof choiceField<Value>>
    : Field extends { canBeNone: true }
      ? ReturnType<typeof moneyOrNoneField>
      : ReturnType<(typeof MEMBER_FACTORIES_BY_FIELD_KIND)[Field['kind']]>;

function toRequestMember(field: RequestField): z.ZodType {
  const member = field.canBeNone
    ? moneyOrNoneField(field.label)
    : MEMBER_FACTORIES_BY_FIELD_KIND[field.kind](field);
  return field.description ? member.meta({ description: field.description }) : member;
}

const MEMBER_FACTORIES_BY_FIELD_KIND = {
  ref: ({ label }: RecordField) => idField(label),
  date: ({ label }: RecordField) => dateField(label),
  money: ({ label }: RecordField) => moneyField(label),
  rate: ({ label }: RecordField) => rateField(label),
  /** A select without fixed options holds the id of a row; the form reads its options from the database. */
  select: ({ label, options = [] }: RecordField) =>
    options.length === 0
      ? idField(label)
      : choiceField(
          label,
          options.map(({ value }) => String(value)),
        ),
  text: ({ label, name, maxLength }: RecordField) => textField(label, maxLength!, name),
  textarea: ({ label, name, maxLength }: RecordField) => longTextField(label, maxLength!, name),
};
