import { realpath, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { TableKind } from '../server/formats/tables/table.ts';
import { catalogOf, catalogs } from '../shared/catalogs/all.ts';
import type { Catalog } from '../shared/catalogs/catalog.ts';
import { DomainError } from '../shared/errors.ts';
import { createActingUserFlag, declareCommand, JSON_FLAG } from './command.ts';
import { parseOutputPath, requireWritable, writeFileAtomically } from './output-file.ts';
import { EXIT_INTERRUPTED, isAbortError, type Progress, runWithProgress } from './progress.ts';
import { type CommandContext, type Runtime, withDatabase } from './runtime.ts';
import type { TableImportFlags } from './table-plan.ts';

/** Exit codes where rows were refused: 1 if nothing was stored for that reason, 3 if the other rows were stored. */
const EXIT_NOTHING_STORED = 1;
const EXIT_SOME_REFUSED = 3;

interface ImportHelpTexts {
  rows: string;
  creates: string;
  example: string;
}

const HELP_TEXTS_BY_KIND = {
  ...Object.fromEntries(catalogs.map((catalog) => [catalog.command, createCatalogHelpTexts(catalog)])),
  invoices: {
    rows: 'facturas de proveedores',
    creates: 'los proveedores, obras y rubros',
    example: 'facturas.xlsx --create-missing --on-error skip --rejects rechazadas.csv',
  },
  payments: {
    rows: 'pagos, en el orden del archivo',
    creates: 'los orígenes de recurso',
    example: 'pagos.csv --date-format dd/mm/yyyy --dry-run',
  },
  'credit-notes': {
    rows: 'notas de crédito de proveedores',
    creates: 'los proveedores',
    example: 'notas.csv --date-format dd/mm/yyyy --dry-run',
  },
  budgets: {
    rows: 'presupuestos por obra y rubro',
    creates: 'las obras y rubros',
    example: 'presupuesto.xlsx --set jobtitle="Torre Roble" --set motivo="Contrato"',
  },
  cuentas: {
    rows: 'cuentas bancarias de proveedores, por confirmar',
    creates: 'los proveedores',
    example: 'cuentas.csv --map clabe="Cuenta CLABE"',
  },
  cajas: {
    rows: 'cajas chicas, sin lo que hay en ellas',
    creates: 'las obras y los orígenes de recurso',
    example: 'cajas.csv --set responsable=ana.ruiz',
  },
  'movimientos-caja': {
    rows: 'movimientos de cajas chicas que ya están',
    creates: 'las obras, rubros y orígenes de recurso',
    example: 'movimientos.csv --set caja="Caja de obra" --dry-run',
  },
} as Record<TableKind, ImportHelpTexts>;

function createCatalogHelpTexts({ texts, fields, import: { example } }: Catalog): ImportHelpTexts {
  const references = fields.flatMap(({ ref, label }) =>
    ref ? [{ label, texts: catalogOf(ref).texts }] : [],
  );
  const { file, map, set } = example;
  const words = [file, map && `--map ${map.join('=')}`, set && `--set ${set[0]}="${set[1]}"`];
  return {
    rows: [texts.many, ...references.map(({ label }) => `, con su ${label.toLowerCase()}`)].join(''),
    creates: references
      .map(({ texts: { one, many } }) => `a ${one.startsWith('la ') ? 'las' : 'los'} ${many}`)
      .join(' y '),
    example: words.filter(Boolean).join(' '),
  };
}

export function addTableImportCommands(imports: Command, runtime: Runtime): void {
  for (const [kind, { rows: valueName, creates, example }] of Object.entries(HELP_TEXTS_BY_KIND) as [
    TableKind,
    ImportHelpTexts,
  ][]) {
    const amount = new Option('--amount <qué>', 'qué es el único importe de la tabla');
    const onError = 'con un renglón rechazado no guarda nada (stop) o guarda los demás (skip)';
    declareCommand(
      imports,
      `${kind} <archivo>`,
      `importa una tabla (CSV, texto con tabuladores o XLSX) de ${valueName}`,
      [
        ['--dry-run', 'dice qué pasaría con cada renglón, sin guardar nada'],
        createKeyValueOption('--map', 'encabezado', 'de qué columna sale un campo; se puede repetir'),
        createKeyValueOption('--set', 'valor', 'el mismo valor para todos los renglones; se puede repetir'),
        ['--sheet <hoja>', 'hoja del libro'],
        ['--date-format <formato>', 'cómo están escritas las fechas, como dd/mm/yyyy'],
        new Option('--decimal <signo>', 'signo decimal de los importes: . o ,').choices(['.', ',']),
        ...(kind === 'invoices' ? [amount.choices(['subtotal', 'total'])] : []),
        [
          '--create-missing',
          creates ? `da de alta ${creates} que falten` : 'sin efecto en esta lista, que no depende de otras',
        ],
        new Option('--on-error <qué>', onError).choices(['stop', 'skip']).default('stop'),
        new Option('--hidden <qué>', 'los renglones ocultos en la hoja entran (import) o no (skip)')
          .choices(['import', 'skip'])
          .default('import'),
        ['--rejects <archivo>', 'escribe ahí los renglones rechazados, con su motivo'],
        ['--allow-duplicates', 'guarda también los que ya están y son iguales'],
        JSON_FLAG,
        createActingUserFlag(),
      ],
      `saldo import ${kind} ${example}`,
    )
      .addHelpText('after', TABLE_IMPORT_HELP)
      .action((file: string, options: TableImportFlags) => importFile(runtime, kind, file, options));
  }
}

const TABLE_IMPORT_HELP = `
Los encabezados se reconocen por nuestros nombres y por los que se usan en español; --map y --set toman los
nombres de campo de la API. Un número en una celda de proveedor, obra, rubro u origen es un nombre o el código
de otro sistema; si son ids de Saldo, di la columna con --map supplierId=… (jobId, rubroId, origenderecursoId).
Una columna como Estado o Tipo que diga otra cosa no se lee con --set estado=Vigente o --set tipo=Factura.
Lo que ya está igual cuenta como sin cambio: repetir una importación no duplica nada.
Termina con 0; con 1 si un renglón se rechazó y no se guardó nada; con 3 si se guardaron los demás.`;

const createKeyValueOption = (option: string, valueName: string, description: string): Option =>
  new Option(`${option} <campo=${valueName}>`, description).argParser(
    (text: string, before: Record<string, string> = {}): Record<string, string> => {
      const at = text.indexOf('=');
      if (at > 0) return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
      throw new InvalidArgumentError(`${option}: se espera campo=${valueName}.`);
    },
  );

async function importFile(
  runtime: Runtime,
  kind: TableKind,
  file: string,
  options: TableImportFlags,
): Promise<void> {
  await requireUsableRejectsPath(file, options);
  await runWithProgress(runtime, (progress, signal) =>
    withDatabase(runtime, options, (opened) =>
      runImport(runtime, opened, kind, file, options, progress, signal),
    ),
  ).catch((error) => {
    if (!isAbortError(error)) throw error;
    runtime.log('Interrumpida: no se guardó nada.');
    runtime.setExitCode(EXIT_INTERRUPTED);
  });
}

async function runImport(
  runtime: Runtime,
  { db, actor }: CommandContext,
  kind: TableKind,
  file: string,
  options: TableImportFlags,
  progress: Progress,
  signal: AbortSignal,
): Promise<void> {
  const { importTable } = await import('../server/services/imports/import.ts');
  const { parseRows } = await import('../server/formats/tables/parse-rows.ts');
  const { planTable } = await import('../server/formats/tables/plan.ts');
  const { longImportWarning } = await import('../server/formats/tables/limits.ts');
  const { readTable } = await import('../server/formats/reading/read-table.ts');
  const { requireCompletePlan } = await import('./table-plan.ts');
  progress.show(0, `leyendo ${file}`);
  const { sheet, map, set, dateFormat, decimal, amount, hidden } = options;
  const readTableFile = () =>
    readTable({ path: file }, { sheet, kind, headings: Object.values(map ?? {}), hidden, signal });
  const table = await withOptionNamesInErrors(readTableFile);
  const plan = await withOptionNamesInErrors(() =>
    planTable(table, kind, { map, set, dateFormat, decimal, amount }),
  );
  requireCompletePlan(table, plan);
  const long = longImportWarning(table.rows.length);
  if (long && !options.dryRun) runtime.log(long);
  const { dryRun, createMissing, onError, allowDuplicates } = options;
  const importOptions = {
    dryRun,
    createMissing,
    onError,
    allowDuplicates,
    source: file,
    sha256: table.sha256,
  };
  const result = await importTable(
    db,
    actor,
    kind,
    // A file can be read twice, but a pipe only once.
    parseRows(table, plan, (await stat(file)).isFile() ? readTableFile : undefined),
    { ...importOptions, columns: plan.columns, set: plan.set, signal },
    (step, fraction) =>
      progress.show(
        PROGRESS_STEP_SHARES[step].from + fraction * PROGRESS_STEP_SHARES[step].share,
        PROGRESS_STEP_SHARES[step].text,
      ),
  );
  progress.end();
  const { describeTableImport, tableImportJson } = await import('./table-report.ts');
  runtime.print(
    options.json
      ? tableImportJson(file, table, result, options)
      : describeTableImport(file, table, plan, result, options),
  );
  if (result.refused.length === 0) return;
  runtime.setExitCode(onError === 'skip' ? EXIT_SOME_REFUSED : EXIT_NOTHING_STORED);
  if (options.rejects) {
    const { writeCsv } = await import('../server/formats/sheets/csv.ts');
    const { createRejectsSheet } = await import('../server/formats/tables/rejects.ts');
    await writeFileAtomically(options.rejects, [await writeCsv(createRejectsSheet(table, result.refused))]);
  }
}

const PROGRESS_STEP_SHARES = {
  revisar: { from: 0.2, share: 0.2, text: 'comparando con lo que ya hay' },
  guardar: { from: 0.4, share: 0.6, text: 'guardando' },
};

/** The refused rows must neither get lost nor overwrite the input file. @throws DomainError malformed, invalid */
async function requireUsableRejectsPath(file: string, { rejects }: TableImportFlags): Promise<void> {
  if (rejects === undefined) return;
  const path = parseOutputPath('--rejects', rejects);
  if (path === undefined) throw new DomainError('malformed', '--rejects: se espera el nombre de un archivo.');
  const resolveRealPath = (one: string) => realpath(one).catch(() => resolve(one));
  if ((await resolveRealPath(path)) === (await resolveRealPath(file)))
    throw new DomainError('malformed', '--rejects: es el archivo que se importa; usa otro nombre.');
  await requireWritable(path);
}

/** An option that is missing, or that names something that does not exist, is wrong usage (exit code 2). */
async function withOptionNamesInErrors<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || !OPTION_ERROR_CODES.has(error.code)) throw error;
    const { message, code, remedy, fields = {} } = error;
    const { PLAN_OPTIONS } = await import('./table-plan.ts');
    const [option] = Object.keys(fields) as (keyof typeof PLAN_OPTIONS)[];
    const text = option ? `${PLAN_OPTIONS[option]}: ${lowerFirst(message)}` : message;
    throw new DomainError('malformed', text, { code, remedy });
  }
}

const lowerFirst = (sentence: string): string => sentence.charAt(0).toLowerCase() + sentence.slice(1);

const OPTION_ERROR_CODES = new Set([
  'ambiguous_sheet',
  'unknown_sheet',
  'unknown_field',
  'unknown_column',
  'bad_date_format',
  'contradictory_amount',
]);
