import type { DialectName } from '../open.ts';
import type { Db } from '../schema.ts';
import type { Report } from './progress.ts';

/** What every way of restoring is told. */
export interface RestoreTask {
  /** the backup */
  source: string;
  /** where what is replaced is kept: the data folder's `backups/` */
  backups: string;
  /** its name there, without an ending */
  keptName: string;
  /**
   * Looks at what was restored, migrated and without sessions, and writes what is to be written about it; what
   * it throws ends the restoring with nothing changed. On PostgreSQL the handle is the restoring's transaction.
   */
  finish(db: Db, report: Report): Promise<void>;
  report: Report;
}

export interface RestoreResult {
  dialect: DialectName;
  /** the file with what was there before; null where there was nothing */
  kept: string | null;
  /** names of the migrations that the backup had not run yet */
  migrations: string[];
}
