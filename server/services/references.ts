import type { Trx } from '../../db/schema.ts';
import { type Refusal, refusal, refuse } from '../../shared/refusal.ts';

const TABLES = {
  supplierId: ['suppliers', 'el proveedor'],
  jobId: ['jobs', 'la obra'],
  rubroId: ['rubros', 'el rubro'],
  facturaproveedorId: ['invoices', 'la factura'],
  origenderecursoId: ['funding_sources', 'el origen de recurso'],
} as const;

type References = Partial<Record<keyof typeof TABLES, number | null>>;

/** @throws DomainError invalid, naming the first field whose row does not exist; null refers to nothing */
export async function requireReferences(trx: Trx, references: References): Promise<void> {
  for (const [field, id] of Object.entries(references) as Array<[keyof typeof TABLES, number | null]>) {
    if (id === null) continue;
    const [table] = TABLES[field];
    const exists = await trx.selectFrom(table).select('id').where('id', '=', id).executeTakeFirst();
    if (!exists) refuse(missingReference(field, id));
  }
}

export const missingReference = (field: keyof typeof TABLES, id: number): Refusal =>
  refusal(`No existe ${TABLES[field][1]} ${id}.`, field);
