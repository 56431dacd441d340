import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { type Actor, audit, holdTail } from './audit.ts';
import { type KeptPart, keepRows } from './kept-rows.ts';
import { REPLAYED_ENTITIES, type ReplayedEntity } from './replayed.ts';

/** Ids taken at a time. */
const PAGE = 5000;

/**
 * A starting point for a database of before entries kept the rows they left: as it stands now, with its date, in the
 * trail. Once, and none where every row has an entry that speaks for it.
 * @param onProgress told how far it is, from 0 to 1
 * @returns whether one was made
 */
export async function ensureBaseline(
  db: Db,
  actor: Actor,
  onProgress: (fraction: number) => void = () => {},
): Promise<boolean> {
  if (!(await needsBaseline(db))) return false;
  return inTransaction(db, async (trx) => {
    // Of several servers that start one does it, and nobody's change is committed meanwhile.
    await holdTail(trx);
    if (!(await needsBaseline(trx))) return false;
    await addBaseline(trx, actor, onProgress);
    return true;
  });
}

async function needsBaseline(db: Db): Promise<boolean> {
  const { rowsFrom } = await db.selectFrom('audit_tail').select('rowsFrom').executeTakeFirstOrThrow();
  if (rowsFrom === 0) return false;
  const made = await db
    .selectFrom('audit')
    .select('id')
    .where('entity', '=', 'database')
    .where('entityId', 'is', null)
    .where('action', '=', 'baseline')
    .limit(1)
    .executeTakeFirst();
  return !made;
}

/** Vouches for every row as it is stored now, whatever is known of it. */
export async function addBaseline(
  trx: Trx,
  actor: Actor,
  onProgress: (fraction: number) => void = () => {},
): Promise<void> {
  const parts: KeptPart[] = [];
  const rows: Partial<Record<ReplayedEntity, number>> = {};
  for (const [index, { entity, tables, named }] of REPLAYED_ENTITIES.entries()) {
    const [{ table, key }] = tables;
    let count = 0;
    let last: number | string | undefined;
    for (;;) {
      const after = last === undefined ? sql`true` : sql`${sql.ref(String(key))} > ${last}`;
      const { rows: page } = await sql<{ id: number | string }>`select ${sql.ref(String(key))} as id
        from ${sql.table(table)} where ${after} order by 1 limit ${PAGE}`.execute(trx);
      if (page.length === 0) break;
      const ids = page.map(({ id }) => id);
      parts.push(...(await keepRows(trx, entity, ids)));
      count += ids.length;
      last = ids.at(-1);
      onProgress(index / REPLAYED_ENTITIES.length);
    }
    if (named) parts.push(...(await keepRows(trx, entity, ['logo'])));
    rows[entity] = count;
  }
  audit(trx, actor, { action: 'baseline', entity: 'database', after: { rows }, also: parts });
}
