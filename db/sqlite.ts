import type Database from 'better-sqlite3';
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type TransactionSettings,
} from 'kysely';
import { busyError, explainFullDisk, goneError, isBusy, isDamage } from './errors.ts';
import { HiddenRows } from './hidden-rows.ts';
import { BUSY_LIMIT_MS, openSqliteFile, watchPlace } from './sqlite-file.ts';
import { WaitingMark } from './waiting.ts';

const STATEMENTS_KEPT = 500;

/**
 * Two connections to one file. Reads outside a transaction go to a read-only one and never wait for a
 * writer (WAL); writes go one at a time to the other, and begin IMMEDIATE, so that what a transaction
 * has read is still true when it writes. Waiting for another process's write is asynchronous: the event
 * loop, and with it every reader, goes on. A transaction that only reads has a third connection, opened for the
 * first of them, since all that is read over one meanwhile is of the same moment.
 */
export function sqliteDialect(writer: Database.Database, reader: Database.Database): Dialect {
  const isInPlace = watchPlace(writer);
  const waiting = new WaitingMark(writer.name);
  return {
    createDriver: () => new TwoConnectionDriver(writer, reader, { isInPlace, waiting }),
    createAdapter: () => new TwoConnectionAdapter(isInPlace, countsVersions(reader), waiting),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/** Kysely's own adapter would let one query at a time through, transactions and their waiting included. */
export class TwoConnectionAdapter extends SqliteAdapter {
  /** whether the file that was opened is still the one of that name */
  readonly isInPlace: () => boolean;
  /** the reader's data_version: another number once anybody has written (sqlite.org/pragma.html#pragma_data_version) */
  readonly version: () => number;
  readonly waiting: WaitingMark;

  constructor(isInPlace: () => boolean, version: () => number, waiting: WaitingMark) {
    super();
    this.isInPlace = isInPlace;
    this.version = version;
    this.waiting = waiting;
  }

  override get supportsMultipleConnections() {
    return true;
  }
}

function countsVersions(reader: Database.Database): () => number {
  const pragma = reader.prepare<[], number>('pragma data_version').pluck();
  return () => pragma.get()!;
}

/** What is known of the file beside its connections. */
interface DatabaseFile {
  isInPlace: () => boolean;
  waiting: WaitingMark;
}

class TwoConnectionDriver implements Driver {
  readonly #writer: StatementCache;
  readonly #reader: StatementCache;
  readonly #turn = new Turn();
  readonly #snapshotTurn = new Turn();
  #snapshots: StatementCache | undefined;
  readonly #file: DatabaseFile;

  constructor(writer: Database.Database, reader: Database.Database, file: DatabaseFile) {
    this.#writer = new StatementCache(writer);
    this.#reader = new StatementCache(reader);
    this.#file = file;
  }

  async init() {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return new SqliteConnection(this.#writer, this.#reader, this.#turn, this.#file);
  }

  async beginTransaction(connection: DatabaseConnection, { accessMode }: TransactionSettings) {
    if (accessMode !== 'read only') return own(connection).begin();
    await this.#snapshotTurn.take();
    try {
      const { name } = this.#reader.database;
      this.#snapshots ??= new StatementCache(openSqliteFile(name, { readonly: true }));
      own(connection).beginSnapshot(this.#snapshots, this.#snapshotTurn);
    } catch (error) {
      this.#snapshotTurn.giveBack();
      throw error;
    }
  }

  async commitTransaction(connection: DatabaseConnection) {
    await own(connection).end('commit');
  }

  async rollbackTransaction(connection: DatabaseConnection) {
    await own(connection).end('rollback');
  }

  async releaseConnection() {}

  async destroy() {
    const isIdle = await this.#turn.take().then(
      () => true,
      () => false, // a transaction that will not end is rolled back by closing
    );
    if (isIdle) keepStatistics(this.#writer.database);
    this.#snapshots?.database.close();
    this.#reader.database.close();
    this.#writer.database.close();
  }
}

/**
 * The planner's statistics, refreshed from a sample where they are missing or old; never worth an error. No index
 * is to be used past its first column: with few funding sources, payments by date would be read from each of them
 * and sorted, all of them for each page (SQLite, "The sqlite_stat1 table": noskipscan).
 */
function keepStatistics(database: Database.Database): void {
  try {
    database.pragma('analysis_limit = 400');
    database.pragma('optimize');
    if (!database.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get()) return;
    const unmarked = "idx is not null and stat not like '%noskipscan%'";
    // Looked for first: a change of nothing would wait for whoever writes.
    if (database.prepare(`select 1 from sqlite_stat1 where ${unmarked}`).get())
      database.exec(`update sqlite_stat1 set stat = stat || ' noskipscan' where ${unmarked}`);
  } catch (error) {
    if (!isBusy(error) && !isDamage(error) && !String(error).includes('readonly')) throw error;
  }
}

class SqliteConnection implements DatabaseConnection {
  #inTransaction = false;
  #snapshot: { reader: StatementCache; turn: Turn } | undefined;

  readonly writer: StatementCache;
  readonly reader: StatementCache;
  readonly turn: Turn;
  readonly file: DatabaseFile;

  constructor(writer: StatementCache, reader: StatementCache, turn: Turn, file: DatabaseFile) {
    this.writer = writer;
    this.reader = reader;
    this.turn = turn;
    this.file = file;
  }

  async begin() {
    await this.turn.take();
    try {
      await this.#retryWhileBusy(() => this.writer.database.exec('begin immediate'));
      this.#inTransaction = true;
    } catch (error) {
      this.turn.giveBack();
      throw error;
    }
  }

  /** All that follows is read as it is with the first of it. */
  beginSnapshot(reader: StatementCache, turn: Turn): void {
    reader.database.exec('begin');
    try {
      reader.hidden.look();
    } catch (error) {
      reader.hidden.end(); // or it could never begin again
      throw error;
    }
    this.#snapshot = { reader, turn };
  }

  async end(how: 'commit' | 'rollback') {
    if (this.#snapshot) {
      const { reader, turn } = this.#snapshot;
      this.#snapshot = undefined;
      reader.hidden.end(); // nothing was written
      turn.giveBack();
      return;
    }
    // After a failed commit Kysely asks for a rollback too; by then the turn may be another transaction's.
    if (!this.#inTransaction) return;
    const { database } = this.writer;
    try {
      // SQLite rolls back by itself after some errors (disk full); a second rollback would fail.
      if (how === 'commit' || database.inTransaction) explainFullDisk(() => database.exec(how));
      if (how === 'commit') this.#confirm();
    } catch (error) {
      if (database.inTransaction) database.exec('rollback');
      throw error;
    } finally {
      this.#inTransaction = false;
      this.turn.giveBack();
    }
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#snapshot) return run<R>(this.#snapshot.reader.statement(query.sql), query.parameters);
    if (this.#inTransaction) {
      // Rolled back by SQLite itself: what follows must not be stored on its own.
      if (!this.writer.database.inTransaction) throw new Error('the transaction has ended');
      return run<R>(this.writer.statement(query.sql), query.parameters);
    }
    if (isCopy(query.sql))
      return this.reader.hidden.lifted(() => run<R>(this.reader.statement(query.sql), query.parameters));
    if (isRead(query.sql)) {
      const statement = this.reader.statement(query.sql);
      if (statement.readonly) return this.reader.hidden.around(() => run<R>(statement, query.parameters));
    }
    await this.turn.take();
    try {
      const result = await this.#retryWhileBusy(() =>
        run<R>(this.writer.statement(query.sql), query.parameters),
      );
      this.#confirm();
      return result;
    } finally {
      this.turn.giveBack();
    }
  }

  /** What was written to a file that nobody will open again is not stored, whatever SQLite says. */
  #confirm(): void {
    if (!this.file.isInPlace()) throw goneError();
  }

  #retryWhileBusy = <T>(attempt: () => T): Promise<T> =>
    retryWhileBusy(attempt, () => this.file.waiting.touch());

  // An open cursor would hold the connection; long lists are read in pages instead.
  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered on SQLite: read in pages');
  }
}

/** Prepared statements by their text, the least recently used dropped. */
class StatementCache {
  readonly #statements = new Map<string, Database.Statement>();

  readonly database: Database.Database;
  #hidden: HiddenRows | undefined;

  constructor(database: Database.Database) {
    this.database = database;
  }

  /** Of a connection that only reads. */
  get hidden(): HiddenRows {
    this.#hidden ??= new HiddenRows(this.database);
    return this.#hidden;
  }

  statement(sql: string): Database.Statement {
    let statement = this.#statements.get(sql);
    if (statement) this.#statements.delete(sql);
    else statement = this.database.prepare(sql);
    this.#statements.set(sql, statement);
    if (this.#statements.size > STATEMENTS_KEPT) {
      const [oldest] = this.#statements.keys();
      this.#statements.delete(oldest!);
    }
    return statement;
  }
}

/** One at a time, in the order of asking; who waits too long gives up, so that nothing can hang for ever. */
class Turn {
  #taken = false;
  readonly #waiting: Array<() => void> = [];

  async take(): Promise<void> {
    if (this.#taken) await this.#wait();
    this.#taken = true;
  }

  giveBack(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#taken = false;
  }

  #wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.splice(this.#waiting.indexOf(go), 1);
        reject(busyError());
      }, BUSY_LIMIT_MS);
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      this.#waiting.push(go);
    });
  }
}

const isRead = (sql: string) => /^\s*(select|with|explain|pragma)\b/i.test(sql);

/** Only reads the database, and so can be taken while a migration holds the writer. */
const isCopy = (sql: string) => /^\s*vacuum\s+into\b/i.test(sql);

function run<R>(statement: Database.Statement, parameters: readonly unknown[]): QueryResult<R> {
  return explainFullDisk(() => {
    if (statement.reader) return { rows: statement.all(...parameters) as R[] };
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) };
  });
}

async function retryWhileBusy<T>(attempt: () => T, onBusy: () => void): Promise<T> {
  const deadline = performance.now() + BUSY_LIMIT_MS;
  for (let wait = 1; ; wait = Math.min(wait * 2, 16)) {
    try {
      return attempt();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw busyError();
      onBusy();
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
    }
  }
}

function own(connection: DatabaseConnection): SqliteConnection {
  if (!(connection instanceof SqliteConnection)) throw new Error('a connection of another driver');
  return connection;
}
