import { type Command, Option } from 'commander';
import type { ListExport } from '../server/services/exports/list-export.ts';
import type { ExportFormat } from '../shared/urls.ts';
import { formatOf, requirePlace, writeExport } from './export-file.ts';
import { type Asked, EXPORTED_LISTS, type ExportedList } from './exported-lists.ts';
import { createProgress } from './progress.ts';
import type { Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

interface Options extends Asked {
  format?: ExportFormat;
  out?: string;
  as?: string;
}

const FORMATS = ['csv', 'xlsx', 'pdf', 'json'] as const satisfies readonly ExportFormat[];

const OPTIONS = {
  number: ['--number <texto>', 'parte del número de factura (en pagos, del cheque)'],
  supplier: ['--supplier <proveedor>', 'id o nombre exacto'],
  job: ['--job <obra>', 'id o nombre exacto'],
  rubro: ['--rubro <rubro>', 'id o nombre exacto; 0: las que no tienen'],
  status: ['--status <estado>', 'pendiente, parcial, por-pagar, pagada, vencida o sin-vencimiento'],
  kind: ['--kind <tipo>', 'pago o credito'],
  rep: ['--rep <estado>', 'con o sin su recibo de pago (REP)'],
  from: ['--from <fecha>', 'desde ese día de emisión (en pagos, de pago), AAAA-MM-DD'],
  to: ['--to <fecha>', 'hasta ese día'],
  corte: ['--corte <fecha>', 'todo como era al terminar ese día'],
  week: ['--week <semana>', 'primera semana (ISO); si falta, la del corte'],
  year: ['--year <año>', 'año de la primera semana'],
  name: ['--name <texto>', 'parte del nombre'],
  fund: ['--fund <caja>', 'id o nombre exacto'],
} as const satisfies Record<Exclude<keyof Asked, 'sort' | 'desc'>, readonly [string, string]>;

export function addExportCommands(program: Command, runtime: Runtime): void {
  const exporting = program
    .command('export')
    .description('las listas como archivo, con el filtro y el orden que se pidan')
    .addHelpText('after', HELP);
  for (const list of EXPORTED_LISTS) {
    const command = exporting.command(list.name).description(list.description);
    for (const option of list.options) {
      const [flags, says] = OPTIONS[option];
      command.option(flags, says);
    }
    if (list.sorts.length > 0)
      command
        .addOption(new Option('--sort <campo>', 'orden').choices(list.sorts))
        .option('--desc', 'de mayor a menor');
    command
      .addOption(new Option('--format <formato>', 'formato').choices(FORMATS))
      .option(
        '--out <archivo>',
        'escribe ahí, entero o nada; sin ella, en la salida (csv si no hay --format)',
      )
      .option('--as <quién>', 'en nombre de qué usuario')
      .addHelpText('after', `\nEjemplo:\n  $ saldo export ${list.name} --format xlsx --out ${list.name}.xlsx`)
      .action((options: Options) => exportList(runtime, list, options));
  }
}

const HELP = `
Ejemplos:
  $ saldo export invoices --status vencida --sort total --desc --format xlsx --out vencidas.xlsx
  $ saldo export payments --from 2026-11-01 --to 2026-11-30 > pagos.csv
  $ saldo export suppliers --format json | jq length

Sin --format se toma la del nombre de --out, y si no, csv. Los archivos son los de las pantallas: las mismas
filas, orden y cifras.`;

async function exportList(runtime: Runtime, list: ExportedList, options: Options): Promise<void> {
  const format = options.format ?? formatOf(options.out);
  requirePlace(runtime, format, options.out);
  await withDatabase(runtime, options, async (opened) => {
    const { makeExport } = await import('../server/services/exports/make-export.ts');
    const { db, actor, timeZone } = opened;
    const now = runtime.now();
    const progress = createProgress(runtime);
    let rows = 0;
    try {
      const found = await list.read(opened, options, now);
      const total = (await found.count?.()) ?? 0;
      const counted = countRows(found, (read) => {
        rows += read;
        progress.show(rows / total, `${rows.toLocaleString('en-US')} ${found.noun[1]}`);
      });
      const isDone = await writeExport(runtime, options.out, (signal) =>
        makeExport({ db, format, now, timeZone, userId: actor.userId, signal }, counted),
      );
      progress.end();
      const many = rows || total;
      if (isDone && options.out !== undefined)
        runtime.log(
          `${options.out}: ${many.toLocaleString('en-US')} ${many === 1 ? found.noun[0] : found.noun[1]}`,
        );
    } finally {
      progress.end();
    }
  });
}

/** The same list, saying as it is read how many rows came. */
function countRows<Row>(list: ListExport<Row>, onRows: (count: number) => void): ListExport<Row> {
  async function* pages() {
    for await (const rows of list.sheet.pages) {
      yield rows;
      onRows(rows.filter((row) => list.sheet.roleOf?.(row) === undefined).length);
    }
  }
  return { ...list, sheet: { ...list.sheet, pages: pages() } };
}
