import type { Schema, Trx } from '../../../db/schema.ts';
import type { TableImport } from '../../formats/tables/table.ts';
import { type Actor, audit } from '../audit/audit.ts';
import type { Run } from './run.ts';

export interface MakingContext {
  trx: Trx;
  actor: Actor;
  importId: number;
}

/** New rows that the file's rows refer to, complete with their ids. */
export interface NewRows {
  /** as the audit trail names their list */
  entity: string;
  table: keyof Schema;
  rows: readonly { id: number }[];
}

export interface StoredRows {
  entity: string;
  ids: readonly number[];
}

export async function addRecord(
  { trx, actor, importId }: MakingContext,
  { kind, options }: Run,
): Promise<void> {
  const { source, sha256 } = options;
  const record = { id: importId, kind, source, sha256, at: actor.at, userId: actor.userId };
  await trx.insertInto('imports').values(record).execute();
}

/** Writes one entry for each list. @param lists those of the file last */
export function auditRun(
  { trx, actor, importId }: MakingContext,
  { kind, options: { source, sha256 } }: Run,
  { unchanged, refused }: TableImport,
  lists: readonly StoredRows[],
): void {
  for (const [index, { entity, ids }] of lists.entries()) {
    const isOwn = index === lists.length - 1;
    const counts = isOwn ? { unchanged, refused: refused.length } : {};
    const after = { importId, kind, source, sha256, created: ids.length, ...counts, ids };
    audit(trx, actor, { action: 'import', entity, after });
  }
}
