import { Option } from 'commander';
import type { ListExport } from '../server/formats/sheets/sheet.ts';
import type { ExportFile } from '../server/services/exports/make-export.ts';
import { formatCount, pluralize } from '../shared/counts.ts';
import { DomainError } from '../shared/errors.ts';
import type { Area } from '../shared/roles.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../shared/urls.ts';
import { createActingUserFlag } from './command.ts';
import { parseOutputPath, requireWritable, writeFileAtomically } from './output-file.ts';
import { EXIT_INTERRUPTED, isAbortError, runWithProgress } from './progress.ts';
import { type CommandContext, type Runtime, withDatabase } from './runtime.ts';

const REPORT_FORMATS = ['table', 'csv', 'json', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number] | 'hledger';

export interface ReportFileOptions {
  format?: ReportFormat;
  json?: boolean;
  out?: string;
  as?: string;
}

export const createReportFlags = (area?: Area) =>
  [
    new Option('--format <formato>', 'formato; si falta, el de --out').choices(REPORT_FORMATS),
    ['--json', 'como --format json'],
    ['--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida'],
    createActingUserFlag(area),
  ] as const;

interface ReportExportAndTexts {
  list: ListExport<unknown>;
  texts?: Partial<Record<ReportFormat, (out: string | undefined) => string | Promise<string>>>;
  /** Says in the message how much the file holds, such as "12 movimientos"; by default the written rows are counted. */
  countText?: string;
}

export async function writeReport(
  runtime: Runtime,
  options: ReportFileOptions & { area?: Area },
  format: ReportFormat,
  createReport: (opened: CommandContext) => Promise<ReportExportAndTexts>,
): Promise<void> {
  const out = parseOutputPath('--out', options.out);
  await requireUsableOutput(runtime, format, out);
  await withDatabase(runtime, options, async (opened) => {
    const { list, texts, countText } = await createReport(opened);
    const text = texts?.[format];
    let rows: number | undefined = 0;
    if (text) {
      const written = await text(out);
      if (out === undefined) return runtime.print(written);
      await writeFileAtomically(out, [written]);
    } else if (format !== 'table' && format !== 'hledger')
      rows = await writeExport(runtime, opened, { list, format, out });
    if (rows !== undefined && out !== undefined)
      runtime.log(`${out}: ${countText ?? pluralize(rows, ...list.noun)}`);
  });
}

/** Refuses binary output to a terminal before anything is read. @throws DomainError malformed, invalid */
async function requireUsableOutput(
  runtime: Runtime,
  format: ReportFormat,
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) return requireWritable(out);
  if (!runtime.isOutputTerminal || (format !== 'xlsx' && format !== 'pdf')) return;
  const message = `--out: un archivo ${format.toUpperCase()} no se muestra en la terminal; di dónde escribirlo.`;
  throw new DomainError('malformed', message);
}

/** @returns the number of rows; undefined where the user interrupted the export @throws DomainError invalid */
async function writeExport(
  runtime: Runtime,
  { db, timeZone }: CommandContext,
  { list, format, out }: { list: ListExport<unknown>; format: ExportFormat; out: string | undefined },
): Promise<number | undefined> {
  const { makeExport } = await import('../server/services/exports/make-export.ts');
  // A progress bar would get mixed up with rows printed on the screen.
  const isShown = out === undefined && runtime.isOutputTerminal;
  const total = (await list.count?.()) ?? 0;
  let rows = 0;
  try {
    await runWithProgress({ isTerminal: runtime.isTerminal && !isShown }, async ({ show }, signal) => {
      const countedList = countRowsWhileRead(list, (read) => {
        rows += read;
        if (total > 0) show(rows / total, `${formatCount(rows)} ${list.noun[1]}`);
      });
      const { chunks } = makeExport({ db, format, now: runtime.now(), timeZone, signal }, countedList);
      if (out === undefined) await printChunks(runtime, chunks, signal);
      else await writeFileAtomically(out, chunks, signal).finally(() => chunks.return(undefined));
    });
    return rows || total;
  } catch (error) {
    if (!isAbortError(error)) throw error;
    runtime.log('Interrumpida: no quedó nada escrito a medias.');
    runtime.setExitCode(EXIT_INTERRUPTED);
    return undefined;
  }
}

function countRowsWhileRead<Row>(list: ListExport<Row>, onRows: (count: number) => void): ListExport<Row> {
  async function* countAndYieldPages() {
    for await (const rows of list.sheet.pages) {
      yield rows;
      onRows(rows.filter((row) => list.sheet.roleOf?.(row) === undefined).length);
    }
  }
  return { ...list, sheet: { ...list.sheet, pages: countAndYieldPages() } };
}

async function printChunks(
  runtime: Runtime,
  chunks: ExportFile['chunks'],
  signal: AbortSignal,
): Promise<void> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!runtime.write(chunk)) return; // the reader has closed the pipe
  }
}

/**
 * Returns the format that --json or --format names, else that of the extension of --out.
 * @throws DomainError malformed where --json and --format disagree
 */
export function chooseFormat<Format extends string>(
  { format, json, out }: { format?: Format; json?: boolean; out?: string },
  fallback: Format,
): Format | ExportFormat {
  if (json && format !== undefined && format !== 'json')
    throw new DomainError('malformed', `--json y --format ${format} no van juntos.`);
  if (json) return 'json';
  const ending = /\.(\w+)$/.exec(out ?? '')?.[1]?.toLowerCase();
  return format ?? EXPORT_FORMATS.find((known) => known === ending) ?? fallback;
}
