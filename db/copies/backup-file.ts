import { closeSync, openSync, readSync } from 'node:fs';
import { DomainError } from '../../shared/errors.ts';
import { fileReason } from '../explain.ts';

type BackupKind = 'sqlite' | 'portable';

/**
 * What a backup is, by its first bytes, whatever it is called.
 * @throws DomainError not-found (no such file), invalid (neither kind)
 */
export function backupKind(file: string): BackupKind {
  const start = Buffer.alloc(16);
  try {
    const opened = openSync(file, 'r');
    try {
      readSync(opened, start);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw new DomainError('not-found', `No se pudo leer ${file}: ${fileReason(error)}.`);
  }
  if (start.toString('latin1') === 'SQLite format 3\0') return 'sqlite';
  if (start.toString('latin1').startsWith('PK\u0003\u0004')) return 'portable';
  throw new DomainError('invalid', `${file} no es una copia de Saldo: ni base de datos ni copia portable.`);
}

/** A backup that cannot be trusted to be what was written; `what` says where it differs. */
export const damagedBackup = (what: string): DomainError =>
  new DomainError('invalid', `La copia está dañada o incompleta: ${what}.`, { code: 'damaged_backup' });
