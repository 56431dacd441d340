import type { Command } from 'commander';
import { cleanMotivo } from '../shared/text.ts';
import {
  addExamples,
  createActingUserFlag,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
} from './command.ts';
import { type Runtime, withDatabase } from './runtime.ts';

interface SetSettingOptions {
  as?: string;
  motivo?: string;
  allowFuture?: boolean;
  json?: boolean;
}

export function addSettingsCommands(settings: Command, runtime: Runtime): void {
  addExamples(settings, 'saldo settings list', 'saldo settings set tasa 16');

  declareCommand(
    settings,
    'list',
    'todos los ajustes con su valor',
    [JSON_FLAG],
    'saldo settings list --json',
  ).action(({ json }: SetSettingOptions) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { SETTINGS } = await import('../server/services/settings/definitions.ts');
      const { readSettings } = await import('../server/services/settings/settings.ts');
      const values: Record<string, string> = await readSettings(db);
      const list = Object.entries(SETTINGS).map(([key, setting]) => {
        return { key, value: values[key]!, default: setting.default, description: setting.description };
      });
      if (json) return runtime.print(formatJson(list));
      const rows = list.map((one) => [one.key, one.value, one.default, one.description]);
      runtime.print(formatTable(['Ajuste', 'Valor', 'De fábrica', 'Qué es'], rows));
    }),
  );

  declareCommand(
    settings,
    'get <ajuste>',
    'el valor de un ajuste',
    [JSON_FLAG],
    'saldo settings get tasa',
  ).action((key: string, { json }: SetSettingOptions) =>
    withDatabase(runtime, {}, async ({ db }) => {
      const { getSettingDefinition } = await import('../server/services/settings/definitions.ts');
      const { readSettings } = await import('../server/services/settings/settings.ts');
      getSettingDefinition(key);
      const value = ((await readSettings(db)) as Record<string, string>)[key];
      runtime.print(json ? `${JSON.stringify({ key, value })}\n` : `${value}\n`);
    }),
  );

  declareCommand(
    settings,
    'set <ajuste> <valor>',
    'cambia un ajuste',
    [
      createActingUserFlag('admin'),
      ['--motivo <texto>', 'por qué se abre otra vez un periodo cerrado (cierre)'],
      ['--allow-future', 'cerrar hasta un día que todavía no llega (cierre)'],
      JSON_FLAG,
    ],
    'saldo settings set empresa "Constructora del Valle"',
    'saldo settings set cierre 2026-10-31',
  ).action((key: string, value: string, options: SetSettingOptions) =>
    withDatabase(runtime, options, async ({ db, actor }) => {
      const { changeSetting, readSettings } = await import('../server/services/settings/settings.ts');
      const { allowFuture, motivo } = options;
      await changeSetting(db, { ...actor, motivo: cleanMotivo(motivo) }, key, value, { allowFuture });
      const stored = ((await readSettings(db)) as Record<string, string>)[key];
      runtime.print(options.json ? `${JSON.stringify({ key, value: stored })}\n` : `${key}: ${stored}\n`);
    }),
  );
}
