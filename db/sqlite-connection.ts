import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { Limiter } from '../shared/limiter.ts';
import {
  busyError,
  databaseDamagedError,
  databaseMissingError,
  isBusyError,
  withFileInErrors,
} from './errors.ts';
import { BUSY_LIMIT_MS, createInPlaceCheck, openSqliteFile } from './sqlite-file.ts';

/** A wait that is too long fails, so that nothing hangs for ever. */
const createWriterQueue = () =>
  new Limiter({
    concurrent: 1,
    waiting: Number.POSITIVE_INFINITY,
    seconds: BUSY_LIMIT_MS / 1000,
    refusal: busyError().message,
    retryAfter: 5,
  });

export class DatabaseFile {
  readonly name: string;
  readonly writer: StatementCache;
  readonly reader: StatementCache;
  readonly writeQueue = createWriterQueue();
  readonly snapshotQueue = createWriterQueue();
  readonly isInPlace: () => boolean;
  /** the reader's data_version, which changes after every write (sqlite.org/pragma.html#pragma_data_version) */
  readonly dataVersion: () => number;
  damageText?: string;
  #snapshots: StatementCache | undefined;

  constructor(writer: Database.Database, reader: Database.Database) {
    this.name = writer.name;
    this.writer = cacheStatements(writer);
    this.reader = cacheStatements(reader);
    this.isInPlace = createInPlaceCheck(writer);
    const version = reader.prepare<[], number>('pragma data_version').pluck();
    this.dataVersion = () => version.get()!;
  }

  get snapshotReader(): StatementCache {
    this.#snapshots ??= cacheStatements(openSqliteFile(this.name, { readonly: true }));
    return this.#snapshots;
  }

  requireUndamaged(): void {
    if (this.damageText !== undefined) throw databaseDamagedError();
  }

  /** Called after each write: a write to a file that was replaced meanwhile is lost, though SQLite reports success. */
  requireInPlace(): void {
    if (!this.isInPlace()) throw databaseMissingError();
  }

  close(): void {
    for (const one of [this.#snapshots, this.reader, this.writer]) one?.database.close();
  }
}

/** Kysely acquires one object for each query or transaction. Reads share the reader; writes use the writer in turn. */
export class SqliteConnection implements DatabaseConnection {
  readonly #file: DatabaseFile;
  #transaction: { statements: StatementCache; isSnapshot: boolean; release: () => void } | undefined;

  constructor(file: DatabaseFile) {
    this.#file = file;
  }

  /** @param isSnapshot the transaction only reads, and sees everything as of its first read */
  async beginTransaction(isSnapshot: boolean) {
    const file = this.#file;
    if (!isSnapshot) file.requireUndamaged();
    const release = await (isSnapshot ? file.snapshotQueue : file.writeQueue).acquire();
    try {
      const statements = isSnapshot ? file.snapshotReader : file.writer;
      const begin = isSnapshot ? 'begin' : 'begin immediate';
      await retryWhileBusy(() => withFileInErrors(file.name, () => statements.database.exec(begin)));
      this.#transaction = { statements, isSnapshot, release };
    } catch (error) {
      release();
      throw error;
    }
  }

  async endTransaction(action: 'commit' | 'rollback') {
    // After a failed commit Kysely also requests a rollback; by then another transaction may use the writer.
    if (!this.#transaction) return;
    const { statements, isSnapshot, release } = this.#transaction;
    const { database } = statements;
    const isStored = action === 'commit' && !isSnapshot;
    this.#transaction = undefined;
    try {
      // SQLite rolls back by itself after some errors (disk full); a second rollback would fail.
      if (isStored || database.inTransaction) withFileInErrors(this.#file.name, () => database.exec(action));
      if (isStored) this.#file.requireInPlace();
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      throw error;
    } finally {
      release();
    }
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { reader, writer, writeQueue } = this.#file;
    if (this.#transaction) {
      const { statements } = this.#transaction;
      // SQLite has rolled the transaction back by itself. Later queries of the transaction must not run outside of it.
      if (!statements.database.inTransaction) throw new Error('the transaction has ended');
      return runStatement<R>(statements.statement(sql), parameters);
    }
    if (isReadSql(sql)) {
      const statement = reader.statement(sql);
      if (statement.readonly || isCopySql(sql)) return runStatement<R>(statement, parameters);
    }
    this.#file.requireUndamaged();
    return writeQueue.run(async () => {
      const result = await retryWhileBusy(() => runStatement<R>(writer.statement(sql), parameters));
      this.#file.requireInPlace();
      return result;
    });
  }

  // An open cursor would occupy the connection; long lists are read in pages instead.
  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered on SQLite: read in pages');
  }
}

const isReadSql = (sql: string) => /^\s*(select|with|explain|pragma|vacuum\s+into)\b/i.test(sql);

/** A copy (VACUUM INTO) only reads the database, so it can be made while a migration occupies the writer. */
const isCopySql = (sql: string) => /^\s*vacuum\b/i.test(sql);

function runStatement<R>(statement: Database.Statement, parameters: readonly unknown[]): QueryResult<R> {
  return withFileInErrors(statement.database.name, () => {
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  });
}

async function retryWhileBusy<T>(attempt: () => T): Promise<T> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 16)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusyError(error)) throw error;
      if (performance.now() > deadline) throw busyError();
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
    }
  }
}

const MAX_CACHED_STATEMENTS = 500;

function cacheStatements(database: Database.Database): StatementCache {
  const statements = new Map<string, Database.Statement>();
  const statement = (sql: string) => {
    const found = statements.get(sql) ?? database.prepare(sql);
    statements.delete(sql);
    statements.set(sql, found);
    if (statements.size > MAX_CACHED_STATEMENTS) statements.delete(statements.keys().next().value!);
    return found;
  };
  return { database, statement };
}

interface StatementCache {
  database: Database.Database;
  statement(sql: string): Database.Statement;
}
