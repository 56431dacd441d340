import { basename, dirname, join } from 'node:path';
import { sql } from 'kysely';
import { DomainError } from '../shared/errors.ts';
import { copyDatabase } from './copy.ts';
import { initial } from './migrations/0001-initial.ts';
import type { DialectName, OpenDatabase } from './open.ts';
import type { Db, Trx } from './schema.ts';

export interface Migration {
  /** sorts after the ones before it */
  name: string;
  up(run: (statement: string) => Promise<void>, dialect: DialectName): Promise<void>;
}

export const migrations: readonly Migration[] = [initial];

/** Any number: starters of one PostgreSQL database take this lock in turn. */
const ADVISORY_LOCK = 7_256_001;

/**
 * Brings the schema up to date, each migration in one transaction with the row that says so: after a
 * crash it has happened or it has not, and of two starters the second finds it done. A database file is
 * copied to `backups/` beside it before the first change.
 * @returns the names of the migrations that ran
 * @throws DomainError conflict where the database is newer than this program
 */
export async function migrate(
  database: OpenDatabase,
  list: readonly Migration[] = migrations,
): Promise<string[]> {
  const { db, dialect } = database;
  await createVersionTable(database);
  const applied = await appliedMigrations(db);
  const pending = pendingOf(list, applied);
  const ran: string[] = [];
  for (const migration of pending) {
    await db.transaction().execute(async (trx) => {
      if (dialect === 'postgres') await waitForTurn(trx);
      const done = await appliedMigrations(trx);
      if (done.includes(migration.name)) return;
      if (done.length > 0 && ran.length === 0) await copyBefore(database, migration.name);
      await migration.up(async (statement) => {
        await sql.raw(statement).execute(trx);
      }, dialect);
      const appliedAt = new Date().toISOString();
      await trx.insertInto('schema_migrations').values({ name: migration.name, appliedAt }).execute();
      ran.push(migration.name);
    });
  }
  return ran;
}

/** Whether every migration of this program has run, and none that it does not know. */
export async function isMigrated(db: Db, list: readonly Migration[] = migrations): Promise<boolean> {
  const applied = await appliedMigrations(db);
  return applied.length === list.length && pendingOf(list, applied).length === 0;
}

async function appliedMigrations(db: Db): Promise<string[]> {
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
  const creation = sql`CREATE TABLE IF NOT EXISTS schema_migrations (name text PRIMARY KEY, "appliedAt" text NOT NULL)`;
  if (dialect === 'sqlite') {
    await creation.execute(db);
    return;
  }
  await db.transaction().execute(async (trx) => {
    await waitForTurn(trx);
    await creation.execute(trx);
  });
}

/** The other starter's migration may take long: no limit on this wait. */
async function waitForTurn(trx: Trx): Promise<void> {
  await sql`SET LOCAL lock_timeout = 0`.execute(trx);
  await sql`SELECT pg_advisory_xact_lock(${ADVISORY_LOCK})`.execute(trx);
}

/**
 * Called while the migration holds the writer, so the copy is exactly what it is about to change, and only
 * the starter that migrates makes one.
 */
async function copyBefore({ db, file }: OpenDatabase, name: string): Promise<void> {
  if (!file) return;
  await copyDatabase(db, join(dirname(file), 'backups', `${basename(file, '.db')}-antes-de-${name}.db`));
}
