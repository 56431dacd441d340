import type { Trx } from '../../db/schema.ts';
import { type Refusal, refusal, refuse } from '../../shared/refusal.ts';

const NAMES = {
  supplierId: 'el proveedor',
  jobId: 'la obra',
  rubroId: 'el rubro',
  origenderecursoId: 'el origen de recurso',
} as const;

/** @throws DomainError invalid where there is no such funding source */
export async function requireFundingSource(trx: Trx, id: number): Promise<void> {
  const found = await trx.selectFrom('funding_sources').select('id').where('id', '=', id).executeTakeFirst();
  if (!found) refuse(missingReferenceRefusal('origenderecursoId', id));
}

export const missingReferenceRefusal = (field: keyof typeof NAMES, id: number): Refusal =>
  refusal(`No existe ${NAMES[field]} ${id}.`, field);
