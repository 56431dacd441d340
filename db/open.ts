import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  type Stats,
  statSync,
} from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { Kysely, PostgresAdapter, sql } from 'kysely';
import { DomainError } from '../shared/errors.ts';
import { fileErrorReason } from './explain-errors.ts';
import { postgresDialect } from './postgres.ts';
import type { Schema } from './schema.ts';
import { databaseFileOf, sqliteDialect } from './sqlite.ts';
import { openSqliteFile } from './sqlite-file.ts';

export type DialectName = 'sqlite' | 'postgres';

export interface OpenDatabase {
  db: Kysely<Schema>;
  dialect: DialectName;
  file?: string;
  close(): Promise<void>;
}

/**
 * Opens `file:PATH` (relative to `root`) or `postgres://…`, the latter with at most `connections`.
 * @throws DomainError invalid (not such an address), not-found (no such file, and `createIfMissing` is false), conflict
 * `database_missing` (the folder has traces of a lost database), `other_database` (it has another database)
 */
export function openDatabase(
  url: string,
  { root, createIfMissing, connections }: { root: string; createIfMissing: boolean; connections?: number },
): OpenDatabase {
  if (/^postgres(ql)?:\/\//.test(url)) {
    const { dialect } = postgresDialect(url, undefined, connections);
    const db = new Kysely<Schema>({ dialect });
    return { db, dialect: 'postgres', close: () => db.destroy() };
  }
  const file = resolveSqlitePath(url, root);
  const found = statDatabaseFile(file);
  if (found && !found.isFile()) throw new DomainError('invalid', `DATABASE_URL: ${file} no es un archivo.`);
  if (!found) {
    if (!createIfMissing)
      throw new DomainError('not-found', `No hay base de datos en ${file}.`, { remedy: 'migrate' });
    createDatabaseFile(file);
  }
  return toOpenSqliteDatabase(openSqliteFile(file), openSqliteFile(file, { readonly: true }));
}

function toOpenSqliteDatabase(writer: Database, reader: Database): OpenDatabase {
  const db = new Kysely<Schema>({ dialect: sqliteDialect(writer, reader) });
  const closeDatabase = async () => {
    await db.destroy();
    // Kysely does not close a driver that was never used.
    reader.close();
    writer.close();
  };
  return { db, dialect: 'sqlite', file: writer.name, close: closeDatabase };
}

export async function runAndClose<T>(
  database: OpenDatabase,
  work: (database: OpenDatabase) => Promise<T>,
): Promise<T> {
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

function statDatabaseFile(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    throw new DomainError('invalid', `No se pudo abrir la base de datos ${file}: ${fileErrorReason(error)}.`);
  }
}

/** A file and a folder that exist only where a database is, or once was. */
const NAMES_BESIDE_DATABASE = ['secret', 'backups'];

const isFileOrFilledFolder = (path: string): boolean =>
  statSync(path).isDirectory() ? readdirSync(path).length > 0 : true;

/** Creates one folder at a time: Node's recursive mkdir never ends below a folder that accepts none, such as /proc. */
function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

function createDatabaseFile(file: string): void {
  const trace = NAMES_BESIDE_DATABASE.find(
    (name) => existsSync(join(dirname(file), name)) && isFileOrFilledFolder(join(dirname(file), name)),
  );
  const other = trace && findSqliteFileInFolder(dirname(file));
  if (other) {
    const message = `No se creó ${file}: en su carpeta está otra base de datos, ${other}, con su clave y sus respaldos. Dale a esta una carpeta propia.`;
    throw new DomainError('conflict', message, { code: 'other_database' });
  }
  if (trace) {
    const message = `No se creó ${file}: en su carpeta hay «${trace}», de una base de datos que ya no está. Para empezar de cero, quítalo de ahí; si se perdió, hay que recuperarla.`;
    throw new DomainError('conflict', message, { code: 'database_missing', remedy: 'restore-backup' });
  }
  try {
    createFolder(dirname(file));
    // SQLite gives its journal files the mode of the database file.
    closeSync(openSync(file, 'a', 0o600));
  } catch (error) {
    throw new DomainError('invalid', `No se pudo crear la base de datos ${file}: ${fileErrorReason(error)}.`);
  }
}

/**
 * Opens a backup without changing a byte of its file, which is possible because a backup is not in WAL mode. A database
 * in use is opened as usual, since a read-only connection would leave SQLite's auxiliary files behind.
 */
export function openForInspection(
  url: string,
  options: { root: string; createIfMissing: false },
): OpenDatabase {
  const file = url.startsWith('file:') && resolveSqlitePath(url, options.root);
  return file && isSqliteBackup(file) ? openForReading(file) : openDatabase(url, options);
}

const findSqliteFileInFolder = (folder: string): string | undefined =>
  readdirSync(folder).find((name) => readSqliteHeader(join(folder, name)) !== undefined);

/** A backup is in the mode with a rollback journal, not WAL: bytes 18 and 19 of SQLite's header are 1. */
function isSqliteBackup(file: string): boolean {
  const header = readSqliteHeader(file);
  return header?.[18] === 1 && header[19] === 1;
}

function readSqliteHeader(file: string): Buffer | undefined {
  if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const header = Buffer.alloc(20);
  const opened = openSync(file, 'r');
  readSync(opened, header);
  closeSync(opened);
  return header.toString('latin1', 0, 16) === 'SQLite format 3\0' ? header : undefined;
}

/** Opens a database file that nobody writes to, such as a backup. It creates no files and changes nothing. */
export function openForReading(file: string): OpenDatabase {
  const reader = openSqliteFile(file, { readonly: true });
  return toOpenSqliteDatabase(reader, reader);
}

export function resolveSqlitePath(url: string, root: string): string {
  const path = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1];
  if (!path) throw new DomainError('invalid', 'DATABASE_URL: se espera file:RUTA o postgres://…');
  return isAbsolute(path) ? path : join(root, path);
}

/** Whether the open database file is still the one at its path, as far as this can be seen without a query. */
export const isFileInPlace = (db: Kysely<Schema>): boolean => databaseFileOf(db)?.isInPlace() ?? true;

export const databasePathOf = (db: Kysely<Schema>): string | undefined => databaseFileOf(db)?.name;

/**
 * Returns a text that changes when this or another process writes to the database. On SQLite this is data_version. On
 * PostgreSQL it is the snapshot of a query (while that is equal, no writing transaction has ended) and the server's
 * start time, which distinguishes a promoted standby from its predecessor.
 */
export async function readDataVersion(db: Kysely<Schema>): Promise<string> {
  const file = databaseFileOf(db);
  if (file) return String(file.dataVersion());
  const { rows } = await sql<{ version: string }>`
    select concat(pg_current_snapshot(), ' ', pg_postmaster_start_time()) as version`.execute(db);
  return rows[0]!.version;
}

export function dialectOf(db: Kysely<Schema>): DialectName {
  return db.getExecutor().adapter instanceof PostgresAdapter ? 'postgres' : 'sqlite';
}
