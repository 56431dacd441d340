import { DomainError } from './errors.ts';

/** What a rule has against a draft: the message, and the fields that it is about. */
export interface Refusal {
  message: string;
  fields: Record<string, string>;
}

/** One message for one field or several. */
export const refusal = (message: string, ...fields: string[]): Refusal => ({
  message,
  fields: Object.fromEntries(fields.map((field) => [field, message])),
});

/** Each field's own message, or false where it is sound; the first stands for the whole. */
export function refusals(found: Record<string, string | false>): Refusal | undefined {
  const wrong = Object.entries(found).filter((one): one is [string, string] => Boolean(one[1]));
  const [[, first] = []] = wrong;
  return first ? { message: first, fields: Object.fromEntries(wrong) } : undefined;
}

/** @throws DomainError invalid, where a rule has something against it */
export function refuse(problem: Refusal | undefined): void {
  if (problem) throw new DomainError('invalid', problem.message, { fields: problem.fields });
}
