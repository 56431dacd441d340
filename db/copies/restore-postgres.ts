import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { sql } from 'kysely';
import { DomainError } from '../../shared/errors.ts';
import { derivePostgresObjects } from '../expected-schema.ts';
import { migrateInTransaction, migrations } from '../migrate.ts';
import { openDatabase, openForReading, runAndClose } from '../open.ts';
import type { Trx } from '../schema.ts';
import { inTransaction } from '../transaction.ts';
import { vacuumAndAnalyze } from '../vacuum.ts';
import { fillDatabase, getMigrationsOfCopy } from './portable-filling.ts';
import { recognizeBackup, verifyPortable, withPortable } from './portable-reading.ts';
import { writePortable } from './portable-writing.ts';
import { type ReportProgress, scaleProgress } from './progress.ts';
import { buildDatabaseFile, type RestoreResult, type RestoreTask } from './restore-sqlite.ts';

/**
 * One transaction drops the old tables, creates those of the backup's migrations, fills them, and then runs the later
 * migrations. The previous content is first kept as a portable copy.
 * @throws DomainError conflict (somebody else is connected; foreign tables; a later version), invalid
 */
export async function restorePostgres(url: string, task: RestoreTask): Promise<RestoreResult> {
  mkdirSync(task.backupFolder, { recursive: true, mode: 0o700 });
  if (recognizeBackup(task.source) === 'portable') return restorePortable(url, task.source, task);
  // A SQLite backup is first migrated in a temporary file. Then a portable copy of that file is loaded.
  const folder = mkdtempSync(join(task.backupFolder, '.restaurar-'));
  try {
    const built = join(folder, 'saldo.db');
    const ran = await buildDatabaseFile(built, {
      ...task,
      finish: async () => {},
      report: scaleProgress(task.report, 0, 0.3),
    });
    const portable = join(folder, 'copia.zip');
    await runAndClose(openForReading(built), ({ db }) =>
      writePortable(db, portable, new Date().toISOString()),
    );
    const result = await restorePortable(url, portable, {
      ...task,
      report: scaleProgress(task.report, 0.3, 1),
    });
    return { ...result, migrations: ran };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function restorePortable(url: string, source: string, task: RestoreTask): Promise<RestoreResult> {
  const previousFile = join(task.backupFolder, `${task.previousFileName}.zip`);
  let hadDatabase = false;
  return withPortable(source, async (portable): Promise<RestoreResult> => {
    const list = getMigrationsOfCopy(portable.manifest);
    await verifyPortable(portable, scaleProgress(task.report, 0, 0.2));
    return runAndClose(openDatabase(url, { root: '/', createIfMissing: false }), async ({ db }) => {
      const ran = await inTransaction(db, async (trx) => {
        await sql`set local lock_timeout = '10s'`.execute(trx);
        await sql`set local idle_in_transaction_session_timeout = 0`.execute(trx);
        await requireNoOtherConnections(trx);
        hadDatabase = await copyPreviousContent(trx, previousFile, scaleProgress(task.report, 0.2, 0.35));
        await dropTables(trx);
        await migrateInTransaction(trx, list);
        await fillDatabase(trx, portable, scaleProgress(task.report, 0.35, 0.7));
        const names = await migrateInTransaction(trx, migrations);
        await sql`analyze`.execute(trx);
        await task.finish(trx, scaleProgress(task.report, 0.7, 1));
        return names;
      });
      await vacuumAndAnalyze(db);
      return { dialect: 'postgres', kept: hadDatabase ? previousFile : null, migrations: ran };
    });
  }).catch((error: unknown) => {
    if (hadDatabase) rmSync(previousFile, { force: true }); // the previous content is still in the database
    throw error;
  });
}

/** Without additional rights, a PostgreSQL user sees that other sessions exist, but not their names and addresses. */
async function requireNoOtherConnections(trx: Trx): Promise<void> {
  for (let tries = 1; ; tries++) {
    const { rows } = await sql<{ name: string; address: string | null }>`
      select application_name as name, host(client_addr) as address from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and usesysid is not null
        and coalesce(backend_type, 'client backend') = 'client backend'`.execute(trx);
    const [first] = rows;
    if (!first) return;
    if (tries === MAX_TRIES) {
      const client = [first.name, first.address].filter(Boolean).join(', ');
      const message = `Otro proceso tiene abierta la base de datos${client && ` (${client})`}: detén el servidor y vuelve a intentar.`;
      throw new DomainError('conflict', message, { code: 'database_in_use' });
    }
    await delay(RETRY_MS);
    await sql`select pg_stat_clear_snapshot()`.execute(trx); // otherwise the transaction would see the same snapshot of the sessions again
  }
}

/** PostgreSQL takes a moment to notice that a client has disconnected. */
const RETRY_MS = 100;
const MAX_TRIES = 10;

/** @returns false where there was no previous content */
async function copyPreviousContent(trx: Trx, target: string, report: ReportProgress): Promise<boolean> {
  const ownTables = (await derivePostgresObjects(migrations)).map(({ name }) => name);
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class
    where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') order by 1`.execute(trx);
  const foreign = rows.find(({ name }) => !ownTables.includes(name));
  if (foreign) {
    const message = `La base de datos tiene la tabla ${foreign.name}, que no es de esta versión de Saldo: no se reemplaza.`;
    throw new DomainError('conflict', message, { code: 'foreign_tables' });
  }
  if (rows.length === 0) return false;
  const tables = sql.join(rows.map(({ name }) => sql.table(name)));
  await sql`lock table ${tables} in access exclusive mode`.execute(trx);
  if (!rows.some(({ name }) => name === 'audit_tail')) return false; // the database has only the table of migrations
  await writePortable(trx, target, new Date().toISOString(), report);
  return true;
}

async function dropTables(trx: Trx): Promise<void> {
  const created = Map.groupBy(await derivePostgresObjects(migrations), ({ type }) => type);
  const tables = created.get('table')!.map(({ name }) => sql.table(name));
  await sql`drop table if exists ${sql.join(tables)}`.execute(trx);
  for (const { name } of created.get('function') ?? [])
    await sql`drop function if exists ${sql.table(name)}`.execute(trx);
}
