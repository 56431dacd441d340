import type { Command } from 'commander';
import { isMissingTableError } from '../db/errors.ts';
import { projectRoot } from '../server/root.ts';
import { DomainError } from '../shared/errors.ts';
import type { Runtime } from './runtime.ts';

const DEMO_DATABASE = 'file:./demo/saldo.db';

export function addServeCommand(program: Command, runtime: Runtime): void {
  program
    .command('serve')
    .description('el servidor, como npm start después de construir')
    .option('--demo', 'con una base de datos aparte, llena con una empresa de ejemplo')
    .addHelpText('after', '\nEjemplo:\n  $ PORT=8080 saldo serve')
    .action(async ({ demo }: { demo?: boolean }) => {
      const { startServer } = await import('../server/main.ts');
      if (!demo) return startServer({ env: runtime.env });
      await requireDemoPassword(runtime.env);
      const { fillDemo } = await import('../server/services/demo/demo.ts');
      const configuredUrl = runtime.env.DATABASE_URL?.trim();
      if (configuredUrl) await requireEmptyDatabase(configuredUrl);
      const env = {
        ...runtime.env,
        DATABASE_URL: configuredUrl || DEMO_DATABASE,
        SALDO_ADMIN_EMAIL: runtime.env.SALDO_ADMIN_EMAIL || 'admin@saldo.test',
        SALDO_ADMIN_PASSWORD: runtime.env.SALDO_ADMIN_PASSWORD ?? 'demostracion-2026',
      };
      return startServer({
        env,
        prepareDatabase: async (database, actor) => {
          const [supplier] = await database.db.selectFrom('suppliers').select('id').limit(1).execute();
          if (!supplier) await fillDemo(database, actor);
          runtime.log(`  Demostración: ${env.SALDO_ADMIN_EMAIL} / ${env.SALDO_ADMIN_PASSWORD}`);
        },
      });
    });
}

/** The demonstration's password is in the manual, so everybody who can reach the machine could sign in. */
async function requireDemoPassword({ HOST, SALDO_ADMIN_PASSWORD }: NodeJS.ProcessEnv): Promise<void> {
  const { isLoopback } = await import('../server/config.ts');
  if (!HOST?.trim() || isLoopback(HOST.trim()) || SALDO_ADMIN_PASSWORD) return;
  const expectation = 'una contraseña propia si la demostración se abre más allá de esta máquina';
  throw new DomainError('invalid', `SALDO_ADMIN_PASSWORD: se espera ${expectation}.`, {
    code: 'bad_configuration',
  });
}

/** @throws DomainError conflict where anything was ever stored */
async function requireEmptyDatabase(url: string): Promise<void> {
  const { openDatabase } = await import('../db/open.ts');
  const openExistingDatabase = async () => openDatabase(url, { root: projectRoot, createIfMissing: false });
  const database = await openExistingDatabase().catch((error: unknown) => {
    if (error instanceof DomainError && error.kind === 'not-found') return undefined;
    throw error;
  });
  const entries = await database?.db
    .selectFrom('audit')
    .select('id')
    .limit(1)
    .execute()
    .catch((error: unknown) => {
      if (isMissingTableError(error)) return [];
      throw error;
    })
    .finally(() => database.close());
  if (!entries?.length) return;
  const message = 'DATABASE_URL: la demostración solo llena una base de datos vacía, y esta ya tiene datos.';
  throw new DomainError('conflict', message, { code: 'database_in_use' });
}
