import type { DomainError } from '../../../shared/errors.ts';

/** The alert above says the whole sentence; the message beside a field says only what is wrong with that one. */
export function fieldErrors(
  problem: DomainError | undefined,
  required: string,
  typed: Readonly<Record<string, string>>,
  shorter: Readonly<Record<string, string>> = {},
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(problem?.fields ?? {}).map(([name, message]) => {
      const missing =
        Number(typed[name]) === 0 && typed[name]?.trim() ? 'Debe ser mayor que cero.' : 'Falta.';
      return [name, message === required ? missing : (shorter[message] ?? message)];
    }),
  );
}
