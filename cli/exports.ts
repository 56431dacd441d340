import { type Command, Option } from 'commander';
import { LISTS } from '../server/lists/all.ts';
import type { List } from '../server/lists/list.ts';
import type { ExportFormat } from '../shared/urls.ts';
import { addExamples, createActingUserFlag, declareCommand } from './command.ts';
import { chooseFormat, type ReportFileOptions, writeReport } from './export-file.ts';
import { createListOptions, readListOptions } from './filter-options.ts';
import type { Runtime } from './runtime.ts';

const EXPORT_FORMAT_NAMES = ['csv', 'xlsx', 'pdf', 'json'] as const satisfies readonly ExportFormat[];

export function addExportCommands(exporting: Command, runtime: Runtime): void {
  addExamples(
    exporting,
    'saldo export invoices --status vencida --sort total --desc --format xlsx --out vencidas.xlsx',
    'saldo export payments --from 2026-11-01 --to 2026-11-30 > pagos.csv',
    'saldo export suppliers --format json | jq length',
  ).addHelpText('after', EXPORT_HELP);
  const listExportFlags = ({ area, command: { otherFormats } }: List) =>
    [
      new Option('--format <formato>', 'formato').choices([...EXPORT_FORMAT_NAMES, ...(otherFormats ?? [])]),
      ['--json', 'como --format json'],
      [
        '--out <archivo>',
        'escribe ahí, entero o nada; sin ella o con -, en la salida (csv si no hay --format)',
      ],
      createActingUserFlag(area),
    ] as const;
  for (const list of LISTS) {
    const { name, description } = list.command;
    const example = list.command.otherFormats
      ? `saldo export ${name} --format hledger --out ${name}.journal`
      : `saldo export ${name} --format xlsx --out ${name}.xlsx`;
    declareCommand(
      exporting,
      name,
      description,
      [...createListOptions(list), ...listExportFlags(list)],
      example,
    ).action((options: ReportFileOptions) => exportList(runtime, list, options));
  }
}

const EXPORT_HELP = `
Sin --format se toma la del nombre de --out, y si no, csv. Los archivos son los de las pantallas: las mismas
filas, orden y cifras.`;

const exportList = (runtime: Runtime, list: List, options: ReportFileOptions): Promise<void> =>
  writeReport(
    runtime,
    { ...options, area: list.area },
    chooseFormat(options, 'csv'),
    async ({ db, actor, timeZone }) => {
      const query = await readListOptions(db, list, options);
      const context = { db, today: actor.today, timeZone, now: runtime.now() };
      const { readExport } = await import('../server/lists/read-export.ts');
      const found = await readExport(list, query, context);
      return { list: found, texts: found.hledger && { hledger: found.hledger } };
    },
  );
