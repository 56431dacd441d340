import { type Command, Option } from 'commander';
import type { ListExport } from '../server/formats/sheets/sheet.ts';
import { formatAsked, requirePlace, writeExport } from './export-file.ts';
import { placeOf, writeFileWhole } from './output.ts';
import type { Opened, Runtime } from './runtime.ts';
import { withDatabase } from './with-database.ts';

const FORMATS = ['table', 'csv', 'json', 'xlsx', 'pdf'] as const;
type ReportFormat = (typeof FORMATS)[number];

/** What every report is asked beside what it is about. */
export interface ReportFileOptions {
  format?: ReportFormat;
  json?: boolean;
  out?: string;
  as?: string;
}

export const addFileOptions = (command: Command): Command =>
  command
    .addOption(new Option('--format <formato>', 'formato; si falta, el de --out').choices(FORMATS))
    .option('--json', 'como --format json')
    .option('--out <archivo>', 'escribe ahí, entero o nada; sin ella o con -, en la salida')
    .option('--as <quién>', 'en nombre de qué usuario');

interface MadeReport {
  list: ListExport<unknown>;
  /** in the forms that are no file of ours: for eyes, and as JSON of its own where it has one */
  texts: Partial<Record<ReportFormat, (out: string | undefined) => string | Promise<string>>>;
  /** "12 movimientos", said of a file that was written */
  counted: string;
}

/** Where and how it is wanted is looked at before anything is read. */
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
      const { db, actor, timeZone } = opened;
      const request = { db, format, now: runtime.now(), timeZone, userId: actor.userId };
      const isDone = await writeExport(runtime, out, (signal) => makeExport({ ...request, signal }, list));
      if (!isDone || out === undefined) return;
    }
    runtime.log(`${out}: ${counted}`);
  });
}

/** --format, else --json, else as --out ends, else `fallback`. @throws DomainError malformed */
export const reportFormat = (options: ReportFileOptions, fallback: ReportFormat): ReportFormat =>
  formatAsked(options, fallback);
