import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { DomainError } from '../shared/errors.ts';
import { type ReportProgress, scaleProgress } from './copies/progress.ts';
import { isMissingTableError } from './errors.ts';
import { baseline } from './migrations/0001-baseline.ts';
import { documents } from './migrations/0002-documents.ts';
import { bankBalances } from './migrations/0003-bank-balances.ts';
import { bankMovements } from './migrations/0004-bank-movements.ts';
import { doublePayments } from './migrations/0005-double-payments.ts';
import { paymentCurrency } from './migrations/0006-payment-currency.ts';
import { mails } from './migrations/0007-mails.ts';
import { fundHandovers } from './migrations/0008-fund-handovers.ts';
import { satDocuments } from './migrations/0009-sat-documents.ts';
import { list69b } from './migrations/0010-list-69b.ts';
import { seals } from './migrations/0012-seals.ts';
import { regimes } from './migrations/0013-regimes.ts';
import { paymentsWithoutReceipt } from './migrations/0014-payments-without-receipt.ts';
import { sentLines } from './migrations/0015-sent-lines.ts';
import type { Migration } from './migrations/migration.ts';
import { type DialectName, dialectOf, type OpenDatabase } from './open.ts';
import type { Db, Trx } from './schema.ts';
import { vacuumAndAnalyze } from './vacuum.ts';

export const migrations: readonly Migration[] = [
  baseline,
  documents,
  bankBalances,
  bankMovements,
  doublePayments,
  paymentCurrency,
  mails,
  fundHandovers,
  satDocuments,
  list69b,
  seals,
  regimes,
  paymentsWithoutReceipt,
  sentLines,
];

const MIGRATION_BEFORE_1_0 = '0001-initial';

/** An arbitrary number: processes that start on the same PostgreSQL database take this lock one after another. */
const ADVISORY_LOCK_KEY = 7_256_001;

/**
 * Runs the pending migrations and records them in one transaction, so that after a crash all or none have run. If two
 * processes start at once, the second finds nothing to do. An existing database is first copied to the data folder's
 * `backups/`: SQLite as a file, PostgreSQL as a portable zip. Creating a database is quick and shows no progress.
 * @returns the names of the migrations that ran
 * @throws DomainError conflict where the database is newer than this program, or from before 1.0
 */
export async function migrate(
  database: OpenDatabase,
  list: readonly Migration[] = migrations,
  { dataFolder, report }: { dataFolder?: string; report?: ReportProgress } = {},
): Promise<string[]> {
  const { db, dialect } = database;
  if (listPendingMigrations(list, await findAppliedMigrations(db)).length === 0) return [];
  let isNew = false;
  const ran = await db.transaction().execute(async (trx) => {
    // PostgreSQL would let one of two starting processes fail if both find the table missing.
    if (dialect === 'postgres') await lockMigrations(trx);
    await sql.raw(MIGRATIONS_TABLE_SQL).execute(trx);
    const applied = await readAppliedMigrations(trx);
    const pending = listPendingMigrations(list, applied);
    const [first] = pending;
    isNew = applied.length === 0;
    if (!first || isNew) return runMigrations(trx, pending, dialect);
    report?.(0, 'copia');
    await copyBeforeMigration(database, trx, { name: first.name, dataFolder });
    return runMigrations(trx, pending, dialect, report && scaleProgress(report, 0.3, 1));
  });
  if (ran.length > 0 && !isNew) await vacuumAndAnalyze(db);
  return ran;
}

/** Works in the caller's transaction, without a copy: for a database that nobody uses yet. */
export async function migrateInTransaction(trx: Trx, list: readonly Migration[]): Promise<string[]> {
  await sql.raw(MIGRATIONS_TABLE_SQL).execute(trx);
  return runMigrations(trx, listPendingMigrations(list, await readAppliedMigrations(trx)), dialectOf(trx));
}

async function runMigrations(
  trx: Trx,
  pendingMigrations: readonly Migration[],
  dialect: DialectName,
  report?: ReportProgress,
): Promise<string[]> {
  for (const [index, { name, up }] of pendingMigrations.entries()) {
    report?.(index / pendingMigrations.length, name);
    await up(async (statement) => void (await sql.raw(statement).execute(trx)), dialect);
    const appliedAt = new Date().toISOString();
    await trx.insertInto('schema_migrations').values({ name, appliedAt }).execute();
  }
  return pendingMigrations.map(({ name }) => name);
}

/** @throws DomainError conflict where a name is unknown: the database is newer than this program, or from before 1.0 */
export function getMigrationsNamed(names: readonly string[]): Migration[] {
  listPendingMigrations(migrations, names);
  return migrations.filter(({ name }) => names.includes(name));
}

export async function isMigrated(db: Db): Promise<boolean> {
  const applied = await findAppliedMigrations(db);
  return applied.length === migrations.length && listPendingMigrations(migrations, applied).length === 0;
}

/** @throws DomainError conflict (the database is older or newer than the program); any error of reading the database */
export async function requireMigrated(db: Db): Promise<void> {
  if (listPendingMigrations(migrations, await findAppliedMigrations(db)).length > 0)
    throw new DomainError('conflict', 'La base de datos no está al día.', { remedy: 'migrate' });
}

const findAppliedMigrations = (db: Db): Promise<string[]> =>
  readAppliedMigrations(db).catch((error: unknown) => {
    if (isMissingTableError(error)) return [];
    throw error;
  });

export async function readAppliedMigrations(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('schema_migrations').select('name').orderBy('name').execute();
  return rows.map(({ name }) => name);
}

export const isBefore1_0 = (appliedNames: readonly string[]): boolean =>
  appliedNames.includes(MIGRATION_BEFORE_1_0);

function listPendingMigrations(list: readonly Migration[], appliedNames: readonly string[]): Migration[] {
  const unknown = appliedNames.find((name) => !list.some((migration) => migration.name === name));
  if (unknown) {
    if (isBefore1_0(appliedNames)) {
      const message = 'La base de datos es de un Saldo anterior a la versión 1.0.';
      throw new DomainError('conflict', message, { remedy: 'bring-over' });
    }
    throw new DomainError('conflict', `La base de datos es de una versión más nueva de Saldo (${unknown}).`);
  }
  return list.filter((migration) => !appliedNames.includes(migration.name));
}

export const MIGRATIONS_TABLE_SQL =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, "appliedAt" text NOT NULL)';

/** Another process's migration may take long, so this wait has no limit. */
async function lockMigrations(trx: Trx): Promise<void> {
  await sql`SET LOCAL lock_timeout = 0`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK_KEY})`.execute(trx);
}

/** Runs in the migration's transaction: the copy has the state just before it, and only one process writes the copy. */
async function copyBeforeMigration(
  { db, dialect, file }: OpenDatabase,
  trx: Trx,
  { name, dataFolder }: { name: string; dataFolder?: string },
): Promise<void> {
  const folder = dataFolder ?? (file && dirname(file));
  if (!folder) throw new Error('no data folder to keep a copy in before a migration');
  const backupPathBeforeMigration = (database: string, ending: string) =>
    join(folder, 'backups', `${database}-antes-de-${name}.${ending}`);
  if (dialect === 'sqlite') {
    const { copySqliteDatabase } = await import('./copies/copy.ts');
    await copySqliteDatabase(db, backupPathBeforeMigration(basename(file!, '.db'), 'db'));
    return;
  }
  await lockAllTables(trx);
  const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(trx);
  const database = rows[0]!.database.replace(/[^\p{L}\p{N}_-]/gu, '_');
  const { writePortable } = await import('./copies/portable-writing.ts');
  await writePortable(trx, backupPathBeforeMigration(database, 'zip'), new Date().toISOString());
}

async function lockAllTables(trx: Trx): Promise<void> {
  const { readTableDefinitions } = await import('./copies/table-definitions.ts');
  const tables = await readTableDefinitions(trx);
  const names = sql.join(tables.map(({ name }) => sql.table(name)));
  await sql`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
}
