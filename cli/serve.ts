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
      const { fillDemo } = await import('../server/services/demo.ts');
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
