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
import { errorCodeOf } from './errors.ts';
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
    await updateStatisticsInTurn(file).catch((error: unknown) => {
      if (!(error instanceof DomainError)) throw error;
    });
    file.close();
  },
});

const castToSqliteConnection = (connection: DatabaseConnection) => connection as SqliteConnection;

/** Called each hour and when a database is closed, so that a history that was imported is planned for. */
export async function refreshPlannerStatistics(db: Kysely<Schema>): Promise<void> {
  const file = databaseFileOf(db);
  if (file) await updateStatisticsInTurn(file);
}

const updateStatisticsInTurn = (file: DatabaseFile): Promise<void> =>
  file.writeQueue.run(async () => updateStatistics(file));

/**
 * Updates the planner's statistics if this connection has written, and forbids skip-scans (SQLite, "The sqlite_stat1
 * table": noskipscan): with few funding sources, the planner would read and sort all payments of each one for every
 * page. Errors of SQLite are ignored, such as a full disk.
 */
function updateStatistics({ writer: { database }, damageText }: DatabaseFile): void {
  try {
    // This reads the file, since otherwise closing the connection would leave the journal of a reader behind.
    const hasWritten = database.prepare('select 1 from sqlite_master where total_changes() > 0').get();
    if (!hasWritten || damageText !== undefined) return;
    database.exec('begin immediate');
    const before = listStatistics(database);
    analyzeWhatChanged(database);
    if (listStatistics(database) === before) return;
    // Other connections read the statistics again once the schema has changed.
    database.exec('create table statistics_changed (id); drop table statistics_changed; commit');
  } catch (error) {
    if (!errorCodeOf(error).startsWith('SQLITE_')) throw error;
  } finally {
    if (database.inTransaction) database.exec('rollback');
  }
}

/**
 * `optimize` analyzes tables that have ten times as many rows as before, or a tenth. It does not look at the size of
 * indexes: where a history of invoices is imported and its payments after it, the index of open invoices would be
 * thought as large as on the first day, and not be used.
 */
function analyzeWhatChanged(database: Database.Database): void {
  const [run, allTables] = [0x2, 0x1_0000];
  database.pragma('analysis_limit = 400');
  database.pragma(`optimize = ${run | allTables}`);
  if (!database.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get()) return;
  const partialIndexes = database.prepare<[], { idx: string }>(
    "select idx from sqlite_stat1 join sqlite_master on name = idx where sql like '% where %'",
  );
  for (const { idx } of partialIndexes.all()) database.exec(`analyze "${idx}"`);
  database.exec(`update sqlite_stat1 set stat = stat || ' noskipscan'
    where idx is not null and stat not like '%noskipscan%'`);
}

function listStatistics(database: Database.Database): string {
  if (!database.prepare("select 1 from sqlite_master where name = 'sqlite_stat1'").get()) return '';
  return JSON.stringify(database.prepare('select * from sqlite_stat1 order by tbl, idx').all());
}
