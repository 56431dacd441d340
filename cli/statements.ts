import { type Command, Option } from 'commander';
import { suppliers } from '../shared/catalogs/suppliers.ts';
import type { Statement } from '../shared/statements.ts';
import { formatAsked, requirePlace, writeExport } from './export-file.ts';
import { dayOf, idOf } from './filter-options.ts';
import { placeOf, writeFileWhole } from './output.ts';
import type { Opened, Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

const FORMATS = ['table', 'csv', 'json', 'xlsx', 'pdf'] as const;

interface StatementOptions {
  supplier: string;
  from?: string;
  to?: string;
  format?: (typeof FORMATS)[number];
  json?: boolean;
  out?: string;
  as?: string;
}

/** `saldo report statement` */
export function addStatementCommand(reports: Command, runtime: Runtime): void {
  reports
    .command('statement')
    .description('el estado de cuenta de un proveedor')
    .requiredOption('--supplier <proveedor>', 'nombre exacto o id')
    .option('--from <fecha>', 'desde ese día, AAAA-MM-DD; si falta, desde el principio')
    .option('--to <fecha>', 'hasta ese día; si falta, hoy')
    .addOption(new Option('--format <formato>', 'formato; si falta, el de --out').choices(FORMATS))
    .option('--json', 'como --format json')
    .option('--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida')
    .option('--as <quién>', 'en nombre de qué usuario')
    .addHelpText(
      'after',
      '\nEjemplo:\n  $ saldo report statement --supplier "Aceros del Bajío" --from 2026-11-01 --out aceros.pdf',
    )
    .action(async (options: StatementOptions) => {
      const out = placeOf('--out', options.out);
      const format = formatAsked(options, 'table');
      await requirePlace(runtime, format, out);
      await withDatabase(runtime, options, (opened) => report(runtime, opened, { ...options, out }, format));
    });
}

async function report(
  runtime: Runtime,
  { db, actor, timeZone }: Opened,
  { supplier, from, to, out }: StatementOptions,
  format: (typeof FORMATS)[number],
): Promise<void> {
  const { statementExport } = await import('../server/services/exports/statement.ts');
  const query = {
    supplierId: await idOf(db, suppliers, supplier),
    desde: from === undefined ? undefined : await dayOf('--from', from),
    hasta: to === undefined ? undefined : await dayOf('--to', to),
  };
  const { statement, list } = await statementExport(db, query, { today: actor.today, timeZone });
  if (format === 'table' || format === 'json') {
    const text = format === 'table' ? await formatStatement(statement) : await formatJson(statement);
    if (out === undefined) return runtime.print(text);
    await writeFileWhole(out, [text]);
  } else {
    const { makeExport } = await import('../server/services/exports/make-export.ts');
    const request = { db, format, now: runtime.now(), timeZone, userId: actor.userId };
    const isDone = await writeExport(runtime, out, (signal) => makeExport({ ...request, signal }, list));
    if (!isDone || out === undefined) return;
  }
  runtime.log(`${out}: ${statement.lines.length} movimientos`);
}

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
