import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type Invoice,
  type InvoiceFieldValues,
  invoiceNumberOrId,
  invoiceTexts,
} from '../../../shared/invoices.ts';
import type { PaymentKind } from '../../../shared/payments.ts';
import { throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { dayOfInvoice, requireOpenPeriod } from '../closing/closing.ts';
import { Replacements } from '../document-relations.ts';
import { findInBatchError } from '../payments/committed-amounts.ts';
import { findTakenUuidRefusal, readUuidFacts } from '../petty-cash/voucher-uuids.ts';
import { lockRow, readLastDeleted, requireCurrentVersion } from '../stored-rows.ts';
import { type SavedResult, toSavedResult } from '../write-drafts.ts';
import { getInvoice } from './reading.ts';
import { collectRestoreData, type InvoiceRestoreData, readCfdiDocument } from './restoring.ts';
import { writeInvoices } from './write.ts';

export type SavedInvoice = SavedResult<'invoice', Invoice>;

interface SaveOptions {
  allowDuplicate?: boolean;
  /** The version that the sender saw. Without it, a newer version is overwritten. */
  version?: number;
}

/** @throws DomainError of the broken rule (rules.ts) */
export const createInvoice = async (
  db: Db,
  actor: Actor,
  draft: InvoiceFieldValues,
  { allowDuplicate }: SaveOptions = {},
): Promise<SavedInvoice> =>
  toSavedResult('invoice', await writeInvoices(db, actor, [draft], { allowDuplicate }));

/** Sending the stored amounts is no change. @throws DomainError of the broken rule */
export const updateInvoice = async (
  db: Db,
  actor: Actor,
  id: number,
  draft: InvoiceFieldValues,
  { allowDuplicate, version }: SaveOptions = {},
): Promise<SavedInvoice> =>
  toSavedResult('invoice', await writeInvoices(db, actor, [{ ...draft, id, version }], { allowDuplicate }));

/** @throws DomainError not-found where no row with this id was deleted; otherwise the error of the broken rule */
export const restoreInvoice = (db: Db, actor: Actor, id: number): Promise<SavedInvoice> =>
  inTransaction(db, async (trx) => {
    const deleted = await readLastDeleted<Invoice & InvoiceRestoreData>(trx, 'invoices', id);
    if (!deleted) throw new DomainError('not-found', `No existe una factura eliminada ${id}.`);
    return toSavedResult('invoice', await writeInvoices(trx, actor, [{ deleted }]));
  });

/**
 * Gives a captured invoice the UUID of its CFDI. Its amounts can no longer be edited. The XML can be uploaded later.
 * @throws DomainError not-found, stale, conflict (uuid_taken, closed_period), invalid (replaced by another document)
 */
export async function linkCfdi(
  db: Db,
  actor: Actor,
  id: number,
  uuid: string,
  version?: number,
): Promise<Invoice> {
  return inTransaction(db, async (trx) => {
    const replacements = await Replacements.lockAndRead(trx, [uuid]);
    const before = await lockAndReadInvoice(trx, id, version);
    await requireOpenPeriod(trx, actor, [dayOfInvoice(before)]);
    if (before.uuid)
      throw new DomainError('conflict', `Ya está ligada al CFDI ${before.uuid}.`, { code: 'uuid_taken' });
    const unlinked = await trx
      .selectFrom('invoices')
      .select(['id', 'numfactura'])
      .where('formerUuid', '=', uuid)
      .where('id', '<>', id)
      .executeTakeFirst();
    if (unlinked) {
      const message = `Es el CFDI del que se desligó la factura ${invoiceNumberOrId(unlinked.numfactura, unlinked.id)}.`;
      throw new DomainError('conflict', message, { code: 'uuid_taken' });
    }
    const uuidFacts = await readUuidFacts(trx, [uuid], replacements);
    throwIfRefused(
      replacements.replacedRefusal({ uuid, rfc: before.rfc }) ??
        findTakenUuidRefusal(uuid, undefined, uuidFacts),
    );
    await trx
      .updateTable('invoices')
      .set({
        uuid,
        formerUuid: sql`nullif("formerUuid", ${uuid})`,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const after = await getInvoice(trx, id);
    queueAuditEntry(trx, actor, { action: 'update', entity: 'invoices', entityId: id, before, after });
    return after;
  });
}

/** Once the CFDI is unlinked, the invoice's amounts can be edited. */
export async function unlinkCfdi(db: Db, actor: Actor, id: number, version?: number): Promise<Invoice> {
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadInvoice(trx, id, version);
    await requireOpenPeriod(trx, actor, [dayOfInvoice(before)]);
    if (!before.uuid)
      throw new DomainError('conflict', 'La factura no está ligada a un CFDI.', { code: 'not_linked' });
    const document = await readCfdiDocument(trx, id);
    await trx.deleteFrom('cfdi_documents').where('invoiceId', '=', id).execute();
    await trx
      .updateTable('invoices')
      .set({ uuid: null, formerUuid: before.uuid, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const after = await getInvoice(trx, id);
    queueAuditEntry(trx, actor, {
      action: 'update',
      entity: 'invoices',
      entityId: id,
      before: { ...before, document },
      after,
    });
    return after;
  });
}

/** @throws DomainError not-found, stale, conflict (in_use where payments exist or a batch plans one, closed_period) */
export async function deleteInvoice(db: Db, actor: Actor, id: number, version?: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockAndReadInvoice(trx, id, version);
    await requireOpenPeriod(trx, actor, [dayOfInvoice(before)]);
    const countPaymentsOf = (kind: PaymentKind) =>
      sql<number>`count(case when kind = ${sql.lit(kind)} then 1 end)`;
    const { payments, credits } = await trx
      .selectFrom('payments')
      .select(countPaymentsOf('pago').as('payments'))
      .select(countPaymentsOf('credito').as('credits'))
      .where('facturaproveedorId', '=', id)
      .executeTakeFirstOrThrow();
    if (payments + credits > 0) {
      const has = [
        payments > 0 && (payments === 1 ? 'un pago' : `${payments} pagos`),
        credits > 0 &&
          (credits === 1 ? 'una nota de crédito aplicada' : `${credits} notas de crédito aplicadas`),
      ].filter(Boolean);
      const message = `No se puede eliminar la factura ${invoiceNumberOrId(before.numfactura, id)}: tiene ${has.join(' y ')}.`;
      throw new DomainError('conflict', message, { code: 'in_use' });
    }
    const inBatch = await findInBatchError(trx, before);
    if (inBatch) throw inBatch;
    const restoreData = await collectRestoreData(trx, actor, id);
    await trx.deleteFrom('invoices').where('id', '=', id).execute();
    queueAuditEntry(trx, actor, {
      action: 'delete',
      entity: 'invoices',
      entityId: id,
      before: { ...before, ...restoreData },
    });
  });
}

/** Locks the invoice, so that nobody else changes its paid sum until the transaction ends. */
async function lockAndReadInvoice(trx: Trx, id: number, version: number | undefined): Promise<Invoice> {
  await lockRow(trx, 'invoices', id);
  const invoice = await getInvoice(trx, id);
  requireCurrentVersion(invoice, version, invoiceTexts.stale);
  return invoice;
}
