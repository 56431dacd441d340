import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { StatedRegime } from '../../formats/cfdi/candidates.ts';

/** The regime that the supplier's latest CFDI states; null: none does. */
export async function readRegime(db: Db, supplierId: number): Promise<string | null> {
  const row = await db
    .selectFrom('suppliers')
    .select('regimenFiscal')
    .where('id', '=', supplierId)
    .executeTakeFirst();
  return row?.regimenFiscal ?? null;
}

/** A document from before the one that is known changes nothing. */
export async function storeRegimes(
  trx: Trx,
  stated: readonly (StatedRegime & { supplierId: number })[],
): Promise<void> {
  const latest = new Map<number, { s: number; r: string; f: string }>();
  for (const { supplierId: s, regimenFiscal: r, fecha: f } of stated)
    if (r !== '' && f >= (latest.get(s)?.f ?? '')) latest.set(s, { s, r, f });
  if (latest.size === 0) return;
  const rows = [...latest.values()].sort((one, other) => one.s - other.s);
  await sql`update suppliers set "regimenFiscal" = w.r, "regimenFecha" = w.f
    from ${valuesTable(trx, { s: 'bigint', r: 'text', f: 'date' }, rows)} as w
    where suppliers.id = w.s and ("regimenFecha" is null or "regimenFecha" <= w.f)`.execute(trx);
}
