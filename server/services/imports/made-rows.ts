import { reserveIds } from '../../../db/bulk.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { audit } from '../audit/audit.ts';
import type { Judged } from './judging-all.ts';
import type { MakingContext, NewRows } from './new-rows.ts';
import type { Run } from './run.ts';
import { inOrder, makeEntries } from './writing.ts';

export interface Made {
  importId: number;
  /** what is referred to first; those of the file last */
  lists: NewRows[];
}

/** All that is to be stored, with its ids. */
export async function makeRows(db: Db, { actor }: Run, { judge, missing, result }: Judged): Promise<Made> {
  if (result.created === 0) return { importId: 0, lists: [] };
  const [importId = 0] = await reserveIds(db, 'imports', 1);
  const context: MakingContext = { db, actor, importId };
  const lists: NewRows[] = [];
  for (const catalog of inOrder(missing.keys()))
    lists.push(await makeEntries(context, catalog, [...missing.get(catalog.noun)!]));
  lists.push(...(await judge.make(context)));
  return { importId, lists: lists.filter(({ ids }) => ids.length > 0) };
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
