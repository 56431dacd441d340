import { sql } from 'kysely';
import type { Db } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { archiveRows, type PartReference } from '../../server/services/audit/archived-rows.ts';
import { type Actor, queueAuditEntry } from '../../server/services/audit/audit.ts';
import { REPLAYED_ENTITIES } from '../../server/services/audit/replay-definitions.ts';

/** Writes an audit entry that matches every row as it is stored: fixtures are written without the audit trail. */
export async function auditAllRows(db: Db, actor: Actor): Promise<void> {
  await inTransaction(db, async (trx) => {
    const affected: PartReference[] = [];
    for (const { entity, tables, hasTextIds } of REPLAYED_ENTITIES) {
      const [{ table, key }] = tables;
      const { rows } = await sql<{ id: number | string }>`
        select ${sql.ref(String(key))} as id from ${sql.table(table)} order by 1`.execute(trx);
      const ids = rows.map(({ id }) => id);
      affected.push(...(await archiveRows(trx, entity, hasTextIds ? [...ids, 'logo'] : ids)));
    }
    queueAuditEntry(trx, actor, { action: 'restore', entity: 'database', affected });
  });
}
