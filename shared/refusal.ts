import { DomainError, type ErrorDetail, type ErrorKind } from './errors.ts';
import { type Remark, toPlainText, toStructuredRemark } from './remarks.ts';

export interface Refusal {
  message: Remark;
  fields: Record<string, string>;
  /** 'invalid' by default */
  kind?: ErrorKind;
  code?: string;
  extra?: ErrorDetail['extra'];
}

export interface BrokenRule extends Omit<Refusal, 'fields'> {
  fields?: Refusal['fields'];
  /** the field that breaks the rule, where `fields` names another one that has to be changed instead */
  field?: string;
}

export const createRefusal = (message: Remark, ...fields: string[]): Refusal => ({
  message,
  fields: Object.fromEntries(fields.map((field) => [field, toPlainText(message)])),
});

export const listEmptyNames = (values: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(values).filter((name) => !values[name]);

/** @param messagesByField each field's message, or false where the field is valid; the refusal gets the first message */
export function toFieldsRefusal(messagesByField: Record<string, string | false>): Refusal | undefined {
  const wrong = Object.entries(messagesByField).filter((one): one is [string, string] => Boolean(one[1]));
  const [[, first] = []] = wrong;
  return first ? { message: first, fields: Object.fromEntries(wrong) } : undefined;
}

export function throwIfRefused(problem: BrokenRule | undefined): void {
  if (problem) throw toDomainError(problem);
}

export const toDomainError = ({ kind = 'invalid', message, ...detail }: BrokenRule): DomainError =>
  new DomainError(kind, toPlainText(message), { ...detail, remedy: toStructuredRemark(message).remedy });
