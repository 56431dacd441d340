import { Option } from 'commander';
import type { ListExport } from '../server/formats/sheets/sheet.ts';
import type { ExportFile } from '../server/services/exports/make-export.ts';
import { DomainError } from '../shared/errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../shared/urls.ts';
import { AS_FLAG } from './command.ts';
import { placeOf, requireWritable, writeFileWhole } from './output.ts';
import { INTERRUPTED, type Progress, withInterrupt } from './progress.ts';
import { type Opened, type Runtime, withDatabase } from './runtime.ts';

const REPORT_FORMATS = ['table', 'csv', 'json', 'xlsx', 'pdf'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

export interface ReportFileOptions {
  format?: ReportFormat;
  json?: boolean;
  out?: string;
  as?: string;
}

export const REPORT_FLAGS = [
  new Option('--format <formato>', 'formato; si falta, el de --out').choices(REPORT_FORMATS),
  ['--json', 'como --format json'],
  ['--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida'],
  AS_FLAG,
] as const;

interface MadeReport {
  list: ListExport<unknown>;
  /** forms that are no exported file: a table for eyes, and JSON of its own where it has one */
  texts: Partial<Record<ReportFormat, (out: string | undefined) => string | Promise<string>>>;
  /** "12 movimientos", said of a file that was written */
  counted: string;
}

/** Checks format and place before anything is read. */
export async function writeReport(
  runtime: Runtime,
  options: ReportFileOptions,
  format: ReportFormat,
  make: (opened: Opened) => Promise<MadeReport>,
): Promise<void> {
  const out = placeOf('--out', options.out);
  await requirePlace(runtime, format, out);
  await withDatabase(runtime, options, async (opened) => {
    const { list, texts, counted } = await make(opened);
    const text = texts[format];
    if (text) {
      const written = await text(out);
      if (out === undefined) return runtime.print(written);
      await writeFileWhole(out, [written]);
    } else if (format !== 'table') {
      const { makeExport } = await import('../server/services/exports/make-export.ts');
      const { db, timeZone } = opened;
      const request = { db, format, now: runtime.now(), timeZone };
      const isDone = await writeExport(runtime, out, (signal) => makeExport({ ...request, signal }, list));
      if (!isDone || out === undefined) return;
    }
    runtime.log(`${out}: ${counted}`);
  });
}

/** Refuses what nobody could get before anything is read. @throws DomainError malformed, invalid */
export async function requirePlace(
  runtime: Runtime,
  format: ReportFormat,
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) return requireWritable(out);
  if (!runtime.isOutputTerminal || (format !== 'xlsx' && format !== 'pdf')) return;
  const message = `--out: un archivo ${format.toUpperCase()} no se muestra en la terminal; di dónde escribirlo.`;
  throw new DomainError('malformed', message);
}

/**
 * Writes to standard output, or into a file that is there whole or not at all.
 * @returns whether it came to its end
 * @throws DomainError invalid
 */
export async function writeExport(
  runtime: Runtime,
  out: string | undefined,
  make: (signal: AbortSignal) => ExportFile,
  progress?: Progress,
): Promise<boolean> {
  return withInterrupt(async (signal) => {
    try {
      const { chunks } = make(signal);
      if (out === undefined) await print(runtime, chunks, signal);
      else await writeFileWhole(out, chunks, signal).finally(() => chunks.return(undefined));
      return true;
    } catch (error) {
      progress?.end();
      if (!signal.aborted) throw error;
      runtime.log('Interrumpida: no quedó nada escrito a medias.');
      runtime.setExitCode(INTERRUPTED);
      return false;
    }
  });
}

async function print(runtime: Runtime, chunks: ExportFile['chunks'], signal: AbortSignal): Promise<void> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!runtime.write(chunk)) return; // who read it has gone
  }
}

/** Takes --format, else --json, else the ending of --out. @throws DomainError malformed where two of them disagree */
export function formatAsked<Format extends string>(
  { format, json, out }: { format?: Format; json?: boolean; out?: string },
  fallback: Format,
): Format | ExportFormat {
  if (json && format !== undefined && format !== 'json')
    throw new DomainError('malformed', `--json y --format ${format} no van juntos.`);
  if (json) return 'json';
  const ending = /\.(\w+)$/.exec(out ?? '')?.[1]?.toLowerCase();
  return format ?? EXPORT_FORMATS.find((known) => known === ending) ?? fallback;
}
