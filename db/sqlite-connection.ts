import type Database from 'better-sqlite3';
import type { CompiledQuery, DatabaseConnection, QueryResult } from 'kysely';
import { aboutFile, busyError, damagedError, goneError, isBusy } from './errors.ts';
import { BUSY_LIMIT_MS } from './sqlite-file.ts';

export interface DatabaseFile {
  name: string;
  isInPlace: () => boolean;
  /** what was found to be damaged of it */
  damage?: string;
}

/** Kysely holds one for a query or a transaction: it is the reader, or in its turn the writer. */
export class SqliteConnection implements DatabaseConnection {
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
    this.#requireUndamaged();
    await this.turn.take();
    try {
      await retryWhileBusy(() =>
        aboutFile(this.file.name, () => this.writer.database.exec('begin immediate')),
      );
      this.#inTransaction = true;
    } catch (error) {
      this.turn.giveBack();
      throw error;
    }
  }

  /** All that follows is read as it is with the first of it. */
  beginSnapshot(reader: StatementCache, turn: Turn): void {
    reader.database.exec('begin');
    this.#snapshot = { reader, turn };
  }

  async end(how: 'commit' | 'rollback') {
    if (this.#snapshot) {
      const { reader, turn } = this.#snapshot;
      this.#snapshot = undefined;
      try {
        if (reader.database.inTransaction) reader.database.exec('commit'); // nothing was written
      } finally {
        turn.giveBack();
      }
      return;
    }
    // After a failed commit Kysely asks for a rollback too; by then the turn may be another transaction's.
    if (!this.#inTransaction) return;
    const { database } = this.writer;
    try {
      // SQLite rolls back by itself after some errors (disk full); a second rollback would fail.
      if (how === 'commit' || database.inTransaction) aboutFile(this.file.name, () => database.exec(how));
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
    if (isCopy(query.sql)) return run<R>(this.reader.statement(query.sql), query.parameters);
    if (isRead(query.sql)) {
      const statement = this.reader.statement(query.sql);
      if (statement.readonly) return run<R>(statement, query.parameters);
    }
    this.#requireUndamaged();
    await this.turn.take();
    try {
      const result = await retryWhileBusy(() => run<R>(this.writer.statement(query.sql), query.parameters));
      this.#confirm();
      return result;
    } finally {
      this.turn.giveBack();
    }
  }

  #requireUndamaged(): void {
    if (this.file.damage !== undefined) throw damagedError();
  }

  /** A change of a file that nobody will open again is not stored, whatever SQLite says. */
  #confirm(): void {
    if (!this.file.isInPlace()) throw goneError();
  }

  // An open cursor would hold the connection; long lists are read in pages instead.
  // biome-ignore lint/correctness/useYield: there is nothing to yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('streaming is not offered on SQLite: read in pages');
  }
}

const isRead = (sql: string) => /^\s*(select|with|explain|pragma)\b/i.test(sql);

/** Only reads the database, and so can be taken while a migration holds the writer. */
const isCopy = (sql: string) => /^\s*vacuum\s+into\b/i.test(sql);

function run<R>(statement: Database.Statement, parameters: readonly unknown[]): QueryResult<R> {
  return aboutFile(statement.database.name, () => {
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
      if (!isBusy(error)) throw error;
      if (performance.now() > deadline) throw busyError();
      await new Promise((resolve) => setTimeout(resolve, wait * (0.5 + Math.random())));
    }
  }
}

const STATEMENTS_KEPT = 500;

/** Prepared statements by their text, the least recently used dropped. */
export class StatementCache {
  readonly #statements = new Map<string, Database.Statement>();

  readonly database: Database.Database;

  constructor(database: Database.Database) {
    this.database = database;
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
export class Turn {
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
