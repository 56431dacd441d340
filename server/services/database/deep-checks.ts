import { createHash } from 'node:crypto';
import type { Fault } from '../../../db/integrity.ts';
import type { Db } from '../../../db/schema.ts';
import type { Check, Report } from './checks.ts';
import { findUnlikeTrail } from './replay.ts';
import type { ReplayTrail } from './replay-trail.ts';

/** What a deep check asks beyond the rules: whether everything is what was once stored. */
export const deepChecks = (trail: ReplayTrail): Check[] => [
  {
    name: 'files',
    description: 'Los archivos guardados son los que se guardaron',
    find: findOtherFiles,
  },
  {
    name: 'replay',
    description: 'Cada registro es lo que la bitácora dice que es',
    find: (db, report) => findUnlikeTrail(db, trail, report),
  },
];

/** Files are stored under the SHA-256 of their bytes. */
async function* findOtherFiles(db: Db, report: Report): AsyncGenerator<Fault> {
  for (let after = ''; ; ) {
    const file = await db
      .selectFrom('files')
      .select(['sha256', 'size', 'bytes'])
      .where('sha256', '>', after)
      .orderBy('sha256')
      .limit(1)
      .executeTakeFirst();
    if (!file) return;
    const { sha256, size, bytes } = file;
    if (createHash('sha256').update(bytes).digest('hex') !== sha256 || bytes.length !== size)
      yield { table: 'files', id: sha256, problem: 'sus bytes no son los que se guardaron' };
    after = sha256;
    report(Number.parseInt(sha256.slice(0, 4), 16) / 0xffff);
  }
}
