import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import type { StatedRegime } from '../../formats/cfdi/candidates.ts';

/** The regime that the supplier's latest CFDI states; null if none states one. */
export async function readRegime(db: Db, supplierId: number): Promise<string | null> {
  const row = await db
    .selectFrom('suppliers')
    .select('regimenFiscal')
    .where('id', '=', supplierId)
    .executeTakeFirst();
  return row?.regimenFiscal ?? null;
}

type SupplierRegime = StatedRegime & { supplierId: number };

/** A document changes nothing if it is older than the one from which the stored regime was taken. */
export async function storeRegimes(trx: Trx, statedRegimes: readonly SupplierRegime[]): Promise<void> {
  const latest = new Map<number, SupplierRegime>();
  for (const one of statedRegimes)
    if (one.regimenFiscal !== '' && one.fecha >= (latest.get(one.supplierId)?.fecha ?? ''))
      latest.set(one.supplierId, one);
  if (latest.size === 0) return;
  const rows = [...latest.values()].sort((one, other) => one.supplierId - other.supplierId);
  const columns = { supplierId: 'bigint', regimenFiscal: 'text', fecha: 'date' } as const;
  await sql`update suppliers set "regimenFiscal" = latest."regimenFiscal", "regimenFecha" = latest.fecha
    from ${valuesTable(trx, columns, rows)} as latest
    where suppliers.id = latest."supplierId" and ("regimenFecha" is null or "regimenFecha" <= latest.fecha)`.execute(
    trx,
  );
}
