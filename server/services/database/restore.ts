import { basename, join } from 'node:path';
import { recognizeBackup } from '../../../db/copies/portable-reading.ts';
import type { ReportProgress } from '../../../db/copies/progress.ts';
import { restorePostgres } from '../../../db/copies/restore-postgres.ts';
import { type RestoreResult, type RestoreTask, restoreSqlite } from '../../../db/copies/restore-sqlite.ts';
import { resolveSqlitePath } from '../../../db/open.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Actor, queueAuditEntry, readAuditTail } from '../audit/audit.ts';
import { failWaitingMails } from '../mails/delivering.ts';
import { findDatabaseProblems, hashFile } from './backup.ts';
import type { Problem } from './check-rules.ts';

interface RestoreTarget {
  databaseUrl: string;
  dataFolder: string;
  /** the folder from which relative file names start */
  root: string;
}

export interface RestoreReport extends RestoreResult {
  audit: { entries: number; lastHash: string };
  /** broken rules, if the backup was restored in spite of them */
  problems: Problem[];
}

/**
 * Verifies first that the backup is undamaged, has a known version, breaks no rule and has an unbroken audit trail. The
 * previous database is kept in the data folder's `backups/`, and all users are signed out.
 * @param force restores even if rules are broken, but never if the backup is damaged
 * @throws DomainError with nothing changed
 */
export async function restoreDatabase(
  { databaseUrl, dataFolder, root }: RestoreTarget,
  actor: Actor,
  source: string,
  { force = false }: { force?: boolean } = {},
  report: ReportProgress = () => {},
): Promise<RestoreReport> {
  recognizeBackup(source); // throws where it is none
  const found: Pick<RestoreReport, 'audit' | 'problems'> = {
    audit: { entries: 0, lastHash: '' },
    problems: [],
  };
  const sha256 = await hashFile(source);
  const task: RestoreTask = {
    source,
    backupFolder: join(dataFolder, 'backups'),
    previousFileName: `antes-de-restaurar-${actor.at.replace(/[^0-9]/g, '')}`,
    report,
    async finish(db, reportProblems) {
      found.problems = await findDatabaseProblems(db, reportProblems);
      if (found.problems.length > 0 && !force) throw brokenRulesError(found.problems);
      const { lastId, lastHash } = await readAuditTail(db);
      found.audit = { entries: lastId, lastHash };
      await inTransaction(db, async (trx) => {
        const after = { file: basename(source), sha256, entries: lastId, lastHash };
        queueAuditEntry(trx, actor, { action: 'restore', entity: 'database', after });
        await failWaitingMails(trx, actor);
      });
    },
  };
  const result = databaseUrl.startsWith('file:')
    ? await restoreSqlite(resolveSqlitePath(databaseUrl, root), task)
    : await restorePostgres(databaseUrl, task);
  return { ...result, ...found };
}

function brokenRulesError(problems: readonly Problem[]): DomainError {
  const shown = problems.slice(0, 3).map(({ entity, id, problem }) => `${entity} ${id ?? ''}: ${problem}`);
  const count = problems.length === 1 ? 'una regla' : `${problems.length} reglas`;
  const message = `La copia rompe ${count} (${shown.join('; ')}).`;
  return new DomainError('invalid', message, { code: 'broken_rules', remedy: 'restore-anyway' });
}
