import { statSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { markDamaged } from '../db/damage.ts';
import { isDamageError } from '../db/errors.ts';
import { findDamageQuickly } from '../db/integrity.ts';
import { isMigrated } from '../db/migrate.ts';
import type { OpenDatabase } from '../db/open.ts';
import type { Db } from '../db/schema.ts';
import { inTransaction } from '../db/transaction.ts';
import { DomainError } from '../shared/errors.ts';
import type { JobRunner } from './http/jobs.ts';
import type { Log } from './http/log.ts';
import { type Actor, queueAuditEntry } from './services/audit/audit.ts';
import { findTrailLoss, type TrailLoss } from './services/audit/trail-mark.ts';
import { findStartupDamage } from './services/database/check.ts';

/** Up to this size checking takes some hundred milliseconds; a worker checks larger files. */
const MAX_INLINE_CHECK_BYTES = 32 * 1024 * 1024;

/** How long the start waits for the check. If damage is found later, nothing is written from then on. */
const MAX_WAIT_MS = 500;

/**
 * Checks the database at the start, and waits a moment for the result. Once damage is found, or sums that differ from
 * their rows, it is served for reading only.
 * @throws DomainError conflict where a damaged database has an earlier schema, which cannot be served
 */
export async function checkDatabaseAtStart(
  database: OpenDatabase,
  jobRunner: JobRunner,
  log: Log,
  stopSignal: AbortSignal,
): Promise<void> {
  const { db } = database;
  const isOwnSchema = await isMigrated(db).catch((error: unknown) => {
    if (isDamageError(error)) return false;
    throw error;
  });
  const reportDamage = (damage: string | undefined) => {
    if (damage === undefined) return;
    markDamaged(db, damage);
    log.error({ damage }, 'the database is damaged: it is served for reading alone');
    process.stderr.write(damageText(damage));
  };
  if (!isOwnSchema) {
    const [page] = await findDamageQuickly(db);
    if (page)
      throw new DomainError('conflict', `La base de datos está dañada (${page.problem}).`, {
        code: 'database_damaged',
        remedy: 'restore-backup',
      });
    return;
  }
  const checking = findDamage(database, jobRunner)
    .catch((error: unknown) => {
      if (!stopSignal.aborted) log.error({ err: error }, 'the database could not be checked');
      return undefined;
    })
    .then(reportDamage);
  await Promise.race([checking, delay(MAX_WAIT_MS, undefined, { ref: false })]);
}

const findDamage = ({ db, file }: OpenDatabase, jobs: JobRunner): Promise<string | undefined> =>
  !file || statSync(file).size <= MAX_INLINE_CHECK_BYTES ? findStartupDamage(db) : jobs.checkForDamage();

const damageText = (damage: string): string => `
  La base de datos está dañada (${damage}).
  Se puede consultar, y no se guarda nada. Para saber qué hay: saldo db check --deep
  Para volver a un respaldo, con el servidor detenido: saldo db restore ARCHIVO

`;

/** Reports once, also in the audit trail, that the file was replaced by an older one or has lost its log. */
export async function reportMissingEntries(db: Db, actor: Actor, log: Log): Promise<void> {
  const missing = await findTrailLoss(db);
  if (!missing) return;
  log.error({ missing }, 'entries of the audit trail that were written are not in the database');
  process.stderr.write(missingEntriesText(missing));
  await inTransaction(db, async (trx) =>
    queueAuditEntry(trx, actor, { action: 'missing', entity: 'database', after: missing }),
  ).catch((error: unknown) => log.error({ err: error }, 'that entries are missing could not be noted'));
}

const missingEntriesText = ({ entries, at, found }: TrailLoss): string => `
  A la base de datos le falta lo último que se guardó: su bitácora termina en el asiento ${found}, y junto a ella está
  anotado que había llegado al ${entries} (${at}). Quizá es una copia anterior, o se perdió su archivo -wal.
  Si tienes el archivo bueno, detén el servidor y devuélvelo antes de seguir.

`;
