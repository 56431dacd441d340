import {
  chmodSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { DomainError } from '../../shared/errors.ts';
import { aboutFile, busyError, codeOf, isBusy, isDamage } from '../errors.ts';
import { syncFolder } from './copy.ts';

/** A database file that no other process can open meanwhile, or the place where none is yet. */
interface LockedFile {
  /**
   * Puts a finished file in its place, at one stroke; the former one gets the name `kept`.
   * @returns whether there was a former one
   */
  replaceWith(built: string, kept: string): boolean;
  /** lets go; whoever waited finds what is there by now */
  release(): void;
}

const JOURNALS = ['-wal', '-shm', '-journal'];
/** What the former file is called between being kept and being replaced. */
const ABOUT_TO_GO = '.anterior';

/**
 * Takes the lock that no process with the file open leaves free: with a write-ahead log each of them holds a
 * shared one as long as it lives. What was in the log is in the file afterwards.
 * @throws DomainError conflict where another process has the database open
 */
export function lockFile(file: string): LockedFile {
  const lock = existsSync(file) ? aboutFile(file, () => takeLock(file)) : undefined;
  return {
    replaceWith(built, kept) {
      const folder = dirname(kept);
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      finishFormer(folder);
      const exists = existsSync(file);
      if (exists) keepUnder(`${kept}${ABOUT_TO_GO}`);
      if (!lock) setJournalsAside(file, kept);
      renameSync(built, file);
      syncFolder(dirname(file));
      if (exists) renameSync(`${kept}${ABOUT_TO_GO}`, kept);
      syncFolder(folder);
      return exists;
    },
    release: () => lock?.close(),
  };

  /** A second name for the same file; where the disk has no such thing, or it is another disk, a copy. */
  function keepUnder(name: string): void {
    try {
      linkSync(file, name);
      return;
    } catch (error) {
      if (!NO_LINKS.includes(codeOf(error))) throw error;
    }
    if (lock) lock.prepare('VACUUM INTO ?').run(name);
    else copyFileSync(file, name); // with the lock held, opening the file here would lose it
    chmodSync(name, 0o600);
    const copy = openSync(name, 'r+');
    fsyncSync(copy);
    closeSync(copy);
  }
}

const NO_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'];

/** Of a file that cannot be read, or is not there: to the new one they would be poison. */
function setJournalsAside(file: string, kept: string): void {
  for (const ending of JOURNALS) {
    if (!existsSync(file + ending)) continue;
    copyFileSync(file + ending, kept + ending);
    rmSync(file + ending);
  }
}

/** Undefined where it is no database any more: nobody can work with it either. */
function takeLock(file: string): Database.Database | undefined {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE'); // leaves no log; needs to be alone
    database.pragma('locking_mode = EXCLUSIVE'); // only now, or the journal of the former line would stay
    database.exec('BEGIN EXCLUSIVE; COMMIT'); // in this mode the lock stays
    if (database.pragma('journal_mode', { simple: true }) !== 'delete') throw busyError();
    return database;
  } catch (error) {
    database.close();
    if (isDamage(error)) return undefined;
    if (!isBusy(error) && !(error instanceof DomainError)) throw error;
    const message = `Otro proceso tiene abierta la base de datos ${file}: detén el servidor y vuelve a intentar.`;
    throw new DomainError('conflict', message, { code: 'database_in_use' });
  }
}

/** What a restore that was killed left: one name too many for the file in use, or a former file without its name. */
function finishFormer(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(ABOUT_TO_GO))) {
    const path = join(folder, name);
    if (statSync(path).nlink > 1) rmSync(path);
    else renameSync(path, join(folder, basename(name, ABOUT_TO_GO)));
  }
}
