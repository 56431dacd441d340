import type Database from 'better-sqlite3';
import {
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely';
import { DomainError } from '../shared/errors.ts';
import { isBusyError, isDamageError } from './errors.ts';
import type { Schema } from './schema.ts';
import { DatabaseFile, SqliteConnection } from './sqlite-connection.ts';

/**
 * Reads outside of a transaction use a read-only connection and never wait for a writer (WAL). Writes use the other
 * connection, one at a time, and begin IMMEDIATE, so that what a transaction has read is still true when it writes.
 * Waiting for another process is asynchronous, so that readers continue. Read-only transactions use a third connection,
 * over which everything is read as of one moment.
 */
export function sqliteDialect(writer: Database.Database, reader: Database.Database): Dialect {
  const file = new DatabaseFile(writer, reader);
  return {
    createDriver: () => createDriver(file),
    createAdapter: () => new TwoConnectionAdapter(file),
    createQueryCompiler: () => new PlanOnceQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  };
}

/**
 * SQLite would plan a statement anew for each value of a parameter that it compares, which takes longer than most
 * statements run. The unary plus, which changes no value, keeps its planner from looking at the value.
 */
class PlanOnceQueryCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder = () => '+?';
}

/** Kysely's own adapter would run one query at a time, including transactions and their waiting. */
class TwoConnectionAdapter extends SqliteAdapter {
  readonly file: DatabaseFile;

  constructor(file: DatabaseFile) {
    super();
    this.file = file;
  }

  override get supportsMultipleConnections() {
    return true;
  }
}

/** @returns undefined on PostgreSQL */
export function databaseFileOf(db: Kysely<Schema>): DatabaseFile | undefined {
  const { adapter } = db.getExecutor();
  return adapter instanceof TwoConnectionAdapter ? adapter.file : undefined;
}

const createDriver = (file: DatabaseFile): Driver => ({
  init: async () => {},
  acquireConnection: async () => new SqliteConnection(file),
  beginTransaction: (connection, { accessMode }) =>
    castToSqliteConnection(connection).beginTransaction(accessMode === 'read only'),
  commitTransaction: (connection) => castToSqliteConnection(connection).endTransaction('commit'),
  rollbackTransaction: (connection) => castToSqliteConnection(connection).endTransaction('rollback'),
  releaseConnection: async () => {},
  /** A transaction that does not end is rolled back by closing the connection. */
  async destroy() {
    const { writeQueue: turn, writer } = file;
    await turn
      .run(async () => refreshQueryStatistics(writer.database))
      .catch((error: unknown) => {
        if (!(error instanceof DomainError)) throw error;
      });
    file.close();
  },
});

const castToSqliteConnection = (connection: DatabaseConnection) => connection as SqliteConnection;

/**
 * `pragma optimize` looks at the size of tables alone: where a history of invoices is imported and its payments after
 * it, the index of open invoices would be thought as large as on the first day, and not be used.
 */
function analyzePartialIndexes(database: Database.Database): void {
  const indexes = database.prepare<[], { idx: string }>(
    "select idx from sqlite_stat1 join sqlite_master on name = idx where sql like '% where %'",
  );
  database.transaction(() => {
    for (const { idx } of indexes.all()) database.exec(`analyze "${idx}"`);
  })();
}

/**
 * Updates the planner's statistics, and forbids skip-scans (SQLite, "The sqlite_stat1 table": noskipscan): with few
 * funding sources, the planner would read and sort all payments of each one for every page. Failures are ignored.
 */
function refreshQueryStatistics(database: Database.Database): void {
  try {
    database.pragma('analysis_limit = 400');
    database.pragma('optimize');
    if (!database.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get()) return;
    if (database.prepare('select 1 where total_changes() > 0').get()) analyzePartialIndexes(database);
    const unmarked = "idx is not null and stat not like '%noskipscan%'";
    // Checked first, since even an update of no rows would wait for another writer.
    if (database.prepare(`select 1 from sqlite_stat1 where ${unmarked}`).get())
      database.exec(`update sqlite_stat1 set stat = stat || ' noskipscan' where ${unmarked}`);
  } catch (error) {
    if (!isBusyError(error) && !isDamageError(error) && !String(error).includes('readonly')) throw error;
  }
}
