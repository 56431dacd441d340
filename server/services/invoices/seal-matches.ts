import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { SealMatch } from '../../formats/cfdi/document.ts';

/** How the seals of the invoices' CFDI fit their stamps and contents; an invoice without one is left out. */
export async function readSealMatches(db: Db, ids: readonly number[]): Promise<Map<number, SealMatch>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('cfdi_documents')
    .select(['invoiceId', 'sello', 'detail'])
    .where(isOneOf(db, 'invoiceId', ids))
    .execute();
  return new Map(
    rows.flatMap(({ invoiceId, sello: stamped, detail }) => {
      const sello = (JSON.parse(detail) as Partial<CfdiDetail>).isAltered ? 'alterado' : stamped;
      return sello ? [[invoiceId, sello]] : [];
    }),
  );
}
