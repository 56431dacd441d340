import type { Command } from 'commander';
import type { CfdiImportResult, CfdiOutcome } from '../server/services/documents/outcomes.ts';
import { fundingSources } from '../shared/catalogs/funding-sources.ts';
import { jobs } from '../shared/catalogs/jobs.ts';
import { rubros } from '../shared/catalogs/rubros.ts';
import { parsePlainDate } from '../shared/dates.ts';
import {
  groupRemarksByKind,
  MAX_UNGROUPED_REMARKS,
  type Remark,
  remarkKindKey,
  summarizeRemarkGroup,
} from '../shared/remarks.ts';
import {
  addExamples,
  createActingUserFlag,
  createRequiredOption,
  declareCommand,
  formatJson,
  formatTable,
  JSON_FLAG,
  replaceControlCharacters,
  truncate,
} from './command.ts';
import { getRowId } from './filter-options.ts';
import { EXIT_INTERRUPTED, runWithProgress } from './progress.ts';
import { describeRemark } from './remedies.ts';
import { type Runtime, withDatabase } from './runtime.ts';
import { addTableImportCommands } from './table-imports.ts';

interface CfdiImportFlags {
  job: string;
  rubro?: string;
  createSuppliers?: boolean;
  received?: string;
  allowMismatch?: boolean;
  origen?: string;
  replace?: boolean;
  dryRun?: boolean;
  json?: boolean;
  as?: string;
}

const EXIT_SOME_REFUSED = 3;

export function addImportCommands(imports: Command, runtime: Runtime): void {
  addExamples(
    imports,
    'saldo import cfdi facturas.zip --job "Torre Norte" --dry-run',
    'saldo import suppliers proveedores.csv --dry-run',
  );
  declareCommand(
    imports,
    'cfdi <rutas...>',
    'importa CFDI 3.2, 3.3 y 4.0: facturas, notas de crédito y recibos de pago; archivos XML, carpetas y zips',
    [
      createRequiredOption('--job <obra>', 'obra de las facturas: su id o su nombre exacto'),
      ['--rubro <rubro>', 'rubro de las facturas: su id o su nombre exacto'],
      ['--create-suppliers', 'da de alta a los proveedores que falten; sin ella sus CFDI se rechazan'],
      ['--received <fecha>', 'fecha de recepción (AAAA-MM-DD); sin ella queda vacía'],
      ['--allow-mismatch', 'acepta los CFDI cuyo total no cuadra con sus partes'],
      ['--origen <origen>', 'origen de los pagos que solo dicen los recibos; sin él no se capturan'],
      ['--replace', 'un CFDI que sustituye a otro (relación 04) toma su lugar también donde hay pagos'],
      ['--dry-run', 'dice qué pasaría con cada archivo, sin guardar nada'],
      JSON_FLAG,
      createActingUserFlag(),
    ],
    'saldo import cfdi facturas/2026-11 --job "Torre Norte" --create-suppliers',
    'saldo import cfdi noviembre.zip factura.xml --job 7 --rubro Materiales --received 2026-11-20',
    'saldo import cfdi facturas --job 7 --dry-run --json',
    'saldo import cfdi noviembre.zip --job 7 --origen "Banco 1234" --replace',
  )
    .addHelpText('after', CFDI_HELP)
    .action((paths: string[], options: CfdiImportFlags) => importCfdiFiles(runtime, paths, options));
  addTableImportCommands(imports, runtime);
}

const CFDI_HELP = `
Una nota de crédito se aplica a la factura que nombra; lo que sobra queda como saldo a favor del proveedor. Un recibo
de pago se liga a los pagos ya capturados. Una factura capturada a mano se liga a su CFDI en lugar de duplicarse.
Un CFDI ya importado (mismo UUID) cuenta como sin cambio: repetir una importación no duplica nada.
Termina con 0; con 3 si algún archivo se rechazó; con 1 si una ruta no existe.`;

async function importCfdiFiles(runtime: Runtime, paths: string[], options: CfdiImportFlags): Promise<void> {
  const received = options.received === undefined ? null : parsePlainDate(options.received, '--received');
  const result = await withDatabase(runtime, options, async ({ db, actor }) => {
    const { importCfdi } = await import('../server/services/documents/import.ts');
    const { readCfdiFiles } = await import('../server/formats/cfdi/find-files.ts');
    const { job, rubro, origen, createSuppliers, allowMismatch, replace, dryRun } = options;
    const jobId = await getRowId(db, jobs, job);
    const rubroId = rubro === undefined ? null : await getRowId(db, rubros, rubro);
    const fundingSourceId = origen === undefined ? null : await getRowId(db, fundingSources, origen);
    const chosen = { jobId, rubroId, fundingSourceId, fecharecepcion: received };
    const flags = { createSuppliers, allowMismatch, replace, dryRun, source: formatPaths(paths) };
    let fraction = 0;
    const files = readCfdiFiles(paths, (read, found) => {
      fraction = read / found;
    });
    return runWithProgress(runtime, ({ show }, signal) =>
      importCfdi(db, actor, files, { ...chosen, ...flags, signal }, (count, name) =>
        show(fraction, `${count}  ${replaceControlCharacters(name)}`),
      ),
    );
  });
  runtime.print(options.json ? cfdiImportJson(result) : describeImport(result, options));
  if (result.interrupted) {
    runtime.log('Interrumpida: lo que se cuenta quedó completo; al repetirla saldrá como sin cambio.');
    runtime.setExitCode(EXIT_INTERRUPTED);
  } else if (result.refused > 0) runtime.setExitCode(EXIT_SOME_REFUSED);
}

function cfdiImportJson({
  files,
  created,
  unchanged,
  warned,
  refused,
  linked,
  kinds,
}: CfdiImportResult): string {
  const said = files.map(({ refused: _rule, ...file }) => ({
    ...file,
    ...(file.reason && { reason: describeRemark(file.reason) }),
    ...(file.warnings && { warnings: file.warnings.map(describeRemark) }),
  }));
  return formatJson({ files: said, created, unchanged, warned, refused, linked, kinds });
}

function describeImport(result: CfdiImportResult, { dryRun }: CfdiImportFlags): string {
  const lines = describeOutcomes(result.files.filter(({ outcome }) => outcome !== 'created'));
  const rows = [
    [dryRun ? 'Se importarían' : 'Importados', result.created],
    ['— facturas', result.kinds.invoices],
    ['— notas de crédito', result.kinds.creditNotes],
    ['— recibos de pago', result.kinds.receipts],
    [dryRun ? 'Se ligarían a lo que ya está' : 'Ligados a lo que ya estaba', result.linked],
    ['Con aviso', result.warned],
    ['Sin cambio', result.unchanged],
    ['Rechazados', result.refused],
    [dryRun ? 'Proveedores por dar de alta' : 'Proveedores dados de alta', result.suppliersCreated],
  ];
  const table = formatTable(
    ['Resultado', 'Cuántos'],
    rows.map((row) => row.map(String)),
    new Set([1]),
  );
  const note = dryRun ? ['Simulación: no se guardó nada.'] : [];
  return `${[...lines, ...(lines.length > 0 ? [''] : []), ...note].map((line) => `${line}\n`).join('')}${table}`;
}

const CFDI_OUTCOME_LABELS: Record<CfdiOutcome['outcome'], string> = {
  created: 'importado',
  warned: 'con aviso',
  unchanged: 'sin cambio',
  refused: 'rechazado',
};

function describeOutcomes(files: readonly CfdiOutcome[]): string[] {
  const merged: string[] = [];
  const folded = new Set<string>();
  for (const [outcome, label] of Object.entries(CFDI_OUTCOME_LABELS)) {
    const matching = files.filter((file) => file.outcome === outcome);
    const said = matching.flatMap((outcomeFile) =>
      listRemarksOrBlank(outcomeFile).map((one) => [outcomeFile.file, one] as const),
    );
    for (const [kind, all] of groupRemarksByKind(said)) {
      if (all.names.length <= MAX_UNGROUPED_REMARKS) continue;
      folded.add(`${outcome} ${kind}`);
      merged.push(
        replaceControlCharacters(
          `${label.padEnd(10)}  ${summarizeRemarkGroup(all, 'archivos', describeRemark)}`,
        ),
      );
    }
  }
  const single = files.flatMap((outcomeFile) => {
    const ownRemarks = listRemarksOrBlank(outcomeFile).filter(
      (one) => !folded.has(`${outcomeFile.outcome} ${remarkKindKey(one)}`),
    );
    return ownRemarks.length > 0 ? [describeOutcome(outcomeFile, ownRemarks)] : [];
  });
  return [...single, ...merged];
}

/** Returns one empty text for a file without remarks, such as a stored one, so that all such files form one group. */
const listRemarksOrBlank = ({ reason, warnings = [] }: CfdiOutcome): Remark[] =>
  reason || warnings.length > 0 ? [...(reason ? [reason] : []), ...warnings] : [''];

function describeOutcome(outcomeFile: CfdiOutcome, remarks: readonly Remark[]): string {
  const { file, outcome, invoiceId, creditNoteId, receiptId } = outcomeFile;
  const [noun, id] = (
    [
      ['factura', invoiceId],
      ['nota de crédito', creditNoteId],
      ['recibo de pago', receiptId],
    ] as const
  ).find(([, given]) => given !== undefined) ?? ['', undefined];
  const invoice = id === undefined ? '' : ` (${noun} ${id})`;
  const said = remarks.map(describeRemark).join(' ');
  return replaceControlCharacters(
    `${CFDI_OUTCOME_LABELS[outcome].padEnd(10)}  ${file}${invoice}${said && `: ${said}`}`,
  );
}

const formatPaths = (paths: string[]): string => truncate(replaceControlCharacters(paths.join(', ')), 300);
