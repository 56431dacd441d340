import { isOneOf } from '../../../db/expressions.ts';
import type { Db } from '../../../db/schema.ts';
import type { CfdiDetail } from '../../formats/cfdi/candidates.ts';
import type { SealState } from '../../formats/cfdi/document.ts';

/** Whether the seal of each invoice's CFDI fits its stamp and contents; invoices without a seal are left out. */
export async function checkInvoiceSeals(db: Db, ids: readonly number[]): Promise<Map<number, SealState>> {
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
