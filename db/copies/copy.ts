import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { withFileInErrors } from '../errors.ts';
import type { Db } from '../schema.ts';

/** Tables that copies leave out, because somebody could sign in with their rows, or because the rows are temporary. */
export const EXCLUDED_TABLES: readonly string[] = [
  'sessions',
  'verifications',
  'signin_attempts',
  'trusted_devices',
  'idempotency_keys',
  'uploads',
  'cfdi_loads',
  'deleted_files',
];

export const isCopiedTable = ({ name }: { name: string }): boolean => !EXCLUDED_TABLES.includes(name);

/** Only the file's owner can read the copy. @param verify throws where the copy must not get its final name */
export async function copySqliteDatabase(
  db: Db,
  target: string,
  verify: (copy: string) => Promise<void> = async () => {},
): Promise<void> {
  await writeAtomically(target, async (partial) => {
    await sql`VACUUM INTO ${partial}`.execute(db);
    clearExcludedTables(partial);
    await verify(partial);
  });
}

export const clearExcludedTables = (file: string): void =>
  withFileInErrors(file, () => {
    const copy = new Database(file);
    try {
      copy.pragma('secure_delete = ON'); // otherwise the rows would stay readable in the file's free pages
      copy.pragma('journal_mode = MEMORY');
      const names = copy.prepare("select name from sqlite_master where type = 'table'").pluck().all();
      for (const table of EXCLUDED_TABLES) if (names.includes(table)) copy.exec(`DELETE FROM ${table}`);
    } finally {
      copy.close();
    }
  });

/** `write` fills an empty file that only its owner can read. Once that file is on disk, it is renamed to `target`. */
export async function writeAtomically(
  target: string,
  write: (partial: string) => Promise<void>,
): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  try {
    await write(partial);
    syncFile(partial);
    renameSync(partial, target);
    syncFolder(dirname(target));
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}

/** A new name is on disk once its folder is synced. Windows cannot sync folders, and writes names by itself. */
export function syncFolder(folder: string): void {
  if (process.platform !== 'win32') syncFile(folder, 'r');
}

export function syncFile(path: string, flags = 'r+'): void {
  const opened = openSync(path, flags);
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
