import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import type { Db } from './schema.ts';

/** What opens doors or is of no use later: it stays out of copies. */
const LEFT_OUT = ['sessions', 'signin_attempts', 'idempotency_keys'];

/**
 * A copy of a SQLite database as one file that only its owner reads. It gets its name when it is whole and on
 * disk, in the place of a former attempt's; sessions, sign-in attempts and stored answers are not in it.
 */
export async function copyDatabase(db: Db, target: string): Promise<void> {
  mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
  const partial = `${target}.partial`;
  rmSync(partial, { force: true });
  closeSync(openSync(partial, 'wx', 0o600));
  await sql`VACUUM INTO ${partial}`.execute(db);
  forgetDoors(partial);
  const written = openSync(partial, 'r+');
  fsyncSync(written);
  closeSync(written);
  renameSync(partial, target);
}

function forgetDoors(file: string): void {
  const copy = new Database(file);
  try {
    copy.pragma('secure_delete = ON'); // or the rows would stay readable in the file's free pages
    copy.pragma('journal_mode = MEMORY');
    const names = copy.prepare("select name from sqlite_master where type = 'table'").pluck().all();
    for (const table of LEFT_OUT) if (names.includes(table)) copy.exec(`DELETE FROM ${table}`);
  } finally {
    copy.close();
  }
}
