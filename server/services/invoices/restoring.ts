import { isViolation } from '../../../db/errors.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Invoice } from '../../../shared/invoices.ts';
import { numberKey } from '../../../shared/text.ts';
import { type KeptAttachment, keepAttachments, restoreAttachments } from '../attachments-kept.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { costOf, holdToBudget } from '../budgets/budget-book.ts';
import { dayOfInvoice, requireOpen } from '../closing/closing.ts';
import { requireNoExpense } from '../petty-cash/uuids.ts';
import { requireReferences } from '../references.ts';
import { lastDeleted } from '../stored-rows.ts';
import { holdCreditDays } from './due-day.ts';
import { invoicesOfCfdi } from './finding.ts';
import { holdNumbers } from './number-locks.ts';
import { getInvoice } from './reading.ts';
import { invoiceRow } from './rows.ts';
import { numberOrId, requireFreeNumber, warnOfLookalikes } from './rules.ts';

/** What goes with an invoice, and no screen of it says. */
interface KeptOfDeleted {
  formerUuid?: string | null;
  userId?: number | null;
  importId?: number | null;
  document?: Awaited<ReturnType<typeof readDocument>>;
  attachments?: readonly KeptAttachment[];
  /** of the newest invoice when it was deleted: what was captured later has a higher one */
  newestId?: number;
  /** of receipts that say what was paid of it */
  receiptLineIds?: number[];
}

/** All that is needed for it to come back, before it goes; its files stay for a while. */
export async function keepForRestoring(trx: Trx, actor: Actor, id: number): Promise<KeptOfDeleted> {
  const row = await trx
    .selectFrom('invoices')
    .select(['formerUuid', 'userId', 'importId'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const document = await readDocument(trx, id);
  const attachments = await keepAttachments(trx, actor, id);
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

const readDocument = (trx: Trx, invoiceId: number) =>
  trx.selectFrom('cfdi_documents').selectAll().where('invoiceId', '=', invoiceId).executeTakeFirst();

/** An invoice that is back, and what its reader should know. */
interface RestoredInvoice {
  invoice: Invoice;
  warnings: string[];
  about: number[];
}

/**
 * Brings a deleted invoice back under its id, with its CFDI and attachments, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted), conflict (not_deleted; its UUID or number was captured again; closed_period), invalid
 * (its supplier, obra or rubro is gone; budget_exceeded)
 */
export async function restoreInvoice(db: Db, actor: Actor, id: number): Promise<RestoredInvoice> {
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<Invoice & KeptOfDeleted>(trx, 'invoices', id);
    if (!deleted) throw new DomainError('not-found', `No existe una factura eliminada ${id}.`);
    const exists = await trx.selectFrom('invoices').select('id').where('id', '=', id).executeTakeFirst();
    if (exists) throw notDeleted(id);
    // Those deleted before these were kept have no such members.
    const { userId = null, importId = null, fechacaptura = deleted.createdAt.slice(0, 10) } = deleted;
    await requireOpen(trx, actor, [dayOfInvoice({ ...deleted, fechacaptura })]);
    const { supplierId, jobId, rubroId } = deleted;
    await requireReferences(trx, { supplierId, jobId, rubroId });
    await requireFree(trx, deleted);
    const overrun = await holdToBudget(trx, actor, costOf(deleted));
    const creditDays = await holdCreditDays(trx, supplierId);
    const stamp = { at: deleted.createdAt, today: fechacaptura, userId, importId };
    await trx
      .insertInto('invoices')
      .values({
        ...invoiceRow(deleted, creditDays, stamp as Parameters<typeof invoiceRow>[2]),
        id,
        updatedAt: actor.at,
        version: deleted.version + 1,
      })
      .execute()
      .catch((error: unknown) => {
        throw isViolation(error, 'unique') ? notDeleted(id) : error;
      });
    const lost = await restoreKept(trx, actor, id, deleted);
    const invoice = await getInvoice(trx, id);
    // Of its files some may be gone for good.
    const also = { attachments: (deleted.attachments ?? []).map((attachment) => attachment.id) };
    audit(trx, actor, { action: 'restore', entity: 'invoices', entityId: id, after: invoice, also });
    const { warnings, about } = await warnOfLookalikes(trx, invoice);
    return { invoice, warnings: [...warnings, ...overrun, ...lost], about };
  });
}

const notDeleted = (id: number) =>
  new DomainError('conflict', `La factura ${id} no está eliminada.`, { code: 'not_deleted' });

/** What was captured in its place stands; what stood beside it before may do so again. */
async function requireFree(
  trx: Trx,
  { id, uuid, supplierId, numfactura, newestId = id }: Invoice & KeptOfDeleted,
): Promise<void> {
  if (uuid) {
    const taken = (await invoicesOfCfdi(trx, [uuid])).get(uuid);
    if (!taken) return requireNoExpense(trx, uuid);
    const message = `Su CFDI ya está en la factura ${numberOrId(taken.numfactura, taken.id)}.`;
    throw new DomainError('conflict', message, {
      code: 'duplicate_invoice',
      extra: { existingId: taken.id },
    });
  }
  const number = { supplierId, numfacturaKey: numberKey(numfactura) };
  if (!number.numfacturaKey) return;
  await holdNumbers(trx, [number]);
  const newer = await trx
    .selectFrom('invoices')
    .select('id')
    .where('supplierId', '=', supplierId)
    .where('numfacturaKey', '=', number.numfacturaKey)
    .where('id', '>', newestId)
    .executeTakeFirst();
  if (newer) await requireFreeNumber(trx, { supplierId, numfactura }, false);
}

/** Its document, its files and the receipts that name it. @returns what is said of files that are gone for good */
async function restoreKept(trx: Trx, actor: Actor, id: number, kept: KeptOfDeleted): Promise<string[]> {
  const { document, attachments = [], receiptLineIds = [] } = kept;
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
