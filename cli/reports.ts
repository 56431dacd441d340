import type { Command } from 'commander';
import type { ListExport } from '../server/formats/sheets/sheet.ts';
import { balanceList, cashFlowList, readBalanceExport } from '../server/lists/reports.ts';
import type { BalanceReport } from '../server/services/balances/balances.ts';
import type { SupplierStatement } from '../server/services/statements/supplier-statement.ts';
import { AGING_BANDS } from '../shared/aging.ts';
import { toBalanceRecords } from '../shared/balances.ts';
import { suppliers } from '../shared/catalogs/suppliers.ts';
import { pluralize } from '../shared/counts.ts';
import { parsePlainDate } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { formatMoney } from '../shared/money.ts';
import { addExamples, createRequiredOption, declareCommand, formatJson, formatTable } from './command.ts';
import {
  chooseFormat,
  createReportFlags,
  type ReportFileOptions,
  type ReportFormat,
  writeReport,
} from './export-file.ts';
import { createListOptions, getRowId, readListOptions } from './filter-options.ts';
import type { Runtime } from './runtime.ts';

interface BalanceOptions extends ReportFileOptions {
  long?: boolean;
}

interface SupplierStatementOptions extends ReportFileOptions {
  supplier: string;
  from?: string;
  to?: string;
}

export function addReportCommands(reports: Command, runtime: Runtime): void {
  addExamples(
    reports,
    'saldo report balances',
    'saldo report balances --week 47 --format xlsx --out saldos.xlsx',
  );

  declareCommand(
    reports,
    'balances',
    'saldos por proveedor y semana',
    [
      ...createListOptions(balanceList),
      ['--long', 'un renglón por factura y semana, con columnas que no cambian (csv, json, xlsx)'],
      ...createReportFlags(),
    ],
    'saldo report balances --corte 2026-11-20 --format xlsx --out saldos.xlsx',
    'saldo report balances --long --format csv > saldos.csv',
  ).action((options: BalanceOptions) => reportBalances(runtime, options));

  declareCommand(
    reports,
    'statement',
    'el estado de cuenta de un proveedor',
    [
      createRequiredOption('--supplier <proveedor>', 'nombre exacto o id'),
      ['--from <fecha>', 'desde ese día, AAAA-MM-DD; si falta, desde el principio'],
      ['--to <fecha>', 'hasta ese día; si falta, hoy'],
      ...createReportFlags(),
    ],
    'saldo report statement --supplier "Aceros del Bajío" --from 2026-11-01 --out aceros.pdf',
  ).action((options: SupplierStatementOptions) => reportSupplierStatement(runtime, options));

  declareCommand(
    reports,
    'flujo',
    'lo que sale del banco por semana, y hasta dónde alcanza',
    [...createListOptions(cashFlowList), ...createReportFlags(cashFlowList.area)],
    'saldo report flujo --mover 12:2026-12-11 --sin 7',
  ).action((options: ReportFileOptions) => reportCashFlow(runtime, options));
}

const reportCashFlow = (runtime: Runtime, options: ReportFileOptions): Promise<void> =>
  writeReport(
    runtime,
    { ...options, area: cashFlowList.area },
    chooseFormat(options, 'table'),
    async ({ db, actor }) => {
      const { readCashFlow } = await import('../server/services/balances/cash-flow.ts');
      const { cashFlowExport, describeFlow } = await import('../server/services/exports/cash-flow.ts');
      const { cashFlowAnswer } = await import('../server/shapes/cash-flow.ts');
      const flow = await readCashFlow(db, await readListOptions(db, cashFlowList, options), actor.today);
      const { title, noun } = cashFlowList;
      const rows = flow.columns.map(({ column, ...sums }) => [
        column.key,
        ...[sums.venceCents, sums.programadoCents, sums.fechadoCents, sums.quedaCents].map(formatMoney),
      ]);
      const headings = ['Semana', 'Vence', 'Programado', 'Fechado', 'Queda'];
      const texts = {
        table: () =>
          `${formatTable(headings, rows, new Set([1, 2, 3, 4]))}\n${describeFlow(flow).join('\n')}\n`,
        json: () => formatJson(cashFlowAnswer.toJson(flow)),
      };
      const list = { title, noun, filters: [], file: title, ...cashFlowExport(flow) };
      return { list: list as ListExport<unknown>, texts, countText: `${flow.columns.length} semanas` };
    },
  );

async function reportBalances(runtime: Runtime, options: BalanceOptions): Promise<void> {
  const { long } = options;
  const format: ReportFormat = chooseFormat(options, long ? 'csv' : 'table');
  if (long && (format === 'table' || format === 'pdf'))
    throw new DomainError('malformed', `--long: es para csv, json y xlsx, no para ${format}.`);
  await writeReport(runtime, options, format, async ({ db, actor, timeZone }) => {
    const { describeFilters } = await import('../server/lists/describe-filters.ts');
    const query = await readListOptions(db, balanceList, options);
    const facts = await describeFilters(db, balanceList, query);
    const { report, ...exported } = await readBalanceExport(query, {
      db,
      today: actor.today,
      timeZone,
      appliedFilters: facts,
    });
    const formatTableText = async (out: string | undefined) => {
      const { formatBalances } = await import('./balances-table.ts');
      return formatBalances(report, out === undefined ? runtime.outputWidth : undefined);
    };
    return {
      list: long ? exported.long() : exported.list,
      texts: { table: formatTableText, json: long ? undefined : () => formatBalancesJson(report) },
      countText: pluralize(report.invoiceCount, 'factura con saldo', 'facturas con saldo'),
    };
  });
}

const formatBalancesJson = ({ rows, columns }: BalanceReport): string =>
  formatJson(toBalanceRecords(rows, columns));

const reportSupplierStatement = (
  runtime: Runtime,
  { supplier, from, to, ...options }: SupplierStatementOptions,
): Promise<void> =>
  writeReport(runtime, options, chooseFormat(options, 'table'), async ({ db, actor, timeZone }) => {
    const { statementExport } = await import('../server/services/exports/supplier-statement.ts');
    const { supplierStatementAnswer } = await import('../server/shapes/statements.ts');
    const query = {
      supplierId: await getRowId(db, suppliers, supplier),
      desde: from === undefined ? undefined : parsePlainDate(from, '--from'),
      hasta: to === undefined ? undefined : parsePlainDate(to, '--to'),
    };
    const { statement, list } = await statementExport(db, query, { today: actor.today, timeZone });
    const texts = {
      table: () => formatSupplierStatement(statement),
      json: () => formatJson(supplierStatementAnswer.toJson(statement)),
    };
    return { list, texts, countText: pluralize(statement.lines.length, 'movimiento', 'movimientos') };
  });

async function formatSupplierStatement(statement: SupplierStatement): Promise<string> {
  const { STATEMENT_LINE_KIND_LABELS } = await import('../server/services/statements/supplier-statement.ts');
  const { supplier, from, to, openingCents, lines, closingCents, aging, unappliedCents } = statement;
  const movements = formatTable(
    ['Fecha', 'Movimiento', 'Factura', 'Obra', 'Cargo', 'Abono', 'Saldo'],
    [
      [from ?? '', 'Saldo anterior', '', '', '', '', formatMoney(openingCents)],
      ...lines.map(({ date, kind, reference, numfactura, jobtitle, ...line }) => [
        date,
        `${STATEMENT_LINE_KIND_LABELS[kind]} ${line.exchangeCents === null ? reference : formatMoney(line.exchangeCents)}`.trim(),
        numfactura,
        jobtitle,
        kind === 'factura' ? formatMoney(line.chargeCents) : '',
        kind === 'factura' || kind === 'diferencia' ? '' : formatMoney(line.creditCents),
        formatMoney(line.balanceCents),
      ]),
      [to, 'Saldo', '', '', '', '', formatMoney(closingCents)],
    ],
    new Set([4, 5, 6]),
  );
  const ages = formatTable(
    AGING_BANDS.map(({ label }) => label),
    [AGING_BANDS.map(({ cents }) => formatMoney(aging[cents]))],
    new Set(AGING_BANDS.keys()),
  );
  const credit = unappliedCents > 0 ? `\nA favor, sin aplicar: ${formatMoney(unappliedCents)}\n` : '';
  return `Estado de cuenta de ${supplier.suppliername}\n\n${movements}\n${ages}${credit}`;
}
