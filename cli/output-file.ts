import { constants } from 'node:fs';
import { access, chmod, open, realpath, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileErrorReason } from '../db/explain-errors.ts';
import { DomainError } from '../shared/errors.ts';

type Chunks = AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>;

/** @returns undefined for standard output, also where the path is "-" @throws DomainError malformed */
export function parseOutputPath(option: string, path: string | undefined): string | undefined {
  if (path?.trim() === '') throw new DomainError('malformed', `${option}: falta el nombre del archivo.`);
  return path === '-' ? undefined : path;
}

/** @throws DomainError invalid */
export async function requireWritable(path: string): Promise<void> {
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory()) throw new DomainError('invalid', `${path} es una carpeta, no un archivo.`);
  if (found && !found.isFile()) return;
  const folder = dirname(found ? await realpath(path) : path);
  await access(folder, constants.W_OK).catch((error: unknown) => {
    throw new DomainError(
      'invalid',
      `No se pudo escribir ${path} en la carpeta ${folder}: ${fileErrorReason(error)}.`,
    );
  });
}

/**
 * Writes a temporary file in the same folder and renames it to `path`, so that no incomplete file has that name. The
 * permissions of an existing file are kept. A path that is no file (a pipe, /dev/null) is written to directly.
 * @throws DomainError invalid; the signal's reason
 */
export async function writeFileAtomically(path: string, chunks: Chunks, signal?: AbortSignal): Promise<void> {
  const existing = await stat(path).catch(() => undefined);
  if (existing && !existing.isFile() && !existing.isDirectory())
    return writeChunks(path, path, 'w', chunks, signal);
  // A symbolic link stays, and its target is replaced.
  const target = existing ? await realpath(path) : path;
  const temporary = `${target}.${crypto.randomUUID().slice(0, 8)}.tmp`;
  try {
    await writeChunks(temporary, path, 'wx', chunks, signal);
    if (existing) await chmod(temporary, existing.mode & 0o777);
    await rename(temporary, target).catch((error) => throwWriteError(path, error));
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

async function writeChunks(
  path: string,
  shownPath: string,
  flags: 'w' | 'wx',
  chunks: Chunks,
  signal: AbortSignal | undefined,
): Promise<void> {
  const file = await open(path, flags).catch((error) => throwWriteError(shownPath, error));
  try {
    for await (const chunk of chunks) {
      signal?.throwIfAborted();
      await file.writeFile(chunk).catch((error) => throwWriteError(shownPath, error));
    }
    if (flags === 'wx') await file.sync().catch((error) => throwWriteError(shownPath, error));
  } finally {
    await file.close();
  }
}

function throwWriteError(path: string, error: unknown): never {
  throw new DomainError('invalid', `No se pudo escribir ${path}: ${fileErrorReason(error)}.`);
}
