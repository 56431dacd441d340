import type { Command } from 'commander';
import type { Runtime } from './runtime.ts';
import { formatTable } from './table.ts';
import { withDatabase } from './with-database.ts';

interface SetOptions {
  as?: string;
  motivo?: string;
  allowFuture?: boolean;
  json?: boolean;
}

export function addSettingsCommands(program: Command, runtime: Runtime): void {
  const settings = program
    .command('settings')
    .description('los ajustes de la aplicación')
    .addHelpText('after', '\nEjemplos:\n  $ saldo settings list\n  $ saldo settings set tasa 16');

  settings
    .command('list')
    .description('todos los ajustes con su valor')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo settings list --json')
    .action(({ json }: { json?: boolean }) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { SETTINGS } = await import('../server/services/settings/definitions.ts');
        const { readSettings } = await import('../server/services/settings/settings.ts');
        const values = await readSettings(db);
        const list = Object.entries(SETTINGS).map(([key, setting]) => ({
          key,
          value: values[key as keyof typeof values],
          default: setting.default,
          description: setting.description,
        }));
        if (json) return runtime.print(`${JSON.stringify(list, null, 2)}\n`);
        runtime.print(
          formatTable(
            ['Ajuste', 'Valor', 'De fábrica', 'Qué es'],
            list.map((one) => [one.key, one.value, one.default, one.description]),
          ),
        );
      }),
    );

  settings
    .command('get <ajuste>')
    .description('el valor de un ajuste')
    .option('--json', 'como un documento JSON')
    .addHelpText('after', '\nEjemplo:\n  $ saldo settings get tasa')
    .action((key: string, { json }: { json?: boolean }) =>
      withDatabase(runtime, {}, async ({ db }) => {
        const { settingDefinition } = await import('../server/services/settings/definitions.ts');
        const { readSettings } = await import('../server/services/settings/settings.ts');
        settingDefinition(key);
        const values: Record<string, string> = await readSettings(db);
        runtime.print(json ? `${JSON.stringify({ key, value: values[key] })}\n` : `${values[key]}\n`);
      }),
    );

  settings
    .command('set <ajuste> <valor>')
    .description('cambia un ajuste')
    .option('--as <quién>', 'en nombre de qué usuario; con el rol 3')
    .option('--motivo <texto>', 'por qué se abre otra vez un periodo cerrado (cierre)')
    .option('--allow-future', 'cerrar hasta un día que todavía no llega (cierre)')
    .option('--json', 'como un documento JSON')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo settings set empresa "Constructora del Valle"\n  $ saldo settings set cierre 2026-10-31',
    )
    .action((key: string, value: string, options: SetOptions) =>
      withDatabase(runtime, options, async ({ db, actor }) => {
        const { changeSetting, readSettings } = await import('../server/services/settings/settings.ts');
        const { cleanMotivo } = await import('../shared/text.ts');
        const { allowFuture, motivo } = options;
        await changeSetting(db, { ...actor, motivo: cleanMotivo(motivo) }, key, value, { allowFuture });
        const stored = ((await readSettings(db)) as Record<string, string>)[key];
        runtime.print(options.json ? `${JSON.stringify({ key, value: stored })}\n` : `${key}: ${stored}\n`);
      }),
    );
}
