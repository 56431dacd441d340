import { DomainError, type ErrorDetail, type ErrorKind } from './errors.ts';
import { noteOf, plainText, type Remark } from './remarks.ts';

/** A rule refuses with a message, and names the fields that it is about. */
export interface Refusal {
  message: Remark;
  fields: Record<string, string>;
  /** by default what is readable and breaks a rule */
  kind?: ErrorKind;
  /** by default made from the kind */
  code?: string;
  /** further members of the API's error object */
  extra?: ErrorDetail['extra'];
}

export interface BrokenRule extends Omit<Refusal, 'fields'> {
  fields?: Refusal['fields'];
  /** which of the draft's members it is about, where `fields` ask for something else */
  field?: string;
}

export const refusal = (message: Remark, ...fields: string[]): Refusal => ({
  message,
  fields: Object.fromEntries(fields.map((field) => [field, plainText(message)])),
});

/** The names of what is not filled in. */
export const emptyIn = (values: Readonly<Record<string, unknown>>): string[] =>
  Object.keys(values).filter((name) => !values[name]);

/** @param fields each with its message, or false where it is sound; the first message stands for the whole */
export function refusals(found: Record<string, string | false>): Refusal | undefined {
  const wrong = Object.entries(found).filter((one): one is [string, string] => Boolean(one[1]));
  const [[, first] = []] = wrong;
  return first ? { message: first, fields: Object.fromEntries(wrong) } : undefined;
}

export function refuse(problem: BrokenRule | undefined): void {
  if (problem) throw errorOf(problem);
}

export const errorOf = ({ kind = 'invalid', message, ...detail }: BrokenRule): DomainError =>
  new DomainError(kind, plainText(message), { ...detail, remedy: noteOf(message).remedy });
