import type { Db } from '../../../db/schema.ts';
import type { Instant } from '../../../shared/dates.ts';

export interface LastBackup {
  /** the id of the backup's audit entry */
  id: number;
  at: Instant;
  username: string;
  file: string;
  bytes: number;
  sha256: string;
  /** the number of rules that the database broke then; absent for backups from before this was stored */
  problems?: number;
}

/** Automatic copies from before a migration or a deletion do not count, because they stay on the same machine. */
export async function readLastBackup(db: Db): Promise<LastBackup | undefined> {
  const entry = await db
    .selectFrom('audit')
    .select(['id', 'at', 'username', 'after'])
    .where('entity', '=', 'database')
    .where('entityId', 'is', null)
    .where('action', '=', 'backup')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (!entry?.after) return undefined;
  const { after, ...rest } = entry;
  return { ...(JSON.parse(after) as Pick<LastBackup, 'file' | 'bytes' | 'sha256' | 'problems'>), ...rest };
}
