import { type Command, Option } from 'commander';
import type { ListExport } from '../server/formats/sheets/sheet.ts';
import { LISTS } from '../server/lists/all.ts';
import type { List } from '../server/lists/list.ts';
import { readExport } from '../server/lists/read-export.ts';
import { counted } from '../shared/counts.ts';
import type { ExportFormat } from '../shared/urls.ts';
import { AS_FLAG, declare } from './command.ts';
import { formatAsked, requirePlace, writeExport } from './export-file.ts';
import { filterOptions, readAsked } from './filter-options.ts';
import { placeOf } from './output.ts';
import { createProgress } from './progress.ts';
import { type Runtime, withDatabase } from './runtime.ts';

interface Options {
  format?: ExportFormat;
  json?: boolean;
  out?: string;
  as?: string;
}

const FORMATS = ['csv', 'xlsx', 'pdf', 'json'] as const satisfies readonly ExportFormat[];

export function addExportCommands(program: Command, runtime: Runtime): void {
  const exporting = declare(
    program,
    'export',
    'las listas como archivo, con el filtro y el orden que se pidan',
    [],
    'saldo export invoices --status vencida --sort total --desc --format xlsx --out vencidas.xlsx',
    'saldo export payments --from 2026-11-01 --to 2026-11-30 > pagos.csv',
    'saldo export suppliers --format json | jq length',
  ).addHelpText('after', NOTES);
  const flags = [
    new Option('--format <formato>', 'formato').choices(FORMATS),
    ['--json', 'como --format json'],
    [
      '--out <archivo>',
      'escribe ahí, entero o nada; sin ella o con -, en la salida (csv si no hay --format)',
    ],
    AS_FLAG,
  ] as const;
  for (const list of LISTS) {
    const { name, says } = list.command;
    const example = `saldo export ${name} --format xlsx --out ${name}.xlsx`;
    declare(exporting, name, says, [...filterOptions(list), ...flags], example).action((options: Options) =>
      exportList(runtime, list, options),
    );
  }
}

const NOTES = `
Sin --format se toma la del nombre de --out, y si no, csv. Los archivos son los de las pantallas: las mismas
filas, orden y cifras.`;

async function exportList(runtime: Runtime, list: List, options: Options): Promise<void> {
  const out = placeOf('--out', options.out);
  const format = formatAsked(options, 'csv');
  await requirePlace(runtime, format, out);
  await withDatabase(runtime, { as: options.as, area: list.area }, async ({ db, actor, timeZone }) => {
    const { makeExport } = await import('../server/services/exports/make-export.ts');
    const now = runtime.now();
    // Rows that run over the screen need no bar among them.
    const isShown = out === undefined && runtime.isOutputTerminal;
    const progress = createProgress({ isTerminal: runtime.isTerminal && !isShown });
    let rows = 0;
    try {
      const asked = await readAsked(db, list, options);
      const found = await readExport(list, asked, { db, today: actor.today, timeZone, now });
      const total = (await found.count?.()) ?? 0;
      const whole = countRows(found, (read) => {
        rows += read;
        progress.show(rows / total, `${rows.toLocaleString('en-US')} ${found.noun[1]}`);
      });
      const make = (signal: AbortSignal) => makeExport({ db, format, now, timeZone, signal }, whole);
      const isDone = await writeExport(runtime, out, make, progress);
      progress.end();
      const many = rows || total;
      if (isDone && out !== undefined) runtime.log(`${out}: ${counted(many, ...found.noun)}`);
    } finally {
      progress.end();
    }
  });
}

function countRows<Row>(list: ListExport<Row>, onRows: (count: number) => void): ListExport<Row> {
  async function* pages() {
    for await (const rows of list.sheet.pages) {
      yield rows;
      onRows(rows.filter((row) => list.sheet.roleOf?.(row) === undefined).length);
    }
  }
  return { ...list, sheet: { ...list.sheet, pages: pages() } };
}
