import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import type { ExportFile } from '../server/services/exports/make-export.ts';
import { DomainError } from '../shared/errors.ts';
import { EXPORT_FORMATS, type ExportFormat } from '../shared/urls.ts';
import { INTERRUPTED, withInterrupt } from './interrupt.ts';
import type { Runtime } from './runtime.ts';

/** Said first, so that nothing is read for a file that nobody asked for. @throws DomainError malformed */
export function requirePlace(runtime: Runtime, format: ExportFormat, out: string | undefined): void {
  if (out !== undefined || format === 'csv' || format === 'json') return;
  if (!runtime.isOutputTerminal) return;
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
): Promise<boolean> {
  return withInterrupt(async (signal) => {
    try {
      const { chunks } = make(signal);
      if (out === undefined) await print(runtime, chunks, signal);
      else await writeWhole(out, chunks, signal);
      return true;
    } catch (error) {
      if (!signal.aborted) throw error;
      runtime.log('Interrumpida: no quedó nada escrito a medias.');
      runtime.setExitCode(INTERRUPTED);
      return false;
    }
  });
}

/** As --out ends, where --format does not say it. */
export function formatOf(out: string | undefined): ExportFormat {
  const ending = /\.(\w+)$/.exec(out ?? '')?.[1]?.toLowerCase();
  return EXPORT_FORMATS.find((format) => format === ending) ?? 'csv';
}

type Chunks = ExportFile['chunks'];

async function print(runtime: Runtime, chunks: Chunks, signal: AbortSignal): Promise<void> {
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    if (!runtime.write(chunk)) return; // who read it has gone
  }
}

/** Beside its place first, then renamed into it: whoever looks meanwhile sees the former file. */
async function writeWhole(path: string, chunks: Chunks, signal: AbortSignal): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx').catch(refuse);
    try {
      for await (const chunk of chunks) {
        signal.throwIfAborted();
        await file.writeFile(chunk).catch(refuse);
      }
      await file.sync().catch(refuse);
    } finally {
      await file.close();
    }
    await rename(temporary, path).catch(refuse);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  } finally {
    await chunks.return(undefined);
  }

  function refuse(error: unknown): never {
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError('invalid', `No se pudo escribir ${path}: ${reason}`);
  }
}
