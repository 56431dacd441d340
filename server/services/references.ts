import { sql } from 'kysely';
import { isOneOf } from '../../db/expressions.ts';
import type { Schema, Trx } from '../../db/schema.ts';
import { refusal, refuse } from '../../shared/refusal.ts';

const TABLES = {
  supplierId: ['suppliers', 'el proveedor'],
  jobId: ['jobs', 'la obra'],
  rubroId: ['rubros', 'el rubro'],
  facturaproveedorId: ['invoices', 'la factura'],
  origenderecursoId: ['funding_sources', 'el origen de recurso'],
  pagosOrigenId: ['funding_sources', 'el origen de recurso'],
  responsableId: ['users', 'el usuario'],
} as const;

type References = Partial<Record<keyof typeof TABLES, number | null>>;

/** @throws DomainError invalid, naming the first field whose row does not exist; null refers to nothing */
export async function requireReferences(trx: Trx, references: References): Promise<void> {
  for (const [field, id] of Object.entries(references) as Array<[keyof typeof TABLES, number | null]>) {
    if (id === null) continue;
    const [table, what] = TABLES[field];
    const exists = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    if (!exists) refuse(refusal(`No existe ${what} ${id}.`, field));
  }
}

/** Those of these ids that there are. */
export async function presentIds(
  trx: Trx,
  table: keyof Schema,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await sql<{
    id: number;
  }>`select id from ${sql.table(table)} where ${isOneOf(trx, 'id', ids)}`.execute(trx);
  return new Set(rows.rows.map(({ id }) => id));
}
