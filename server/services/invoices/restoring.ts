import type { Trx } from '../../../db/schema.ts';
import type { Actor } from '../audit/audit.ts';
import {
  type RetainedAttachment,
  restoreAttachments,
  retainAttachmentsForRestore,
} from '../retained-attachments.ts';

export interface InvoiceRestoreData {
  formerUuid?: string | null;
  userId?: number | null;
  importId?: number | null;
  document?: Awaited<ReturnType<typeof readCfdiDocument>>;
  attachments?: readonly RetainedAttachment[];
  /** The id of the newest invoice at the time of the deletion; invoices captured later have higher ids. */
  newestId?: number;
  receiptLineIds?: number[];
}

export async function collectRestoreData(trx: Trx, actor: Actor, id: number): Promise<InvoiceRestoreData> {
  const row = await trx
    .selectFrom('invoices')
    .select(['formerUuid', 'userId', 'importId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const document = await readCfdiDocument(trx, id);
  const attachments = await retainAttachmentsForRestore(trx, actor, id);
  const lines = await trx
    .selectFrom('payment_receipt_lines')
    .select('id')
    .where('invoiceId', '=', id)
    .execute();
  const { newestId } = await trx
    .selectFrom('invoices')
    .select(({ fn }) => fn.max('id').as('newestId'))
    .executeTakeFirstOrThrow();
  return {
    ...row,
    newestId,
    ...(document ? { document } : {}),
    ...(attachments.length > 0 ? { attachments } : {}),
    ...(lines.length > 0 ? { receiptLineIds: lines.map((line) => line.id) } : {}),
  };
}

export const readCfdiDocument = (trx: Trx, invoiceId: number) =>
  trx.selectFrom('cfdi_documents').selectAll().where('invoiceId', '=', invoiceId).executeTakeFirst();

/** @returns warnings about files that are no longer retained */
export async function restoreDocumentAndAttachments(
  trx: Trx,
  actor: Actor,
  id: number,
  restoreData: InvoiceRestoreData,
): Promise<string[]> {
  const { document, attachments = [], receiptLineIds = [] } = restoreData;
  if (document) await trx.insertInto('cfdi_documents').values(document).execute();
  if (receiptLineIds.length > 0)
    await trx
      .updateTable('payment_receipt_lines')
      .set({ invoiceId: id })
      .where('id', 'in', receiptLineIds)
      .where('invoiceId', 'is', null)
      .execute();
  return restoreAttachments(trx, actor, id, attachments);
}
