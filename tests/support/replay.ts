import type { Db } from '../../db/schema.ts';
import { findTrailDifferences } from '../../server/services/database/compare-with-trail.ts';

/** Finds the rows that differ from the audit trail, each as "table id: problem". */
export async function listDifferencesFromTrail(db: Db): Promise<string[]> {
  const found: string[] = [];
  for await (const { table, id, problem } of findTrailDifferences(db, () => {}))
    found.push(`${table} ${id}: ${problem}`);
  return found;
}
