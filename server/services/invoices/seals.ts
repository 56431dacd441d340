import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { SealMatch } from '../../formats/cfdi/document.ts';

/** Whether the seals of the invoices' CFDI are those of their stamps; an invoice of which it is not known is left out. */
export async function readSeals(db: Db, ids: readonly number[]): Promise<Map<number, SealMatch>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('cfdi_documents')
    .select(['invoiceId', 'sello'])
    .where(isOneOf(db, 'invoiceId', ids))
    .where('sello', 'is not', null)
    .execute();
  return new Map(rows.map(({ invoiceId, sello }) => [invoiceId, sello!]));
}
