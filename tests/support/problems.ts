import type { Db } from '../../db/schema.ts';
import { checkDatabase } from '../../server/services/database/check.ts';

export const findDatabaseProblems = async (db: Db, options?: { deep?: boolean }) =>
  (await checkDatabase(db, options)).checks.flatMap(({ name, problems }) =>
    problems.map((problem) => ({ rule: name, ...problem })),
  );
