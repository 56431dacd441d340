import { randomBytes } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { DomainError } from '../shared/errors.ts';

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
    const reason = error instanceof Error ? error.message : String(error);
    throw new DomainError('invalid', `No se pudo escribir ${path}: ${reason}`);
  }
}
