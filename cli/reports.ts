import { type Command, Option } from 'commander';
import { balanceList, readBalanceExport } from '../server/lists/reports.ts';
import type { BalanceReport } from '../shared/balances.ts';
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
    .option('--json', 'como --format json')
    .option('--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText(
      'after',
      '\nEjemplo:\n  $ saldo report balances --corte 2026-11-20 --format xlsx --out saldos.xlsx',
    )
    .action(async (options: BalanceOptions) => {
      const out = placeOf('--out', options.out);
      const format = formatAsked(options, 'table');
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
  const { report, list } = await readBalanceExport(asked, { db, today: actor.today, timeZone, facts });
  const { out } = options;
  if (format === 'table' || format === 'json') {
    const text = format === 'table' ? await formatBalances(report) : await formatJson(report);
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

/** For a terminal: the columns by their keys, what is empty left blank. */
async function formatBalances({ corte, columns, rows, anyEstimated }: BalanceReport): Promise<string> {
  const { formatTable } = await import('./table.ts');
  const { formatMoney } = await import('../shared/money.ts');
  const names = 3;
  const table = formatTable(
    ['Proveedor', 'Obra', 'Factura', ...columns.map((column) => column.key), 'Total'],
    rows.map((row) => [
      row.isSummary && row.jobtitle ? '' : row.suppliername,
      row.jobtitle,
      row.vencimientoEstimado ? `${row.numfactura} *` : row.numfactura,
      ...columns.map(({ key }) => (row.amounts[key] ? formatMoney(row.amounts[key]) : '')),
      formatMoney(row.totalCents),
    ]),
    new Set([...columns, 'total'].map((_, index) => names + index)),
  );
  const note = anyEstimated ? '* vencimiento estimado\n' : '';
  return `Saldos por proveedor al ${corte}\n\n${table}${note}`;
}
