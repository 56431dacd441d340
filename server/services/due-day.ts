import { sql } from 'kysely';
import { daysAfter, forKeyShare, isOneOf } from '../../db/expressions.ts';
import type { Db, Trx } from '../../db/schema.ts';
import type { PlainDate } from '../../shared/dates.ts';

/** `dueDay` as SQL, of a statement over `invoices`. */
export function dueDayOf(db: Db) {
  const from = sql`coalesce(invoices.fecharecepcion, invoices.fechaemision)`;
  const creditDays = sql`(select diascredito from suppliers where suppliers.id = invoices."supplierId")`;
  return sql<PlainDate>`coalesce(invoices.fechavencimiento, ${daysAfter(db, from, creditDays)},
    invoices.fechacaptura)`;
}

/** Suppliers, whose credit days stay the same until the transaction ends: what is stored now is due by them. */
export async function holdSuppliers(
  trx: Trx,
  ids: readonly number[],
): Promise<Map<number, { suppliername: string; diascredito: number }>> {
  const rows = await trx
    .selectFrom('suppliers')
    .select(['id', 'suppliername', 'diascredito'])
    .where(isOneOf(trx, 'id', ids))
    .orderBy('id')
    .modifyEnd(forKeyShare(trx))
    .execute();
  return new Map(rows.map((row) => [row.id, row]));
}

/** After a supplier's credit days have changed: what is due by them is due by the new ones. */
export async function followCreditDays(trx: Trx, supplierId: number): Promise<void> {
  await trx
    .updateTable('invoices')
    .set({ vence: dueDayOf(trx) })
    .where('supplierId', '=', supplierId)
    .where('fechavencimiento', 'is', null)
    .where(sql<boolean>`coalesce(fecharecepcion, fechaemision) is not null`)
    .execute();
}
