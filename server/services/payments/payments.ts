import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney } from '../../../shared/money.ts';
import { batchTexts } from '../../../shared/payment-batches.ts';
import {
  checkPayment,
  type Payment,
  type PaymentDraft,
  paymentTexts,
  takenBy,
  warnOfBank,
} from '../../../shared/payments.ts';
import { refuse } from '../../../shared/refusal.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { getCreditNote, requireSameSupplier } from '../credit-notes.ts';
import { changeApplied, changePaid } from '../invoices/paid-sums.ts';
import { batchOfPayment } from '../payment-batches/committed.ts';
import { linkReceipt } from '../payment-receipts.ts';
import { requireBoxes } from '../petty-cash/cash.ts';
import { requireReferences } from '../references.ts';
import { isSame, lastDeleted, lockRow, requireSeen } from '../stored-rows.ts';
import { type AboutPayments, warnOfCheckNumber } from './check-numbers.ts';
import { type ProgrammedOptions, requireUnprogrammed } from './programmed.ts';
import { getPayment } from './reading.ts';
import { paymentColumns, paymentRow } from './rows.ts';
import type { Settlement } from './settlement.ts';
import { warnOfPayments } from './warnings.ts';

/** A saved payment, and what its author should know about it. */
export interface SavedPayment {
  payment: Payment;
  warnings: string[];
  /** ids of the payments that the warnings are about, in their order */
  about: number[];
}

/**
 * The payment and the invoice's paid sum change together, and the sum only where the total allows it.
 * @throws DomainError invalid (what is missing, more than is owed, an unknown invoice or source), conflict
 *   (closed_period, in_open_batch)
 */
export async function createPayment(
  db: Db,
  actor: Actor,
  draft: PaymentDraft,
  options: ProgrammedOptions = {},
): Promise<SavedPayment> {
  refuse(checkPayment(draft));
  return inTransaction(db, async (trx) => {
    const paymentdate = draft.paymentdate ?? actor.today;
    await requireOpen(trx, actor, [paymentdate]);
    const invoiceId = draft.facturaproveedorId!;
    const origenderecursoId = draft.origenderecursoId ?? null;
    await requireReferences(trx, { facturaproveedorId: invoiceId, origenderecursoId });
    await changePaid(trx, invoiceId, draft.amountCents!);
    const ofBatches = await requireUnprogrammed(trx, actor, invoiceId, options);
    const paid = {
      ...draft,
      facturaproveedorId: invoiceId,
      origenderecursoId,
      paymentdate,
      amountCents: draft.amountCents!,
    };
    const row = paymentRow(paid, { ...actor, importId: null });
    const { id } = await trx.insertInto('payments').values(row).returning('id').executeTakeFirstOrThrow();
    const takenCents = paid.importebancoCents ?? paid.amountCents;
    await requireBoxes(trx, [{ ...paid, takenCents }]);
    const { payment, told } = await readLinked(trx, id);
    audit(trx, actor, { action: 'create', entity: 'payments', entityId: id, after: payment });
    return { payment, ...(await warnOf(trx, payment, { told, ofBatches })) };
  });
}

/**
 * Changes what the draft names; the former amount is free again for the new one.
 * @throws DomainError not-found, stale (with the stored payment), invalid, conflict (credit_fixed, batch_fixed,
 *   closed_period, in_open_batch)
 */
export async function updatePayment(
  db: Db,
  actor: Actor,
  id: number,
  draft: PaymentDraft,
  { version, ...options }: ProgrammedOptions & { version?: number } = {},
): Promise<SavedPayment> {
  return inTransaction(db, async (trx) => {
    const before = await lockPayment(trx, id, version);
    if (before.kind === 'credito')
      throw new DomainError('conflict', paymentTexts.creditFixed, { code: 'credit_fixed' });
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: Payment = { ...before, ...changed };
    const paymentdate = after.paymentdate ?? actor.today;
    await requireOpen(trx, actor, [before.paymentdate, paymentdate]);
    refuse(checkPayment(after));
    const { facturaproveedorId, origenderecursoId } = after;
    const columns = paymentColumns({ ...after, paymentdate });
    if (isSame(columns, paymentColumns(before)))
      return { payment: before, ...(await warnOf(trx, before, { told: undefined, ofBatches: [] })) };
    const isMoved = facturaproveedorId !== before.facturaproveedorId;
    if (isMoved || after.amountCents !== before.amountCents) await requireOwnTerms(trx, id);
    await requireReferences(trx, { facturaproveedorId, origenderecursoId });
    if (!isMoved) {
      await changePaid(trx, before.facturaproveedorId, after.amountCents - before.amountCents);
    } else {
      await changePaid(trx, before.facturaproveedorId, -before.amountCents);
      await changePaid(trx, after.facturaproveedorId, after.amountCents);
    }
    const asksMore = isMoved || after.amountCents > before.amountCents;
    const ofBatches = asksMore ? await requireUnprogrammed(trx, actor, facturaproveedorId, options) : [];
    await trx
      .updateTable('payments')
      .set({
        ...columns,
        userId: actor.userId,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const takesMore =
      takenBy(after) > takenBy(before) ||
      origenderecursoId !== before.origenderecursoId ||
      paymentdate > before.paymentdate;
    if (takesMore) await requireBoxes(trx, [{ origenderecursoId, paymentdate, takenCents: takenBy(after) }]);
    const { payment, told } = await readLinked(trx, id);
    audit(trx, actor, { action: 'update', entity: 'payments', entityId: id, before, after: payment });
    return { payment, ...(await warnOf(trx, payment, { told, ofBatches })) };
  });
}

/**
 * Frees the amount, of the invoice and of the credit note that it came from.
 * @throws DomainError not-found, stale, conflict closed_period
 */
export async function deletePayment(db: Db, actor: Actor, id: number, version?: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockPayment(trx, id, version);
    await requireOpen(trx, actor, [before.paymentdate]);
    await changePaid(trx, before.facturaproveedorId, -before.amountCents);
    if (before.creditNoteId !== null) await changeApplied(trx, before.creditNoteId, -takenBy(before));
    await trx.deleteFrom('payments').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: 'payments', entityId: id, before });
  });
}

/**
 * Brings a deleted payment back under its id, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted), conflict (it exists, closed_period, in_open_batch), invalid (it no
 *   longer fits, or its credit is used up)
 */
export async function restorePayment(
  db: Db,
  actor: Actor,
  id: number,
  options: ProgrammedOptions = {},
): Promise<SavedPayment> {
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<Payment>(trx, 'payments', id);
    if (!deleted) throw new DomainError('not-found', `No existe un pago eliminado ${id}.`);
    const exists = await trx.selectFrom('payments').select('id').where('id', '=', id).executeTakeFirst();
    if (exists) throw notDeleted(id);
    await requireOpen(trx, actor, [deleted.paymentdate]);
    const { facturaproveedorId, origenderecursoId } = deleted;
    await requireReferences(trx, { facturaproveedorId, origenderecursoId });
    await changePaid(trx, deleted.facturaproveedorId, deleted.amountCents);
    // Payments deleted before there were credit notes, or amounts of the bank, have no such members.
    const { creditNoteId = null, importebancoCents = null } = deleted as Partial<Payment>;
    const stamp = { userId: deleted.userId, at: actor.at, importId: deleted.importId ?? null };
    if (creditNoteId !== null) {
      await changeApplied(trx, creditNoteId, takenBy({ ...deleted, importebancoCents }));
      // The invoice may have been given another supplier meanwhile.
      await requireSameSupplier(trx, await getCreditNote(trx, creditNoteId), facturaproveedorId);
    }
    const restored = await trx
      .insertInto('payments')
      .values({
        ...paymentRow({ ...deleted, creditNoteId, importebancoCents }, stamp),
        id,
        createdAt: deleted.createdAt,
        version: deleted.version + 1,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!restored) throw notDeleted(id);
    // Once it is there: what a batch has paid is no longer to be paid by it.
    const ofBatches =
      creditNoteId === null ? await requireUnprogrammed(trx, actor, facturaproveedorId, options) : [];
    const takenCents = takenBy({ ...deleted, importebancoCents });
    await requireBoxes(trx, [{ origenderecursoId, paymentdate: deleted.paymentdate, takenCents }]);
    const { payment, told } = await readLinked(trx, id);
    audit(trx, actor, { action: 'restore', entity: 'payments', entityId: id, after: payment });
    return { payment, ...(await warnOf(trx, payment, { told, ofBatches })) };
  });
}

/** What a batch has paid is what it said. @throws DomainError conflict batch_fixed */
async function requireOwnTerms(trx: Trx, id: number): Promise<void> {
  const batchId = await batchOfPayment(trx, id);
  if (batchId !== undefined)
    throw new DomainError('conflict', batchTexts.fixedPayment(batchId), { code: 'batch_fixed' });
}

const notDeleted = (id: number) =>
  new DomainError('conflict', `El pago ${id} no está eliminado.`, { code: 'not_deleted' });

/** A payment that was written, with the supplier's receipt of it where that has come before. */
async function readLinked(trx: Trx, id: number): Promise<{ payment: Payment; told: Settlement | undefined }> {
  const payment = await getPayment(trx, id);
  const { told, isChanged } = await linkReceipt(trx, payment);
  return { payment: isChanged ? await getPayment(trx, id) : payment, told };
}

async function lockPayment(trx: Trx, id: number, version: number | undefined): Promise<Payment> {
  await lockRow(trx, 'payments', id);
  const payment = await getPayment(trx, id);
  requireSeen(payment, version, 'Otra persona guardó este pago mientras lo editabas.');
  return payment;
}

async function warnOf(
  trx: Trx,
  payment: Payment,
  { told, ofBatches }: { told: Settlement | undefined; ofBatches: readonly string[] },
): Promise<AboutPayments> {
  const ofCheck = await warnOfCheckNumber(trx, payment);
  const ofOthers = await warnOfPayments(trx, [payment]);
  const ofReceipt = told
    ? [paymentTexts.receiptSays(formatMoney(told.amountCents), formatMoney(takenBy(told)))]
    : [];
  return {
    // Those that are about no other payment come last.
    warnings: [...ofCheck.warnings, ...ofOthers.warnings, ...ofBatches, ...ofReceipt, ...warnOfBank(payment)],
    about: [...ofCheck.about, ...ofOthers.about],
  };
}
