import { sql } from 'kysely';
import { valuesTable } from '../../../db/bulk.ts';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { Instant } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import {
  type BatchLine,
  bankAmountFieldName,
  batchTexts,
  type FullBatch,
  groupBySupplier,
  incrementChequeNumber,
  isChequeNumber,
  isOpenLine,
  isPayableLine,
  listForeignLineLabels,
  wasSent,
} from '../../../shared/payment-batches.ts';
import type { Payment, PaymentFieldValues } from '../../../shared/payments.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import type { Actor } from '../audit/audit.ts';
import { requireNotBankMatched } from '../bank-matches.ts';
import {
  lockAndReadPayableInvoices,
  lockClosingAndInvoices,
  requireUncommittedAmount,
} from '../payments/committed-amounts.ts';
import { deletePayments, writePayments } from '../payments/write.ts';
import { collectWarnings, requireNoneRefused } from '../write-drafts.ts';
import { lockAndReadBatch, requireBatchState, saveBatch } from './payment-batches.ts';
import { readBatchSettings, recheckBatch, requireApprover, requireSigned } from './stages.ts';

/** The bank identifies a batch's payments by consecutive cheque numbers, or by one reference for all. */
interface ChequeOrReference {
  /** the first number; suppliers get consecutive numbers in the order in which the batch shows them */
  cheque?: string;
  referencia?: string;
}

interface PayBatchOptions extends ChequeOrReference {
  /** what left the bank for each line in another currency, by invoice id */
  importesbanco?: ReadonlyMap<number, Cents>;
}

interface BatchPaymentResult extends ReturnType<typeof collectWarnings> {
  batch: FullBatch;
  payments: Payment[];
}

/**
 * @throws DomainError forbidden, not-found, stale, invalid (both cheque and reference, bad number, bank amounts),
 * conflict (batch_state: another user was faster; unsigned, all_held)
 */
export async function payBatch(
  db: Db,
  actor: Actor,
  id: number,
  { importesbanco = new Map(), ...numbers }: PayBatchOptions = {},
  version?: number,
): Promise<BatchPaymentResult> {
  requireApprover(actor);
  requireValidChequeOrReference(numbers);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['autorizada', 'enviada'], 'pagar');
    const rules = await requireSigned(trx, before);
    const invoiceIds = before.lines.map(({ invoiceId }) => invoiceId);
    await lockClosingAndInvoices(trx, invoiceIds);
    const { lines } = await recheckBatch(trx, actor, before, 'pagar', rules);
    const payable = lines.filter(isPayableLine);
    if (payable.length === 0) throw new DomainError('conflict', batchTexts.allHeld, { code: 'all_held' });
    requireBankAmounts(payable, importesbanco);
    const checknumOf = createChequeNumberLookup(payable, numbers);
    const paymentDetailsOf = ({ supplierId, invoiceId }: BatchLine) => ({
      paymentdate: before.fecha,
      checknum: checknumOf(supplierId),
      importebancoCents: importesbanco.get(invoiceId),
    });
    const written = await payLines(
      trx,
      actor,
      before,
      payable,
      paymentDetailsOf,
      numbers.cheque ? 'new' : 'none',
    );
    const paid = { estado: 'pagada', paidBy: actor.userId, paidAt: actor.at } as const;
    const batch = await saveBatch(trx, actor, before, paid, before);
    return { batch, payments: written.map(({ row }) => row!), ...collectWarnings(written) };
  });
}

/**
 * Takes a batch one step back: an authorised or sent one is a draft again, without signatures; a paid one loses its
 * payments and is authorised again. For a batch that was sent, the actor gives a reason and is not its sender.
 * @throws DomainError not-found, stale, forbidden (payments), conflict (batch_state, same_sender, bank_matched),
 * invalid (no reason, over_committed)
 */
export async function moveBatchBackOneStage(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<FullBatch> {
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadBatch(trx, id, version);
    requireBatchState(before, ['autorizada', 'enviada', 'pagada'], 'regresar');
    if (wasSent(before)) await requireMayRevert(trx, actor, before);
    const unsent = { sentBy: null, sentOn: null };
    await trx.updateTable('payment_batch_lines').set({ sentAt: null }).where('batchId', '=', id).execute();
    if (before.lines.every(isOpenLine) && before.estado !== 'pagada') {
      await trx.deleteFrom('payment_batch_signatures').where('batchId', '=', id).execute();
      return saveBatch(trx, actor, before, { ...unsent, estado: 'borrador' });
    }
    requireApprover(actor);
    await requireNotBankMatched(
      trx,
      'movementId',
      before.lines.map(({ movementId }) => movementId),
    );
    await deletePaymentsOfLines(trx, actor, before.id, before.lines, null);
    await requireStillAvailable(trx, before);
    const unpaid = { ...unsent, estado: 'autorizada', paidBy: null, paidAt: null } as const;
    return saveBatch(trx, actor, before, unpaid);
  });
}

/** Older batches do not record who sent them, so each of their signers counts as the sender. */
async function requireMayRevert(trx: Trx, actor: Actor, batch: FullBatch): Promise<void> {
  const { sentBy, signatures } = batch;
  if (!actor.motivo) throwIfRefused(createRefusal(batchTexts.reason, 'motivo'));
  const { autorizacion } = await readBatchSettings(trx, batch);
  const senders = sentBy === null ? signatures.map(({ userId }) => userId) : [sentBy];
  if (autorizacion === 'otra' && senders.includes(actor.userId))
    throw new DomainError('conflict', batchTexts.sameSender, { code: 'same_sender' });
}

/**
 * Checks that no other batch has committed the amounts of the lines that lose their payments. An invoice that was paid
 * by hand meanwhile passes here, because the check at the step of paying holds its line.
 * @throws DomainError invalid over_committed
 */
async function requireStillAvailable(trx: Trx, { id, lines }: FullBatch): Promise<void> {
  const invoices = await lockAndReadPayableInvoices(trx, lines, id);
  for (const { invoiceId, amountCents } of lines) {
    const invoice = invoices.get(invoiceId)!;
    if (invoice.committedCents > 0) requireUncommittedAmount(invoice, amountCents);
  }
}

function requireValidChequeOrReference({ cheque = '', referencia = '' }: ChequeOrReference): void {
  if (cheque && referencia) throwIfRefused(createRefusal(batchTexts.oneNumber, 'cheque', 'referencia'));
  if (cheque && !isChequeNumber(cheque)) throwIfRefused(createRefusal(batchTexts.cheque, 'cheque'));
}

/** Requires the bank amounts of lines in another currency, because only the bank's statement shows the rate. */
function requireBankAmounts(
  payableLines: readonly BatchLine[],
  bankAmounts: ReadonlyMap<number, Cents>,
): void {
  const foreign = payableLines.filter((line) => line.foreign);
  const missing = foreign.filter(({ invoiceId }) => !bankAmounts.has(invoiceId));
  if (missing.length > 0) {
    const message = batchTexts.bankAmounts(listForeignLineLabels(missing));
    const fields = missing.map(
      ({ invoiceId }) => [bankAmountFieldName(invoiceId), batchTexts.bankAmount] as const,
    );
    throwIfRefused({ message, fields: { importesbanco: message, ...Object.fromEntries(fields) } });
  }
  const other = [...bankAmounts.keys()].find((id) => !foreign.some(({ invoiceId }) => invoiceId === id));
  if (other !== undefined) throwIfRefused(createRefusal(batchTexts.notForeign(other), 'importesbanco'));
}

function createChequeNumberLookup(
  lines: readonly BatchLine[],
  { cheque = '', referencia = '' }: ChequeOrReference,
): (supplierId: number) => string {
  if (!cheque) return () => referencia;
  const positions = new Map(groupBySupplier(lines).map(({ supplierId }, position) => [supplierId, position]));
  return (supplierId) => incrementChequeNumber(cheque, positions.get(supplierId)!);
}

export async function payLines(
  trx: Trx,
  actor: Actor,
  { id: batch, origenderecursoId }: Pick<FullBatch, 'id' | 'origenderecursoId'>,
  lines: readonly BatchLine[],
  paymentDetailsOf: (
    line: BatchLine,
  ) => Pick<PaymentFieldValues, 'paymentdate' | 'checknum' | 'importebancoCents'>,
  chequeNumbers: 'new' | 'none' = 'none',
) {
  const drafts = lines.map((line) => ({
    facturaproveedorId: line.invoiceId,
    origenderecursoId,
    amountCents: line.amountCents,
    comments: `Programación de pagos ${batch}`,
    ...paymentDetailsOf(line),
  }));
  const written = requireNoneRefused(
    await writePayments(trx, actor, drafts, { isForBatch: true, chequeNumbers }),
  );
  const rows = written.map(({ row }) => ({ batch, line: row!.facturaproveedorId, payment: row!.id }));
  await sql`update payment_batch_lines set "paymentId" = w.payment
    from ${valuesTable(trx, { batch: 'bigint', line: 'bigint', payment: 'bigint' }, rows)} as w
    where payment_batch_lines."batchId" = w.batch and payment_batch_lines."invoiceId" = w.line`.execute(trx);
  return written;
}

/** @param refusedAt when the bank returned the payments; null if it did not */
export async function deletePaymentsOfLines(
  trx: Trx,
  actor: Actor,
  batchId: number,
  lines: readonly BatchLine[],
  refusedAt: Instant | null,
): Promise<void> {
  const invoiceIds = lines.map(({ invoiceId }) => invoiceId);
  await trx
    .updateTable('payment_batch_lines')
    .set({ paymentId: null, movementId: null, refusedAt })
    .where('batchId', '=', batchId)
    .where(isOneOf(trx, 'invoiceId', invoiceIds))
    .execute();
  const paid = lines.flatMap(({ paymentId }) => paymentId ?? []);
  await deletePayments(trx, actor, paid);
}
