import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { sql } from 'kysely';
import { DomainError } from '../../shared/errors.ts';
import { busyError, errorCodeOf, isBusyError, isDamageError, withFileInErrors } from '../errors.ts';
import { findSchemaFaults } from '../expected-schema.ts';
import { findDamage } from '../integrity.ts';
import { migrateInTransaction, migrations } from '../migrate.ts';
import { type DialectName, openDatabase, openForReading, runAndClose } from '../open.ts';
import type { Db } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { clearExcludedTables, syncFile, syncFolder } from './copy.ts';
import { fillDatabase, getMigrationsOfCopy } from './portable-filling.ts';
import { damagedBackupError, recognizeBackup, verifyPortable, withPortable } from './portable-reading.ts';
import { type ReportProgress, scaleProgress } from './progress.ts';

export interface RestoreTask {
  source: string;
  /** the folder for the previous database: the data folder's `backups/` */
  backupFolder: string;
  /** the file name of the previous database in `backupFolder`, without extension */
  previousFileName: string;
  /** If this throws, the restore changes nothing. On PostgreSQL, `db` is the restore's transaction. */
  finish(db: Db, report: ReportProgress): Promise<void>;
  report: ReportProgress;
}

export interface RestoreResult {
  dialect: DialectName;
  /** the file with the previous database; null where there was none */
  kept: string | null;
  migrations: string[];
}

const BUILD_FOLDER_PREFIX = '.restaurar-';

/**
 * Builds, migrates and checks a new file next to the old one. Once the new file is on disk, it replaces the old file
 * atomically, so that one of the two exists at every moment. Meanwhile no other process can open the database.
 * @throws DomainError conflict (another process has the database open; the backup is of a later version), invalid
 */
export async function restoreSqlite(file: string, task: RestoreTask): Promise<RestoreResult> {
  const folder = dirname(file);
  requireOtherFile(file, task.source);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const lock = existsSync(file) ? withFileInErrors(file, () => acquireLock(file)) : undefined;
  try {
    for (const name of readdirSync(folder)) // removes what a killed restore has left
      if (name.startsWith(BUILD_FOLDER_PREFIX)) rmSync(join(folder, name), { recursive: true, force: true });
    const place = mkdtempSync(join(folder, BUILD_FOLDER_PREFIX));
    try {
      const built = join(place, 'saldo.db');
      const ran = await buildDatabaseFile(built, task);
      const kept = join(task.backupFolder, `${task.previousFileName}.db`);
      const hadDatabase = replaceFile(file, lock, { built, kept });
      rmSync(`${file}-trail`, { force: true }); // this mark tells the length of the previous database's audit trail
      return { dialect: 'sqlite', kept: hadDatabase ? kept : null, migrations: ran };
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  } finally {
    lock?.close(); // a process that waited for the lock now opens the new file
  }
}

/** Refuses the database itself as a backup: closing a second handle of the locked file would release the lock. */
function requireOtherFile(file: string, source: string): void {
  if (!existsSync(file) || statSync(file).ino !== statSync(source).ino) return;
  throw new DomainError('conflict', `${source} es la base de datos misma.`);
}

/** @returns the names of the migrations that the backup lacked */
export async function buildDatabaseFile(
  target: string,
  { source, finish, report }: Omit<RestoreTask, 'backupFolder' | 'previousFileName'>,
): Promise<string[]> {
  const fill = recognizeBackup(source) === 'sqlite' ? copyBackup : fillFromPortable;
  await fill(source, target, scaleProgress(report, 0, 0.6));
  const database = openDatabase(`file:${target}`, { root: '/', createIfMissing: false });
  const ran = await runAndClose(database, async ({ db }) => {
    const names = await inTransaction(db, (trx) => migrateInTransaction(trx, migrations));
    await finish(db, scaleProgress(report, 0.6, 1));
    return names;
  });
  clearExcludedTables(target);
  syncFile(target);
  return ran;
}

async function copyBackup(source: string, built: string, report: ReportProgress): Promise<void> {
  report(0, 'copia');
  copyFileSync(source, built);
  chmodSync(built, 0o600);
  // If the database was copied while in use, its latest changes are only in the write-ahead log.
  if (existsSync(`${source}-wal`)) copyFileSync(`${source}-wal`, `${built}-wal`);
  try {
    clearExcludedTables(built);
    report(0.3, 'integridad');
    await runAndClose(openForReading(built), async ({ db }) => {
      const [damage] = await findDamage(db);
      if (damage) throw damagedBackupError(damage.problem);
      await requireSaldoSchema(db);
    });
  } catch (error) {
    if (isDamageError(error)) throw damagedBackupError('la base de datos no se puede leer');
    throw error;
  }
}

/** Refuses a copy with another schema, such as one without the triggers that protect the audit trail. */
async function requireSaldoSchema(db: Db): Promise<void> {
  const { rows } = await sql`select 1 from sqlite_master where name = 'schema_migrations'`.execute(db);
  if (rows.length === 0) throw damagedBackupError('no es una base de datos de Saldo');
  const [other] = await findSchemaFaults(db);
  if (other) throw damagedBackupError(other.problem);
}

const fillFromPortable = (source: string, built: string, report: ReportProgress): Promise<void> =>
  withPortable(source, async (portable) => {
    const list = getMigrationsOfCopy(portable.manifest);
    await verifyPortable(portable, scaleProgress(report, 0, 0.3));
    const database = openDatabase(`file:${built}`, { root: '/', createIfMissing: true });
    await runAndClose(database, ({ db }) =>
      inTransaction(db, async (trx) => {
        await migrateInTransaction(trx, list);
        await fillDatabase(trx, portable, scaleProgress(report, 0.3, 1));
      }),
    );
  });

type RestoreLock = Database.Database | undefined;

const JOURNAL_SUFFIXES = ['-wal', '-shm', '-journal'];
const PREVIOUS_SUFFIX = '.anterior';

/** The previous file gets the name `kept`. @returns whether there was one */
function replaceFile(
  file: string,
  lock: RestoreLock,
  { built, kept }: { built: string; kept: string },
): boolean {
  const folder = dirname(kept);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  finishInterruptedRestore(folder);
  const exists = existsSync(file);
  if (exists) linkOrCopy(`${kept}${PREVIOUS_SUFFIX}`, file, lock);
  if (!lock) moveJournals(file, kept);
  renameSync(built, file);
  syncFolder(dirname(file));
  if (exists) renameSync(`${kept}${PREVIOUS_SUFFIX}`, kept);
  syncFolder(folder);
  return exists;
}

function linkOrCopy(name: string, file: string, lock: RestoreLock): void {
  try {
    linkSync(file, name);
    return;
  } catch (error) {
    if (!LINK_UNSUPPORTED_CODES.includes(errorCodeOf(error))) throw error;
  }
  if (lock) lock.prepare('VACUUM INTO ?').run(name);
  else copyFileSync(file, name); // not while the lock is held: closing this handle of the file would release it
  chmodSync(name, 0o600);
  syncFile(name);
}

const LINK_UNSUPPORTED_CODES = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV'];

/** Moves the journals of an unreadable or missing database next to `kept`, since they would corrupt the new one. */
function moveJournals(file: string, target: string): void {
  for (const ending of JOURNAL_SUFFIXES) {
    if (!existsSync(file + ending)) continue;
    copyFileSync(file + ending, target + ending);
    rmSync(file + ending);
  }
}

/**
 * Acquires a lock, which fails while any other process has the file open: with a write-ahead log, each process holds a
 * shared lock as long as its connection is open. Afterwards the log's content is in the file.
 * @returns undefined where the file is not a valid database, so that nobody can be using it
 * @throws DomainError conflict where another process has the database open
 */
function acquireLock(file: string): RestoreLock {
  const database = new Database(file, { timeout: 0 });
  try {
    database.pragma('journal_mode = DELETE'); // merges and deletes the log; fails unless this is the only connection
    database.pragma('locking_mode = EXCLUSIVE'); // must follow the line above, or its journal would stay
    database.exec('BEGIN EXCLUSIVE; COMMIT'); // in this mode the lock is kept
    if (database.pragma('journal_mode', { simple: true }) !== 'delete') throw busyError();
    return database;
  } catch (error) {
    database.close();
    if (isDamageError(error)) return undefined;
    if (!isBusyError(error) && !(error instanceof DomainError)) throw error;
    const message = `Otro proceso tiene abierta la base de datos ${file}: detén el servidor y vuelve a intentar.`;
    throw new DomainError('conflict', message, { code: 'database_in_use' });
  }
}

/** After a killed restore, removes a second link to the database in use, or gives the previous one its final name. */
function finishInterruptedRestore(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith(PREVIOUS_SUFFIX))) {
    const path = join(folder, name);
    if (statSync(path).nlink > 1) rmSync(path);
    else renameSync(path, join(folder, basename(name, PREVIOUS_SUFFIX)));
  }
}
