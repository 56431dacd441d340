import { type Command, Option } from 'commander';
import type { ListExport } from '../server/formats/sheets/list-export.ts';
import { STATUS_FILTERS } from '../shared/invoices.ts';
import { PAYMENT_KINDS, RECEIPT_STATES } from '../shared/payments.ts';
import type { ExportFormat } from '../shared/urls.ts';
import { formatAsked, requirePlace, writeExport } from './export-file.ts';
import { type Asked, EXPORTED_LISTS, type ExportedList, type FilterName } from './exported-lists.ts';
import { placeOf } from './output.ts';
import { createProgress } from './progress.ts';
import type { Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

interface Options extends Asked {
  format?: ExportFormat;
  json?: boolean;
  out?: string;
  as?: string;
}

const FORMATS = ['csv', 'xlsx', 'pdf', 'json'] as const satisfies readonly ExportFormat[];

/** A list may say an option in words of its own. */
const OPTIONS: Record<FilterName, readonly [flags: string, says: string, choices?: readonly string[]]> = {
  number: ['--number <texto>', 'parte del número'],
  supplier: ['--supplier <proveedor>', 'id o nombre exacto'],
  job: ['--job <obra>', 'id o nombre exacto'],
  rubro: ['--rubro <rubro>', 'id o nombre exacto; 0: las que no tienen'],
  invoice: ['--invoice <factura>', 'los de una factura, por su id'],
  status: ['--status <estado>', 'estado', STATUS_FILTERS],
  kind: ['--kind <tipo>', 'tipo', PAYMENT_KINDS],
  rep: ['--rep <estado>', 'con o sin su recibo de pago (REP)', RECEIPT_STATES],
  from: ['--from <fecha>', 'desde ese día, AAAA-MM-DD'],
  to: ['--to <fecha>', 'hasta ese día'],
  dueFrom: ['--due-from <fecha>', 'que vencen desde ese día'],
  dueTo: ['--due-to <fecha>', 'que vencen hasta ese día'],
  corte: ['--corte <fecha>', 'todo como era al terminar ese día'],
  week: ['--week <semana>', 'primera semana (ISO); si falta, la del corte'],
  year: ['--year <año>', 'año de la primera semana'],
  name: ['--name <texto>', 'parte del nombre'],
  fund: ['--fund <caja>', 'id o nombre exacto'],
};

export function addExportCommands(program: Command, runtime: Runtime): void {
  const exporting = program
    .command('export')
    .description('las listas como archivo, con el filtro y el orden que se pidan')
    .addHelpText('after', HELP);
  for (const list of EXPORTED_LISTS) {
    const command = exporting.command(list.name).description(list.description);
    for (const option of list.options) {
      const [flags, says, choices] = OPTIONS[option];
      const one = new Option(flags, list.says?.[option] ?? says);
      command.addOption(choices ? one.choices(choices) : one);
    }
    if (list.sorts.length > 0)
      command
        .addOption(new Option('--sort <campo>', 'orden').choices(list.sorts))
        .option('--desc', 'de mayor a menor');
    command
      .addOption(new Option('--format <formato>', 'formato').choices(FORMATS))
      .option('--json', 'como --format json')
      .option(
        '--out <archivo>',
        'escribe ahí, entero o nada; sin ella o con -, en la salida (csv si no hay --format)',
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
  const out = placeOf('--out', options.out);
  const format = formatAsked(options, 'csv');
  await requirePlace(runtime, format, out);
  await withDatabase(runtime, options, async (opened) => {
    const { makeExport } = await import('../server/services/exports/make-export.ts');
    const { db, actor, timeZone } = opened;
    const now = runtime.now();
    // Rows that run over the screen need no bar among them.
    const isShown = out === undefined && runtime.isOutputTerminal;
    const progress = createProgress({ isTerminal: runtime.isTerminal && !isShown });
    let rows = 0;
    try {
      const found = await list.read(opened, options, now);
      const total = (await found.count?.()) ?? 0;
      const counted = countRows(found, (read) => {
        rows += read;
        progress.show(rows / total, `${rows.toLocaleString('en-US')} ${found.noun[1]}`);
      });
      const make = (signal: AbortSignal) =>
        makeExport({ db, format, now, timeZone, userId: actor.userId, signal }, counted);
      const isDone = await writeExport(runtime, out, make, progress);
      progress.end();
      const many = rows || total;
      if (isDone && out !== undefined)
        runtime.log(`${out}: ${many.toLocaleString('en-US')} ${many === 1 ? found.noun[0] : found.noun[1]}`);
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
