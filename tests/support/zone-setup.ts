import type { ProvidedContext } from 'vitest';
import type { TestProject } from 'vitest/node';

/** The environment variable that names the first run's databases, as JSON. */
export const DATABASES_VARIABLE = 'SALDO_TEST_DATABASES';

export default function setUp({ provide }: TestProject): void {
  const databases = JSON.parse(process.env[DATABASES_VARIABLE] ?? '{}') as ProvidedContext;
  for (const [name, value] of Object.entries(databases)) provide(name as keyof ProvidedContext, value);
}
