import type { Command } from 'commander';
import { balanceList, readBalanceExport } from '../server/lists/reports.ts';
import type { BalanceReport } from '../shared/balances.ts';
import { DomainError } from '../shared/errors.ts';
import { readAsked } from './filter-options.ts';
import { addFileOptions, type ReportFileOptions, reportFormat, writeReport } from './report-file.ts';
import type { Runtime } from './runtime.ts';
import { addStatementCommand } from './statements.ts';

interface BalanceOptions extends ReportFileOptions {
  week?: string;
  year?: string;
  corte?: string;
  supplier?: string;
  job?: string;
  long?: boolean;
}

export function addReportCommands(program: Command, runtime: Runtime): void {
  const reports = program
    .command('report')
    .description('los reportes')
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo report balances\n  $ saldo report balances --week 47 --format xlsx --out saldos.xlsx',
    );

  const balances = reports
    .command('balances')
    .description('saldos por proveedor y semana')
    .option('--week <semana>', 'primera semana (ISO); si falta, la del corte')
    .option('--year <año>', 'año de la primera semana')
    .option('--corte <fecha>', 'saldos al final de ese día, AAAA-MM-DD; si falta, hoy')
    .option('--supplier <proveedor>', 'nombre exacto o id')
    .option('--job <obra>', 'nombre exacto o id')
    .option('--long', 'un renglón por factura y semana, con columnas que no cambian (csv, json, xlsx)');
  addFileOptions(balances)
    .addHelpText(
      'after',
      '\nEjemplos:\n  $ saldo report balances --corte 2026-11-20 --format xlsx --out saldos.xlsx\n  $ saldo report balances --long --format csv > saldos.csv',
    )
    .action((options: BalanceOptions) => reportBalances(runtime, options));

  addStatementCommand(reports, runtime);
}

async function reportBalances(runtime: Runtime, options: BalanceOptions): Promise<void> {
  const { long } = options;
  const format = reportFormat(options, long ? 'csv' : 'table');
  requireLong(options, format);
  await writeReport(runtime, options, format, async ({ db, actor, timeZone }) => {
    const { describeFilter } = await import('../server/lists/words.ts');
    const asked = await readAsked(db, balanceList, options);
    const facts = await describeFilter(db, balanceList, asked);
    const { report, ...made } = await readBalanceExport(asked, { db, today: actor.today, timeZone, facts });
    return {
      list: long ? made.long() : made.list,
      texts: {
        table: (out) => formatForEyes(runtime, report, out),
        json: long ? undefined : () => formatJson(report),
      },
      counted: `${report.invoiceCount} facturas con saldo`,
    };
  });
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
