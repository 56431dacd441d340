import type { Trx } from '../../db/schema.ts';
import { createRefusal, type Refusal, throwIfRefused } from '../../shared/refusal.ts';

const REFERENCE_NOUNS = {
  supplierId: 'el proveedor',
  jobId: 'la obra',
  rubroId: 'el rubro',
  origenderecursoId: 'el origen de recurso',
} as const;

/** @throws DomainError invalid where there is no such funding source */
export async function requireFundingSource(trx: Trx, id: number): Promise<void> {
  const found = await trx.selectFrom('funding_sources').select('id').where('id', '=', id).executeTakeFirst();
  if (!found) throwIfRefused(missingReferenceRefusal('origenderecursoId', id));
}

export const missingReferenceRefusal = (field: keyof typeof REFERENCE_NOUNS, id: number): Refusal =>
  createRefusal(`No existe ${REFERENCE_NOUNS[field]} ${id}.`, field);
