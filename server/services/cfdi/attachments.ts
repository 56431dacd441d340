import type { Db, Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { invoicesOfCfdi, type NamedInvoice } from '../invoices/finding.ts';

/**
 * The invoices on file that a credit note or a receipt of payments names, one of another supplier left out, in the
 * order of their ids: the files of such a document belong with them.
 * @param supplierId undefined: not known, as where a receipt does not say who issued it
 */
export async function namedInvoices(
  db: Db,
  document: CfdiReading,
  supplierId: number | undefined,
): Promise<NamedInvoice[]> {
  const uuids =
    'note' in document
      ? document.note.credits
      : 'receipt' in document
        ? document.receipt.lines.map(({ invoiceUuid }) => invoiceUuid)
        : [];
  const found = await invoicesOfCfdi(db, [...new Set(uuids)]);
  const byId = new Map([...found.values()].map((invoice) => [invoice.id, invoice]));
  return [...byId.values()]
    .filter((invoice) => supplierId === undefined || invoice.supplierId === supplierId)
    .sort((a, b) => a.id - b.id);
}

/** Keeps a document's PDF with each of the invoices. @returns what is said of those that take no more files */
export async function keepPdf(
  trx: Trx,
  actor: Actor,
  pdf: { filename: string; bytes: Uint8Array },
  invoiceIds: readonly number[],
): Promise<string[]> {
  const full: string[] = [];
  for (const id of invoiceIds) {
    try {
      await attachFile(trx, actor, id, pdf);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'too_many_attachments') throw error;
      full.push(`El PDF no se guardó: ${error.message}`);
    }
  }
  return [...new Set(full)];
}
