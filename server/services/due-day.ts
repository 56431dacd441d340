import { sql } from 'kysely';
import { addDaysExpression, forKeyShare, isOneOf } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';

export function dueDayExpression(db: Db) {
  const from = sql`coalesce(invoices.fecharecepcion, invoices.fechaemision)`;
  const creditDays = sql`(select diascredito from suppliers where suppliers.id = invoices."supplierId")`;
  return sql<PlainDate>`coalesce(invoices.fechavencimiento, ${addDaysExpression(db, from, creditDays)},
    invoices.fechacaptura)`;
}

/** Stored due days depend on credit days, so these stay locked until the transaction ends. */
export async function lockAndReadSuppliers(
  trx: Trx,
  ids: readonly number[],
): Promise<Map<number, { suppliername: string; rfc: string | null; diascredito: number }>> {
  const rows = await trx
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'rfc', 'diascredito'])
    .where(isOneOf(trx, 'id', ids))
    .orderBy('id')
    .modifyEnd(forKeyShare(trx))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

export async function updateDueDays(trx: Trx, supplierId: number): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({ vence: dueDayExpression(trx) })
    .where('supplierId', '=', supplierId)
    .where('fechavencimiento', 'is', null)
    .where(sql<boolean>`coalesce(fecharecepcion, fechaemision) is not null`)
    .execute();
}
