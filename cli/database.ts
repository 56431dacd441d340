import type { Command } from 'commander';
import type { DatabaseCheck } from '../server/services/database/check.ts';
import { addAnchorCommand } from './anchors.ts';
import { addBackupCommands } from './backups.ts';
import { following } from './following.ts';
import type { Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

export function addDatabaseCommands(program: Command, runtime: Runtime): void {
  const database = program
    .command('db')
    .description('la base de datos')
    .addHelpText('after', '\nEjemplos:\n  $ saldo db check\n  $ saldo db backup /respaldos/saldo.db');

  database
    .command('migrate')
    .description('crea la base de datos o la pone al día')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo db migrate')
    .action(async ({ json }: { json?: boolean }) => {
      const { readConfig } = await import('../server/config.ts');
      const { projectRoot } = await import('../server/root.ts');
      const { openDatabase } = await import('../db/open.ts');
      const { migrate, migrations } = await import('../db/migrate.ts');
      const config = readConfig(runtime.env, projectRoot, { secret: false });
      const opened = openDatabase(config.databaseUrl, { root: projectRoot, create: true });
      try {
        const ran = await following(runtime, (report) => migrate(opened, migrations, { ...config, report }));
        if (json) runtime.print(`${JSON.stringify({ migrations: ran })}\n`);
        else runtime.log(ran.length > 0 ? `Migraciones: ${ran.join(', ')}` : 'La base de datos está al día.');
      } finally {
        await opened.close();
      }
    });

  database
    .command('check')
    .description('revisa cada regla del dinero, las referencias, la búsqueda y la bitácora')
    .option('--deep', 'además compara cada registro con lo que la bitácora dice de él')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', CHECK_HELP)
    .action(({ deep, json }: { deep?: boolean; json?: boolean }) =>
      withDatabase(runtime, { reading: true }, async ({ db }) => {
        const { checkDatabase } = await import('../server/services/database/check.ts');
        const result = await following(runtime, (report) => checkDatabase(db, { deep, report }));
        runtime.print(json ? `${JSON.stringify(result, null, 2)}\n` : describeCheck(result, runtime));
        if (!result.ok) runtime.setExitCode(1);
      }),
    );

  addAnchorCommand(database, runtime);
  addBackupCommands(database, runtime);
}

const CHECK_HELP = `
Ejemplos:
  $ saldo db check
  $ saldo db check --deep
  $ saldo db check --json > revision.json

Solo lee, también mientras el servidor trabaja. Nombra cada registro que rompe una regla.
Termina con 0; con 1 si alguna regla se rompe.`;

function describeCheck({ ok, checks, audit, notices }: DatabaseCheck, { style }: Runtime): string {
  const lines = checks.flatMap(({ description, problems }) => [
    `${problems.length === 0 ? style('green', '✓') : style('red', '✗')} ${description}`,
    ...problems.map(({ entity, id, problem }) => `    ${[entity, id].filter(Boolean).join(' ')}: ${problem}`),
  ]);
  const count = checks.reduce((sum, { problems }) => sum + problems.length, 0);
  const found = count === 1 ? 'Se encontró un problema.' : `Se encontraron ${count} problemas.`;
  const entries = audit.entries.toLocaleString('en-US');
  lines.push('', `Bitácora: ${entries} asientos; el último, ${audit.lastHash || 'ninguno'}`);
  for (const notice of notices) lines.push(`${style('yellow', '!')} ${notice}`);
  lines.push(ok ? 'Todo está en orden.' : found);
  return `${lines.join('\n')}\n`;
}
