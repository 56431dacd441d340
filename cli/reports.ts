import type { Command } from 'commander';
import type { BalanceReport } from '../shared/balances.ts';
import type { Catalog } from '../shared/catalogs/catalog.ts';
import type { Opened, Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

interface BalanceOptions {
  week?: string;
  year?: string;
  corte?: string;
  supplier?: string;
  job?: string;
  format: string;
  out?: string;
  json?: boolean;
  as?: string;
}

const FORMATS = ['table', 'csv', 'json'];

export function addReportCommands(program: Command, runtime: Runtime): void {
  const report = program.command('report').description('los reportes');

  report
    .command('balances')
    .description('saldos por proveedor y semana')
    .option('--week <semana>', 'primera semana (ISO); si falta, la del corte')
    .option('--year <año>', 'año de la primera semana')
    .option('--corte <fecha>', 'saldos al final de ese día, AAAA-MM-DD; si falta, hoy')
    .option('--supplier <proveedor>', 'nombre exacto o id')
    .option('--job <obra>', 'nombre exacto o id')
    .option('--format <formato>', FORMATS.join(', '), 'table')
    .option('--json', 'como --format json')
    .option('--out <archivo>', 'escribe ahí en lugar de mostrarlo')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText(
      'after',
      '\nEjemplo:\n  $ saldo report balances --corte 2026-11-20 --format csv --out saldos.csv',
    )
    .action(async (options: BalanceOptions) => {
      const format = options.json ? 'json' : options.format;
      if (!FORMATS.includes(format)) {
        const { DomainError } = await import('../shared/errors.ts');
        throw new DomainError('malformed', `--format: se espera ${FORMATS.join(', ')}.`);
      }
      const balances = await withDatabase(runtime, options, (opened) => readReport(opened, options));
      const text = await formatReport(balances, format);
      if (!options.out) return runtime.print(text);
      const { writeFileWhole } = await import('./output.ts');
      await writeFileWhole(options.out, text);
      runtime.log(`${options.out}: ${balances.invoiceCount} facturas con saldo`);
    });
}

async function readReport({ db, actor, timeZone }: Opened, options: BalanceOptions): Promise<BalanceReport> {
  const { readBalances } = await import('../server/services/balances.ts');
  const { findRow } = await import('../server/services/catalog-reading.ts');
  const { catalogOf } = await import('../shared/catalogs/all.ts');
  const { parsePlainDate } = await import('../shared/dates.ts');
  const idOf = async (catalog: Catalog, who: string | undefined) =>
    who === undefined ? undefined : (await findRow(db, catalog, who)).id;
  const query = {
    corte: options.corte === undefined ? undefined : parsePlainDate(options.corte, '--corte'),
    week: await wholeNumber('--week', options.week),
    year: await wholeNumber('--year', options.year),
    supplierId: await idOf(catalogOf('suppliers'), options.supplier),
    jobId: await idOf(catalogOf('jobs'), options.job),
  };
  return readBalances(db, query, { today: actor.today, timeZone });
}

async function wholeNumber(name: string, text: string | undefined): Promise<number | undefined> {
  if (text === undefined) return undefined;
  if (/^\d{1,4}$/.test(text.trim())) return Number(text);
  const { DomainError } = await import('../shared/errors.ts');
  throw new DomainError('malformed', `${name}: no es un número.`);
}

async function formatReport(report: BalanceReport, format: string): Promise<string> {
  if (format === 'table') return formatBalances(report);
  if (format === 'csv') {
    const { writeCsv } = await import('../server/services/csv.ts');
    const { balancesSheet } = await import('../server/services/balances-sheet.ts');
    return writeCsv(balancesSheet(report));
  }
  const { balanceRecord } = await import('../shared/balances.ts');
  return `${JSON.stringify(
    report.rows.map((row) => balanceRecord(row, report.columns)),
    null,
    2,
  )}\n`;
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
