import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A file that only its owner reads and that has its name once it is whole and on disk, in the place of a
 * former attempt's. `write` fills the file that it is given the name of, which exists and is empty.
 */
export async function writeWhole(target: string, write: (partial: string) => Promise<void>): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    await write(partial);
    const written = openSync(partial, 'r+');
    fsyncSync(written);
    closeSync(written);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** A new name is on disk once its folder is. Windows has no such thing, and keeps names by itself. */
export function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const opened = openSync(folder, 'r');
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
