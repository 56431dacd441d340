import { existsSync, mkdirSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { dialectOf } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import type { DatabaseWithFolder } from '../delete-all.ts';
import { type BackupResult, backupDatabase } from './backup.ts';

/** Each is as large as the whole database. */
export const MAX_SERVER_BACKUPS = 3;

const BACKUP_NAME_PATTERN = /^respaldo-\d{8}T\d{6}\.(?:db|zip)$/;

const backupFolder = (dataFolder: string): string => join(dataFolder, 'backups');

/**
 * Deletes the oldest backup if more than MAX_SERVER_BACKUPS exist afterwards.
 * @throws DomainError conflict (one was created in the same second), invalid (the database is damaged)
 */
export async function createServerBackup(
  { db, config: { dataFolder } }: DatabaseWithFolder,
  actor: Actor,
): Promise<BackupResult> {
  const folder = backupFolder(dataFolder);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const dialect = dialectOf(db);
  const stamp = actor.at.slice(0, 19).replace(/[-:]/g, '');
  const name = `respaldo-${stamp}.${dialect === 'sqlite' ? 'db' : 'zip'}`;
  const backup = await backupDatabase({ db, dialect }, actor, join(folder, name));
  for (const old of listBackupNames(folder).slice(MAX_SERVER_BACKUPS))
    rmSync(join(folder, old), { force: true });
  return backup;
}

interface ServerBackup {
  name: string;
  path: string;
  bytes: number;
}

/** The newest backup comes first. */
export const listServerBackups = (dataFolder: string): ServerBackup[] =>
  listBackupNames(backupFolder(dataFolder)).map((name) => {
    const path = join(backupFolder(dataFolder), name);
    return { name, path, bytes: statSync(path, { throwIfNoEntry: false })?.size ?? 0 };
  });

/** @throws DomainError not-found, also where the backup was deleted to make room for a newer one */
export function getServerBackup(dataFolder: string, name: string): ServerBackup {
  const found = listServerBackups(dataFolder).find((one) => one.name === name);
  if (!found) throw new DomainError('not-found', 'Ese respaldo ya no está en el servidor.');
  return found;
}

/** A downloaded backup contains all data, so it gets an audit entry. */
export const auditDownload = (db: Db, actor: Actor, { name, bytes }: ServerBackup): Promise<void> =>
  inTransaction(db, async (trx) =>
    queueAuditEntry(trx, actor, { action: 'download', entity: 'database', entityId: name, after: { bytes } }),
  );

const listBackupNames = (folder: string): string[] =>
  (existsSync(folder) ? readdirSync(folder) : [])
    .filter((name) => BACKUP_NAME_PATTERN.test(name))
    .sort()
    .reverse();
