import { sql } from 'kysely';
import type { Db, Trx } from '../../db/schema.ts';
import { inTransaction } from '../../db/transaction.ts';
import { DomainError } from '../../shared/errors.ts';
import { type Cents, formatMoney } from '../../shared/money.ts';
import { checkPayment, type Payment, type PaymentDraft, paymentTexts } from '../../shared/payments.ts';
import { refuse } from '../../shared/refusal.ts';
import { fold } from '../../shared/text.ts';
import { type Actor, audit } from './audit.ts';
import { getPayment, selectPayments } from './payment-reading.ts';
import { requireReferences } from './references.ts';
import { lastDeleted, lockRow, requireSeen } from './stored-rows.ts';

/** A saved payment, and what its author should know about it. */
export interface SavedPayment {
  payment: Payment;
  warnings: string[];
  /** ids of the payments that the warnings are about, in their order */
  about: number[];
}

/**
 * The payment and the invoice's paid sum change together, and the sum only where the total allows it.
 * @throws DomainError invalid (what is missing, more than is owed, an unknown invoice or source)
 */
export async function createPayment(db: Db, actor: Actor, draft: PaymentDraft): Promise<SavedPayment> {
  refuse(checkPayment(draft));
  return inTransaction(db, async (trx) => {
    const invoiceId = draft.facturaproveedorId!;
    const origenderecursoId = draft.origenderecursoId ?? null;
    await requireReferences(trx, { facturaproveedorId: invoiceId, origenderecursoId });
    await changePaid(trx, invoiceId, draft.amountCents!);
    const checknum = draft.checknum ?? '';
    const { id } = await trx
      .insertInto('payments')
      .values({
        facturaproveedorId: invoiceId,
        origenderecursoId,
        checknum,
        checknumFold: fold(checknum),
        paymentdate: draft.paymentdate ?? actor.today,
        amountCents: draft.amountCents!,
        comments: draft.comments ?? '',
        userId: actor.userId,
        importId: null,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const payment = await getPayment(trx, id);
    audit(trx, actor, { action: 'create', entity: 'payments', entityId: id, after: payment });
    return { payment, ...(await warnOfCheckNumber(trx, payment)) };
  });
}

/**
 * Changes what the draft names; the former amount is free again for the new one.
 * @throws DomainError not-found, stale (with the stored payment), invalid
 */
export async function updatePayment(
  db: Db,
  actor: Actor,
  id: number,
  draft: PaymentDraft,
  version?: number,
): Promise<SavedPayment> {
  return inTransaction(db, async (trx) => {
    const before = await lockPayment(trx, id, version);
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: Payment = { ...before, ...changed };
    refuse(checkPayment(after));
    const { facturaproveedorId, origenderecursoId } = after;
    await requireReferences(trx, { facturaproveedorId, origenderecursoId });
    if (after.facturaproveedorId === before.facturaproveedorId) {
      await changePaid(trx, before.facturaproveedorId, after.amountCents - before.amountCents);
    } else {
      await changePaid(trx, before.facturaproveedorId, -before.amountCents);
      await changePaid(trx, after.facturaproveedorId, after.amountCents);
    }
    await trx
      .updateTable('payments')
      .set({
        facturaproveedorId: after.facturaproveedorId,
        origenderecursoId: after.origenderecursoId,
        checknum: after.checknum,
        checknumFold: fold(after.checknum),
        paymentdate: after.paymentdate ?? actor.today,
        amountCents: after.amountCents,
        comments: after.comments,
        userId: actor.userId,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const payment = await getPayment(trx, id);
    audit(trx, actor, { action: 'update', entity: 'payments', entityId: id, before, after: payment });
    return { payment, ...(await warnOfCheckNumber(trx, payment)) };
  });
}

/** Frees the amount. @throws DomainError not-found, stale */
export async function deletePayment(db: Db, actor: Actor, id: number, version?: number): Promise<void> {
  await inTransaction(db, async (trx) => {
    const before = await lockPayment(trx, id, version);
    await changePaid(trx, before.facturaproveedorId, -before.amountCents);
    await trx.deleteFrom('payments').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: 'payments', entityId: id, before });
  });
}

/**
 * Brings a deleted payment back under its id, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted), conflict (it exists), invalid (it no longer fits)
 */
export async function restorePayment(db: Db, actor: Actor, id: number): Promise<Payment> {
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<Payment>(trx, 'payments', id);
    if (!deleted) throw new DomainError('not-found', `No existe un pago eliminado ${id}.`);
    const exists = await trx.selectFrom('payments').select('id').where('id', '=', id).executeTakeFirst();
    if (exists) throw notDeleted(id);
    const { facturaproveedorId, origenderecursoId } = deleted;
    await requireReferences(trx, { facturaproveedorId, origenderecursoId });
    await changePaid(trx, deleted.facturaproveedorId, deleted.amountCents);
    const restored = await trx
      .insertInto('payments')
      .values({
        id,
        facturaproveedorId: deleted.facturaproveedorId,
        origenderecursoId: deleted.origenderecursoId,
        checknum: deleted.checknum,
        checknumFold: fold(deleted.checknum),
        paymentdate: deleted.paymentdate,
        amountCents: deleted.amountCents,
        comments: deleted.comments,
        userId: deleted.userId,
        importId: deleted.importId ?? null,
        createdAt: deleted.createdAt,
        updatedAt: actor.at,
        version: deleted.version + 1,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!restored) throw notDeleted(id);
    const payment = await getPayment(trx, id);
    audit(trx, actor, { action: 'restore', entity: 'payments', entityId: id, after: payment });
    return payment;
  });
}

const notDeleted = (id: number) =>
  new DomainError('conflict', `El pago ${id} no está eliminado.`, { code: 'not_deleted' });

/**
 * Adds to an invoice's paid sum where it stays between 0 and the total: check and change are one statement,
 * so no two writers can both find room for the same money. The database's own CHECK stands behind it.
 */
async function changePaid(trx: Trx, invoiceId: number, cents: Cents): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('invoices')
    .set({ paidCents: sql`"paidCents" + ${cents}` })
    .where('id', '=', invoiceId)
    .where(sql<boolean>`"paidCents" + ${cents} between 0 and "totalCents"`)
    .executeTakeFirst();
  if (numUpdatedRows === 1n) return;
  const message = paymentTexts.beyondTotal;
  throw new DomainError('invalid', message, { code: 'overpayment', fields: { paymentamount: message } });
}

async function lockPayment(trx: Trx, id: number, version: number | undefined): Promise<Payment> {
  await lockRow(trx, 'payments', id);
  const payment = await getPayment(trx, id);
  requireSeen(payment, version, 'Otra persona guardó este pago mientras lo editabas.');
  return payment;
}

/** One cheque may pay several invoices of one supplier; the same number for another supplier deserves a look. */
async function warnOfCheckNumber(
  trx: Trx,
  payment: Payment,
): Promise<{ warnings: string[]; about: number[] }> {
  if (!payment.checknum || payment.origenderecursoId === null) return { warnings: [], about: [] };
  const others = await selectPayments(
    trx
      .selectFrom('payments')
      .where('checknumFold', '=', fold(payment.checknum))
      .where('origenderecursoId', '=', payment.origenderecursoId)
      .where(
        'facturaproveedorId',
        'not in',
        trx
          .selectFrom('invoices as own')
          .innerJoin('invoices as same', 'same.supplierId', 'own.supplierId')
          .select('same.id')
          .where('own.id', '=', payment.facturaproveedorId),
      ),
  )
    .limit(1)
    .execute();
  return {
    warnings: others.map(
      (other) =>
        `El cheque ${payment.checknum} ya se usó para ${other.suppliername} (${formatMoney(other.amountCents)}).`,
    ),
    about: others.map(({ id }) => id),
  };
}
