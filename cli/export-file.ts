import type { ExportFile } from '../server/services/exports/make-export.ts';
import { DomainError } from '../shared/errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../shared/urls.ts';
import { INTERRUPTED, withInterrupt } from './interrupt.ts';
import { requireWritable, writeFileWhole } from './output.ts';
import type { Progress } from './progress.ts';
import type { Runtime } from './runtime.ts';

/** Said first, so that nothing is read for a file that nobody gets. @throws DomainError malformed, invalid */
export async function requirePlace(
  runtime: Runtime,
  format: ExportFormat | 'table',
  out: string | undefined,
): Promise<void> {
  if (out !== undefined) return requireWritable(out);
  if (!runtime.isOutputTerminal || (format !== 'xlsx' && format !== 'pdf')) return;
  throw new DomainError(
    'malformed',
    `--out: un archivo ${format.toUpperCase()} no se muestra en la terminal; di dónde escribirlo.`,
  );
}

/**
 * Onto standard output, or into a file that is there whole or not at all.
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

/** --format, else --json, else as --out ends. @throws DomainError malformed where two of them disagree */
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

async function print(runtime: Runtime, chunks: ExportFile['chunks'], signal: AbortSignal): Promise<void> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!runtime.write(chunk)) return; // who read it has gone
  }
}
