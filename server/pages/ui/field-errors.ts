import type { DomainError } from '../../../shared/errors.ts';

/**
 * What stands beside the fields. The alert above says the whole sentence; a field that it is about says what is
 * the matter with this one.
 */
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
