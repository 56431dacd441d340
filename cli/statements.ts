import type { Command } from 'commander';
import { suppliers } from '../shared/catalogs/suppliers.ts';
import type { Statement } from '../shared/statements.ts';
import { dayOf, idOf } from './filter-options.ts';
import { addFileOptions, type ReportFileOptions, reportFormat, writeReport } from './report-file.ts';
import type { Runtime } from './runtime.ts';

interface StatementOptions extends ReportFileOptions {
  supplier: string;
  from?: string;
  to?: string;
}

/** `saldo report statement` */
export function addStatementCommand(reports: Command, runtime: Runtime): void {
  const command = reports
    .command('statement')
    .description('el estado de cuenta de un proveedor')
    .requiredOption('--supplier <proveedor>', 'nombre exacto o id')
    .option('--from <fecha>', 'desde ese día, AAAA-MM-DD; si falta, desde el principio')
    .option('--to <fecha>', 'hasta ese día; si falta, hoy');
  addFileOptions(command)
    .addHelpText(
      'after',
      '\nEjemplo:\n  $ saldo report statement --supplier "Aceros del Bajío" --from 2026-11-01 --out aceros.pdf',
    )
    .action((options: StatementOptions) => report(runtime, options));
}

const report = (runtime: Runtime, { supplier, from, to, ...options }: StatementOptions): Promise<void> =>
  writeReport(runtime, options, reportFormat(options, 'table'), async ({ db, actor, timeZone }) => {
    const { statementExport } = await import('../server/services/exports/statement.ts');
    const query = {
      supplierId: await idOf(db, suppliers, supplier),
      desde: from === undefined ? undefined : await dayOf('--from', from),
      hasta: to === undefined ? undefined : await dayOf('--to', to),
    };
    const { statement, list } = await statementExport(db, query, { today: actor.today, timeZone });
    const texts = { table: () => formatStatement(statement), json: () => formatJson(statement) };
    return { list, texts, counted: `${statement.lines.length} movimientos` };
  });

async function formatJson(statement: Statement): Promise<string> {
  const { statementRecord } = await import('../shared/statements.ts');
  return `${JSON.stringify(statementRecord(statement), null, 2)}\n`;
}

async function formatStatement(statement: Statement): Promise<string> {
  const { formatTable } = await import('./table.ts');
  const { formatMoney } = await import('../shared/money.ts');
  const { AGING_BANDS, STATEMENT_KIND_LABELS } = await import('../shared/statements.ts');
  const { supplier, from, to, openingCents, lines, closingCents, aging, unappliedCents } = statement;
  const movements = formatTable(
    ['Fecha', 'Movimiento', 'Factura', 'Obra', 'Cargo', 'Abono', 'Saldo'],
    [
      [from ?? '', 'Saldo anterior', '', '', '', '', formatMoney(openingCents)],
      ...lines.map(({ date, kind, reference, numfactura, jobtitle, ...line }) => [
        date,
        `${STATEMENT_KIND_LABELS[kind]} ${reference}`.trim(),
        numfactura,
        jobtitle,
        kind === 'factura' ? formatMoney(line.chargeCents) : '',
        kind === 'factura' ? '' : formatMoney(line.creditCents),
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
