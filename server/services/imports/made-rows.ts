import type { Trx } from '../../../db/schema.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { audit } from '../audit/audit.ts';
import type { NewRows } from './new-rows.ts';
import type { Run } from './run.ts';

interface Made {
  importId: number;
  /** what is referred to first; those of the file last */
  lists: NewRows[];
}

/** The import's own record. */
export async function addRecord(trx: Trx, { actor, kind, options }: Run, importId: number): Promise<void> {
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
}

/** One entry for each list. */
export function auditRun(
  trx: Trx,
  { actor, kind, options }: Run,
  { unchanged, refused }: TableImport,
  { importId, lists }: Made,
): void {
  const { source, sha256 } = options;
  const told = lists.flatMap(({ entity, ids }) => (entity ? [{ entity, ids }] : []));
  for (const [index, { entity, ids }] of told.entries()) {
    const isOwn = index === told.length - 1;
    const counts = isOwn ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    audit(trx, actor, { action: 'import', entity, after });
  }
}
