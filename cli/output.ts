import { randomBytes } from 'node:crypto';
import { access, constants, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DomainError } from '../shared/errors.ts';

/** Said before anything is done, not after it. @throws DomainError where no file can be put there */
export async function requireWritable(path: string): Promise<void> {
  const isFolder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  try {
    if (isFolder) throw new Error('es una carpeta');
    await access(dirname(path), constants.W_OK);
  } catch (error) {
    throw notWritten(path, error);
  }
}

const notWritten = (path: string, error: unknown): DomainError => {
  const reason = error instanceof Error ? error.message : String(error);
  return new DomainError('invalid', `No se pudo escribir ${path}: ${reason}`);
};

/** Writes a file whole or not at all: beside its place first, then renamed into it. */
export async function writeFileWhole(path: string, content: string | Uint8Array): Promise<void> {
  const temporary = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx');
    try {
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw notWritten(path, error);
  }
}
