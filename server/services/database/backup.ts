import { createHash } from 'node:crypto';
import { createReadStream, existsSync, statSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { copySqliteDatabase } from '../../../db/copies/copy.ts';
import { writePortable } from '../../../db/copies/portable-writing.ts';
import { type ReportProgress, scaleProgress } from '../../../db/copies/progress.ts';
import { countRowsByTable } from '../../../db/copies/table-statistics.ts';
import { explainDatabaseError } from '../../../db/explain-errors.ts';
import { type OpenDatabase, openForReading, runAndClose } from '../../../db/open.ts';
import type { Db } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { checkDatabase } from './check.ts';
import type { Problem } from './check-rules.ts';

export interface BackupOptions {
  /** write the zip of JSON lines for a SQLite database too; PostgreSQL has no other kind of backup */
  portable?: boolean;
  force?: boolean;
}

export type BackupResult = Awaited<ReturnType<typeof backupDatabase>>;

interface BackupRowsAndProblems {
  rows: Record<string, number>;
  problems: Problem[];
}

/**
 * Copies the database as of one moment, while others write. The file gets its final name after it was written and
 * verified.
 * @throws DomainError conflict (the file exists), not-found (its folder does not exist), invalid (the copy is damaged)
 */
export async function backupDatabase(
  database: Pick<OpenDatabase, 'db' | 'dialect' | 'file'>,
  actor: Actor,
  target: string,
  { portable = false, force = false }: BackupOptions = {},
  report: ReportProgress = () => {},
) {
  const format = portable || database.dialect === 'postgres' ? 'portable' : 'sqlite';
  requireValidTarget(target, database.file, force);
  const write = format === 'sqlite' ? writeAndCheckCopy : writeAndCheckZip;
  const content = await write(database.db, target, actor, report);
  const backup = {
    file: target,
    format,
    bytes: statSync(target).size,
    sha256: await hashFile(target),
  } as const;
  const after = { ...backup, file: basename(target), problems: content.problems.length };
  const unrecorded = await inTransaction(database.db, async (trx) =>
    queueAuditEntry(trx, actor, { action: 'backup', entity: 'database', after }),
  ).then(() => undefined, explainErrorOrThrow);
  // The copy is good even if its audit entry cannot be stored, as when the database's own disk is full.
  return { ...backup, ...content, ...(unrecorded === undefined ? {} : { unrecorded }) };
}

const explainErrorOrThrow = (error: unknown): string => {
  const explained = error instanceof DomainError ? error : explainDatabaseError(error);
  if (!explained) throw error;
  return explained.message;
};

function requireValidTarget(target: string, source: string | undefined, force: boolean): void {
  if (!existsSync(dirname(target)))
    throw new DomainError('not-found', `No existe la carpeta ${dirname(target)}.`);
  if (!existsSync(target)) return;
  if (source && existsSync(source) && statSync(source).ino === statSync(target).ino)
    throw new DomainError('conflict', `${target} es la base de datos misma.`);
  if (!statSync(target).isFile()) throw new DomainError('conflict', `${target} no es un archivo.`);
  if (!force) throw new DomainError('conflict', `${target} ya existe.`, { remedy: 'replace-file' });
}

async function writeAndCheckCopy(
  db: Db,
  target: string,
  _actor: Actor,
  report: ReportProgress,
): Promise<BackupRowsAndProblems> {
  report(0, 'copia');
  let content: BackupRowsAndProblems | undefined;
  await copySqliteDatabase(db, target, (copy) =>
    runAndClose(openForReading(copy), async (opened) => {
      const problems = await findDatabaseProblems(opened.db, scaleProgress(report, 0.2, 1));
      content = { problems, rows: await countRowsByTable(opened.db) };
    }),
  );
  return content!;
}

async function writeAndCheckZip(
  db: Db,
  target: string,
  actor: Actor,
  report: ReportProgress,
): Promise<BackupRowsAndProblems> {
  const { tables } = await writePortable(db, target, actor.at, scaleProgress(report, 0, 0.6));
  return {
    // The database is checked instead of the copy, because a change made meanwhile neither breaks nor repairs a rule.
    problems: await findDatabaseProblems(db, scaleProgress(report, 0.6, 1)),
    rows: Object.fromEntries(tables.map(({ name, rows }) => [name, rows])),
  };
}

/** A missing administrator is not reported. @throws DomainError invalid if the file is damaged */
export async function findDatabaseProblems(db: Db, onProgress: ReportProgress): Promise<Problem[]> {
  const { checks } = await checkDatabase(db, { report: onProgress });
  const damage = checks.find(({ name }) => name === 'file')?.problems[0];
  if (damage) throw new DomainError('invalid', `La base de datos está dañada: ${damage.problem}`);
  return checks.filter(({ name }) => name !== 'administrator').flatMap(({ problems }) => problems);
}

export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
