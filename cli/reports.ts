import { type Command, Option } from 'commander';
import { balanceList, readBalanceExport } from '../server/lists/reports.ts';
import type { BalanceReport } from '../shared/balances.ts';
import { DomainError } from '../shared/errors.ts';
import { formatAsked, requirePlace, writeExport } from './export-file.ts';
import { readAsked } from './filter-options.ts';
import { placeOf, writeFileWhole } from './output.ts';
import type { Opened, Runtime } from './runtime.ts';
import { addStatementCommand } from './statements.ts';
import { withDatabase } from './with-database.ts';

interface BalanceOptions {
  week?: string;
  year?: string;
  corte?: string;
  supplier?: string;
  job?: string;
  format?: (typeof FORMATS)[number];
  out?: string;
  long?: boolean;
  json?: boolean;
  as?: string;
}

const FORMATS = ['table', 'csv', 'json', 'xlsx', 'pdf'] as const;

export function addReportCommands(program: Command, runtime: Runtime): void {
  const reports = program
    .command('report')
    .description('los reportes')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo report balances\n  $ saldo report balances --week 47 --format xlsx --out saldos.xlsx',
    );

  reports
    .command('balances')
    .description('saldos por proveedor y semana')
    .option('--week <semana>', 'primera semana (ISO); si falta, la del corte')
    .option('--year <año>', 'año de la primera semana')
    .option('--corte <fecha>', 'saldos al final de ese día, AAAA-MM-DD; si falta, hoy')
    .option('--supplier <proveedor>', 'nombre exacto o id')
    .option('--job <obra>', 'nombre exacto o id')
    .addOption(new Option('--format <formato>', 'formato; si falta, el de --out').choices(FORMATS))
    .option('--long', 'un renglón por factura y semana, con columnas que no cambian (csv, json, xlsx)')
    .option('--json', 'como --format json')
    .option('--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo report balances --corte 2026-11-20 --format xlsx --out saldos.xlsx\n  $ saldo report balances --long --format csv > saldos.csv',
    )
    .action(async (options: BalanceOptions) => {
      const out = placeOf('--out', options.out);
      const format = formatAsked(options, options.long ? 'csv' : 'table');
      requireLong(options, format);
      await requirePlace(runtime, format, out);
      await withDatabase(runtime, options, (opened) => report(runtime, opened, { ...options, out }, format));
    });

  addStatementCommand(reports, runtime);
}

async function report(
  runtime: Runtime,
  opened: Opened,
  options: BalanceOptions,
  format: (typeof FORMATS)[number],
): Promise<void> {
  const { describeFilter } = await import('../server/lists/words.ts');
  const { db, actor, timeZone } = opened;
  const asked = await readAsked(db, balanceList, options);
  const facts = await describeFilter(db, balanceList, asked);
  const { report, ...made } = await readBalanceExport(asked, { db, today: actor.today, timeZone, facts });
  const { out, long } = options;
  const list = long ? made.long() : made.list;
  if (format === 'table' || (format === 'json' && !long)) {
    const text = format === 'table' ? await formatForEyes(runtime, report, out) : await formatJson(report);
    if (out === undefined) return runtime.print(text);
    await writeFileWhole(out, [text]);
  } else {
    const { makeExport } = await import('../server/services/exports/make-export.ts');
    const request = { db, format, now: runtime.now(), timeZone, userId: actor.userId };
    const isDone = await writeExport(runtime, out, (signal) => makeExport({ ...request, signal }, list));
    if (!isDone || out === undefined) return;
  }
  runtime.log(`${out}: ${report.invoiceCount} facturas con saldo`);
}

async function formatJson({ rows, columns }: BalanceReport): Promise<string> {
  const { balanceRecord } = await import('../shared/balances.ts');
  const records = rows.map((row) => balanceRecord(row, columns));
  return `${JSON.stringify(records, null, 2)}\n`;
}

async function formatForEyes(
  { outputWidth }: Runtime,
  report: BalanceReport,
  out: string | undefined,
): Promise<string> {
  const { formatBalances } = await import('./balances-table.ts');
  return formatBalances(report, out === undefined ? outputWidth : undefined);
}

/** @throws DomainError malformed where the long form was asked for as what people read */
function requireLong({ long }: BalanceOptions, format: string): void {
  if (!long || !['table', 'pdf'].includes(format)) return;
  throw new DomainError('malformed', `--long: es para csv, json y xlsx, no para ${format}.`);
}
