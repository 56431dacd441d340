import type { Db } from '../../db/schema.ts';
import { checkDatabase } from '../../server/services/database/check.ts';

/** What the check of the database finds, of all its rules. */
export const problemsOf = async (db: Db, options?: { deep?: boolean }) =>
  (await checkDatabase(db, options)).checks.flatMap(({ name, problems }) =>
    problems.map((problem) => ({ rule: name, ...problem })),
  );
