import type { Command } from 'commander';
import type { Runtime } from './runtime.ts';

export function addDatabaseCommands(program: Command, runtime: Runtime): void {
  const database = program.command('db').description('la base de datos');

  database
    .command('migrate')
    .description('crea la base de datos o la pone al día')
    .addHelpText('after', '\nEjemplo:\n  $ saldo db migrate')
    .action(async () => {
      const { readConfig } = await import('../server/config.ts');
      const { projectRoot } = await import('../server/root.ts');
      const { openDatabase } = await import('../db/open.ts');
      const { migrate, migrations } = await import('../db/migrate.ts');
      const config = readConfig(runtime.env, projectRoot, { secret: false });
      const opened = openDatabase(config.databaseUrl, { root: projectRoot, create: true });
      try {
        const ran = await migrate(opened, migrations, config);
        runtime.log(ran.length > 0 ? `Migraciones: ${ran.join(', ')}` : 'La base de datos está al día.');
      } finally {
        await opened.close();
      }
    });
}
