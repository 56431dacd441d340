import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { HOME_ZONE } from '../shared/dates.ts';
import { DomainError } from '../shared/errors.ts';
import { partOf, type Report } from './copies/progress.ts';
import { isMissingTable } from './errors.ts';
import { initial } from './migrations/0001-initial.ts';
import { pettyCash } from './migrations/0002-petty-cash.ts';
import { documents } from './migrations/0003-documents.ts';
import { invoicesContract } from './migrations/0004-invoices-contract.ts';
import { foreignCurrency } from './migrations/0005-foreign-currency.ts';
import { doors } from './migrations/0006-doors.ts';
import { secondFactor } from './migrations/0007-second-factor.ts';
import { invoicesDue } from './migrations/0008-invoices-due.ts';
import { rolledSums } from './migrations/0009-rolled-sums.ts';
import { openImports } from './migrations/0010-open-imports.ts';
import { jobCosts } from './migrations/0011-job-costs.ts';
import { userPreferences } from './migrations/0012-user-preferences.ts';
import { loads } from './migrations/0013-loads.ts';
import { importRolls } from './migrations/0014-import-rolls.ts';
import { deletedFiles } from './migrations/0015-deleted-files.ts';
import { logo } from './migrations/0016-logo.ts';
import { budgets } from './migrations/0017-budgets.ts';
import { captures } from './migrations/0018-captures.ts';
import { paymentBatches } from './migrations/0019-payment-batches.ts';
import { pettyCashCycle } from './migrations/0020-petty-cash-cycle.ts';
import { bankAccounts } from './migrations/0021-bank-accounts.ts';
import { auditedRows } from './migrations/0022-audited-rows.ts';
import { paidCosts } from './migrations/0023-paid-costs.ts';
import { auditAnchors } from './migrations/0025-audit-anchors.ts';
import { widerIndexes } from './migrations/0030-wider-indexes.ts';
import { rubroIssued } from './migrations/0031-rubro-issued.ts';
import { supplierSums } from './migrations/0032-supplier-sums.ts';
import { confirmedLayouts } from './migrations/0033-confirmed-layouts.ts';
import { editors } from './migrations/0034-editors.ts';
import { batchSent } from './migrations/0035-batch-sent.ts';
import { pettyCashHands } from './migrations/0036-petty-cash-hands.ts';
import { plainSums } from './migrations/0041-plain-sums.ts';
import { confirmedEditors } from './migrations/0042-confirmed-editors.ts';
import type { Migration, MigrationContext } from './migrations/migration.ts';
import { type DialectName, dialectOf, type OpenDatabase } from './open.ts';
import type { Db, Trx } from './schema.ts';
import { sweep } from './sweep.ts';

export const migrations: readonly Migration[] = [
  initial,
  pettyCash,
  documents,
  invoicesContract,
  foreignCurrency,
  doors,
  secondFactor,
  invoicesDue,
  rolledSums,
  openImports,
  jobCosts,
  userPreferences,
  loads,
  importRolls,
  deletedFiles,
  logo,
  budgets,
  captures,
  paymentBatches,
  pettyCashCycle,
  bankAccounts,
  auditedRows,
  paidCosts,
  auditAnchors,
  widerIndexes,
  rubroIssued,
  supplierSums,
  confirmedLayouts,
  editors,
  batchSent,
  pettyCashHands,
  plainSums,
  confirmedEditors,
];

/** What is said from outside; `report` is told which migration runs, and how far all of them are. */
interface Circumstances extends Partial<MigrationContext> {
  report?: Report;
}

/** Any number: starters of one PostgreSQL database take this lock in turn. */
const ADVISORY_LOCK = 7_256_001;

/**
 * Brings the schema up to date in one transaction with the rows that say so: after a crash all of it has
 * happened or nothing, and of two starters the second finds it done. Before a database changes a copy of it is
 * left in the data folder's `backups/`: of a database file the file, of PostgreSQL a portable zip. `dataFolder`
 * is the file's own unless it is given. What is made from nothing takes a moment, and is not reported.
 * @returns the names of the migrations that ran
 * @throws DomainError conflict where the database is newer than this program
 */
export async function migrate(
  database: OpenDatabase,
  list: readonly Migration[] = migrations,
  { dataFolder, timeZone, report }: Circumstances & { dataFolder?: string } = {},
): Promise<string[]> {
  const { db, dialect } = database;
  await createVersionTable(database);
  if (pendingOf(list, await appliedMigrations(db)).length === 0) return [];
  let isNew = false;
  const ran = await db.transaction().execute(async (trx) => {
    if (dialect === 'postgres') await waitForTurn(trx);
    const done = await appliedMigrations(trx);
    const pending = pendingOf(list, done);
    const [first] = pending;
    isNew = done.length === 0;
    if (!first || isNew) return run(trx, pending, dialect, { timeZone });
    report?.(0, 'copia');
    await copyBefore(database, trx, { name: first.name, dataFolder });
    return run(trx, pending, dialect, { timeZone, report: report && partOf(report, 0.3, 1) });
  });
  if (ran.length > 0 && !isNew) await sweep(db);
  return ran;
}

/** Runs what is missing of `list` in the caller's transaction, without a copy: for a database nobody uses yet. */
export async function migrateWithin(
  trx: Trx,
  list: readonly Migration[],
  circumstances: Circumstances = {},
): Promise<string[]> {
  await sql.raw(VERSION_TABLE).execute(trx);
  return run(trx, pendingOf(list, await appliedMigrations(trx)), dialectOf(trx), circumstances);
}

async function run(
  trx: Trx,
  pending: readonly Migration[],
  dialect: DialectName,
  { timeZone = HOME_ZONE, report }: Circumstances,
): Promise<string[]> {
  let [done, count] = [0, 0];
  const counting = async () => void count++;
  if (report) for (const { up } of pending) await up(counting, dialect, { timeZone });
  for (const { name, up } of pending) {
    const execute = async (statement: string) => {
      report?.(done++ / count, name);
      await sql.raw(statement).execute(trx);
    };
    await up(execute, dialect, { timeZone });
    const appliedAt = new Date().toISOString();
    await trx.insertInto('schema_migrations').values({ name, appliedAt }).execute();
  }
  return pending.map(({ name }) => name);
}

/**
 * The migrations of this program that a database with these had run, in their order.
 * @throws DomainError conflict where one is unknown: the database is newer than this program
 */
export function migrationsNamed(
  names: readonly string[],
  list: readonly Migration[] = migrations,
): Migration[] {
  pendingOf(list, names);
  return list.filter(({ name }) => names.includes(name));
}

/** Whether every migration of this program has run, and none that it does not know. */
export async function isMigrated(db: Db, list: readonly Migration[] = migrations): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return applied.length === list.length && pendingOf(list, applied).length === 0;
}

/**
 * For programs that use a database and don't change its form.
 * @throws DomainError conflict: older than this program, or newer; whatever keeps it from being read
 */
export async function requireMigrated(db: Db, list: readonly Migration[] = migrations): Promise<void> {
  const applied = await appliedMigrations(db).catch((error: unknown) => {
    if (isMissingTable(error)) return [];
    throw error;
  });
  if (pendingOf(list, applied).length > 0)
    throw new DomainError('conflict', 'La base de datos no está al día.', { remedy: 'migrate' });
}

export async function appliedMigrations(db: Db): Promise<string[]> {
  return (await db.selectFrom('schema_migrations').select('name').orderBy('name').execute()).map(
    (row) => row.name,
  );
}

function pendingOf(list: readonly Migration[], applied: readonly string[]): Migration[] {
  const unknown = applied.find((name) => !list.some((migration) => migration.name === name));
  if (unknown) {
    throw new DomainError('conflict', `La base de datos es de una versión más nueva de Saldo (${unknown}).`);
  }
  return list.filter((migration) => !applied.includes(migration.name));
}

/** Of two starters that both find it missing PostgreSQL would fail one, so there they take turns. */
async function createVersionTable({ db, dialect }: OpenDatabase): Promise<void> {
  if (dialect === 'sqlite') {
    await sql.raw(VERSION_TABLE).execute(db);
    return;
  }
  await db.transaction().execute(async (trx) => {
    await waitForTurn(trx);
    await sql.raw(VERSION_TABLE).execute(trx);
  });
}

export const VERSION_TABLE =
  'CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, "appliedAt" text NOT NULL)';

/** The other starter's migration may take long: no limit on this wait. */
async function waitForTurn(trx: Trx): Promise<void> {
  await sql`SET LOCAL lock_timeout = 0`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
}

/**
 * Called in the migration's own transaction, so the copy is exactly what it is about to change, and only the
 * starter that migrates makes one.
 */
async function copyBefore(
  { db, dialect, file }: OpenDatabase,
  trx: Trx,
  { name, dataFolder }: { name: string; dataFolder?: string },
): Promise<void> {
  const folder = dataFolder ?? (file && dirname(file));
  if (!folder) throw new Error('no data folder to keep a copy in before a migration');
  const copyNamed = (database: string, ending: string) =>
    join(folder, 'backups', `${database}-antes-de-${name}.${ending}`);
  if (dialect === 'sqlite') {
    const { copyDatabase } = await import('./copies/copy.ts');
    await copyDatabase(db, copyNamed(basename(file!, '.db'), 'db'));
    return;
  }
  await stopWriters(trx);
  const { rows } = await sql<{ database: string }>`select current_database() as database`.execute(trx);
  const database = rows[0]!.database.replace(/[^\p{L}\p{N}_-]/gu, '_');
  const { writePortable } = await import('./copies/portable.ts');
  await writePortable(trx, copyNamed(database, 'zip'), new Date().toISOString());
}

/** Until the migration is done nobody else changes a row; everybody may still read. */
async function stopWriters(trx: Trx): Promise<void> {
  const { readTables } = await import('./copies/portable-tables.ts');
  const tables = await readTables(trx);
  const names = sql.join(tables.map(({ name }) => sql.table(name)));
  await sql`LOCK TABLE ${names} IN SHARE ROW EXCLUSIVE MODE`.execute(trx);
}
