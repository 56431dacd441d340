import type { Command } from 'commander';
import type { Runtime } from './runtime.ts';

const DEMO_DATABASE = 'file:./demo/saldo.db';

export function addServeCommand(program: Command, runtime: Runtime): void {
  program
    .command('serve')
    .description('el servidor, como npm start después de construir')
    .option('--demo', 'con una base de datos aparte, llena con una empresa de ejemplo')
    .addHelpText('after', '\nEjemplo:\n  $ PORT=8080 saldo serve')
    .action(async ({ demo }: { demo?: boolean }) => {
      const { start } = await import('../server/main.ts');
      if (!demo) return start({ env: runtime.env });
      await refuseKnownPassword(runtime.env);
      const { fillDemo } = await import('../server/services/demo/demo.ts');
      const env = {
        ...runtime.env,
        DATABASE_URL: DEMO_DATABASE,
        SALDO_ADMIN_EMAIL: 'admin@saldo.test',
        SALDO_ADMIN_PASSWORD: runtime.env.SALDO_ADMIN_PASSWORD ?? 'demostracion-2026',
      };
      return start({
        env,
        prepare: async (database, actor) => {
          const [supplier] = await database.db.selectFrom('suppliers').select('id').limit(1).execute();
          if (!supplier) await fillDemo(database, { today: actor.today, actor });
          runtime.log(`  Demostración: ${env.SALDO_ADMIN_EMAIL} / ${env.SALDO_ADMIN_PASSWORD}`);
        },
      });
    });
}

/** Its password stands in the manual; whoever reaches the machine could come in. */
async function refuseKnownPassword({ HOST, SALDO_ADMIN_PASSWORD }: NodeJS.ProcessEnv): Promise<void> {
  const { isLoopback } = await import('../server/config.ts');
  if (!HOST?.trim() || isLoopback(HOST.trim()) || SALDO_ADMIN_PASSWORD) return;
  const { DomainError } = await import('../shared/errors.ts');
  const takes = 'una contraseña propia si la demostración se abre más allá de esta máquina';
  throw new DomainError('invalid', `SALDO_ADMIN_PASSWORD: se espera ${takes}.`, {
    code: 'bad_configuration',
  });
}
