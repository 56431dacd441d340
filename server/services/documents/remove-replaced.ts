import type { Trx } from '../../../db/schema.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRemark, type Remark, toStructuredRemark, withRemedyCode } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { closedPeriodRefusal, dayOfInvoice } from '../closing/closing.ts';
import { type DocumentedInvoice, invoiceLabel } from '../invoices/known-invoices.ts';
import { findInBatchError } from '../payments/committed-amounts.ts';
import { applyEarlierDocuments, findCurrentAndLostUuids } from './decide-invoices.ts';
import {
  applyCreditNoteWithRemarks,
  findCreditNoteRemovalObstacle,
  knownCreditNoteLabel,
  removeReplacedCreditNote,
} from './decide-notes.ts';
import { removeReceiptPayments, removeReplacedReceipt } from './decide-receipts.ts';
import { type CfdiImportContext, issuerRfcOf, stagePaymentRemoval } from './import-context.ts';
import type { CfdiOutcomeWithoutFile } from './outcomes.ts';
import type { KnownCreditNote } from './stored-settlements.ts';

/**
 * Removes replaced documents that are still stored: those whose replacement a third document states, those replaced by
 * a document of another kind, and the others if a document replaces several. Also undoes what was applied to an invoice
 * by a UUID that now stands for several documents. The document that states the relation gets the remarks.
 */
export async function removeReplacedDocuments(
  context: CfdiImportContext,
  readings: readonly CfdiReading[],
  outcomes: ReadonlyMap<CfdiReading, CfdiOutcomeWithoutFile>,
): Promise<void> {
  for (const chain of context.replacements.replacementChains) {
    const remarks: Remark[] = [];
    for (const uuid of chain) remarks.push(...(await updateChainedDocument(context, uuid)));
    const reading = readings.find(({ uuid }) => uuid !== undefined && chain.includes(uuid));
    const outcome = reading && outcomes.get(reading);
    if (outcome) appendRemarks(outcome, remarks);
  }
}

async function updateChainedDocument(context: CfdiImportContext, uuid: string): Promise<Remark[]> {
  const { options, settlements, invoices, replacements, expensesByUuid } = context;
  const note = settlements.noteWithUuid(uuid);
  const receipt = settlements.receiptWithUuid(uuid);
  const invoice = invoices.withUuid(uuid);
  const document = note ?? receipt ?? invoice;
  const key = { uuid, rfc: receipt?.rfc ?? issuerRfcOf(note ?? invoice) };
  const successors = replacements.findSuccessors(key);
  if (!document) {
    const expense = expensesByUuid.get(uuid);
    const isStoredToo = successors.some((one) => invoices.withUuid(one.uuid));
    return expense && isStoredToo ? [texts.hasReplaced(expense.concepto, expense.nombre)] : [];
  }
  const listSuccessorsOnFile = <Known extends { supplierId: number }>(
    found: (uuid: string) => Known | undefined,
  ) =>
    successors
      .flatMap((one) => found(one.uuid) ?? [])
      .filter((one) => one.supplierId === document.supplierId);
  const receiptSuccessors = listSuccessorsOnFile(settlements.receiptWithUuid);
  const invoiceSuccessors = listSuccessorsOnFile(invoices.withUuid);
  const noteSuccessors = listSuccessorsOnFile(settlements.noteWithUuid);
  // If none of its successors could be stored, the document stays: a refused document changes nothing.
  const isValid =
    successors.length > 0
      ? invoiceSuccessors.length + receiptSuccessors.length + noteSuccessors.length === 0
      : !replacements.isReplaced(key);
  if (!isValid && note) return replaceCreditNote(context, note, noteSuccessors);
  if (!isValid && receipt) return removeReplacedReceipt(context, receipt, receiptSuccessors[0]);
  if (!invoice) return [];
  if (!isValid) return removeReplacedInvoice(context, invoice, invoiceSuccessors);
  const released = options.replace ? await removeSettlementsOfLostUuids(context, invoice) : [];
  return [...released, ...(await applyEarlierDocuments(context, invoice))];
}

async function replaceCreditNote(
  context: CfdiImportContext,
  note: KnownCreditNote,
  successors: readonly KnownCreditNote[],
): Promise<Remark[]> {
  const obstacle = findCreditNoteRemovalObstacle(context, note);
  if (obstacle) return [obstacle];
  const removedPayments = await removeReplacedCreditNote(context, note);
  const remarks: Remark[] = [createRemark`Se quitó ${knownCreditNoteLabel(note)}, que está sustituida.`];
  for (const { facturaproveedorId: id } of removedPayments)
    remarks.push(...(await applyEarlierDocuments(context, context.invoices.withId(id)!)));
  const manual = removedPayments.filter(({ importId }) => importId === null);
  const invoices = manual.flatMap(({ facturaproveedorId: id }) => context.invoices.withId(id) ?? []);
  return [...remarks, ...(await reapplyManualCredits(context, successors, invoices))];
}

/**
 * If several invoices replace this one, or its successor is no invoice, the payments made by receipts and notes are
 * removed. If other payments remain, the invoice stays.
 */
async function removeReplacedInvoice(
  context: CfdiImportContext,
  invoice: DocumentedInvoice,
  successors: readonly DocumentedInvoice[],
): Promise<Remark[]> {
  const { db, actor, closing, options, invoices, settlements, payments, writer } = context;
  const label = createRemark`la factura ${invoiceLabel(invoice)}, que está sustituida`;
  const message = createRemark`Sigue registrada ${label}: tiene pagos.`;
  if (invoice.paidCents > 0 && !options.replace) return [withRemedyCode(message, 'replace-former')];
  const closed =
    closedPeriodRefusal(actor, dayOfInvoice(invoice), closing) ??
    (await findInBatchError(db as Trx, invoice));
  if (closed) return [createRemark`Sigue registrada ${label}. ${closed.message}`];
  const [successor] = successors.length === 1 ? successors : [];
  await settlements.readPayments(db, [invoice, ...successors], payments);
  for (const note of settlements.notes) payments.addInvoice(invoice, note);
  const remarks: Remark[] = [];
  const paid = settlements.paymentsOn({ invoiceId: invoice.id });
  const credits = paid.filter(({ creditNoteId }) => creditNoteId !== null);
  const trial = payments.copyForTrial([invoice, ...successors]);
  for (const credit of credits) {
    const obstacle = trial.stageDeletion(credit);
    if (obstacle) return [createRemark`Sigue registrada ${label}. ${obstacle.message}`];
  }
  if (successor) {
    const withoutReceipt = settlements.matchablePayments(invoice.id);
    const moved = paid
      .filter(({ creditNoteId }) => creditNoteId === null)
      .map((payment) => trial.stage({ id: payment.id, facturaproveedorId: successor.id }, payment));
    for (const one of moved)
      if (one.outcome === 'refused') return [createRemark`Sigue registrada ${label}. ${one.refused.message}`];
    for (const one of moved) payments.acceptOutcome(one);
    for (const payment of withoutReceipt) settlements.includeInMatching(payment);
  } else {
    remarks.push(...(await removeSettlementsOfLostUuids(context, invoice)));
    const remaining = settlements.paymentsOn({ invoiceId: invoice.id });
    if (remaining.some(({ creditNoteId }) => creditNoteId === null)) return [...remarks, message];
  }
  for (const payment of settlements.paymentsOn({ invoiceId: invoice.id }))
    if (payment.creditNoteId !== null) stagePaymentRemoval(context, payment);
  invoices.remove(invoice);
  writer.removeInvoice(invoice.id, successor?.id ?? null);
  remarks.push(createRemark`Se quitó ${label}.`);
  if (!successor) return remarks;
  const manual = settlements.notes.filter(({ id }) =>
    credits.some(({ creditNoteId, importId }) => creditNoteId === id && importId === null),
  );
  return [
    ...remarks,
    ...(await applyEarlierDocuments(context, successor)),
    ...(await reapplyManualCredits(context, manual, [successor])),
  ];
}

/** Repeats what a user had applied by hand, now with the successor of the replaced note or invoice. */
async function reapplyManualCredits(
  context: CfdiImportContext,
  notes: readonly KnownCreditNote[],
  invoices: readonly DocumentedInvoice[],
): Promise<Remark[]> {
  const remarks: Remark[] = [];
  for (const invoice of invoices)
    for (const note of notes) remarks.push(...(await applyCreditNoteWithRemarks(context, note, invoice)));
  return remarks;
}

async function removeSettlementsOfLostUuids(
  context: CfdiImportContext,
  invoice: DocumentedInvoice,
): Promise<Remark[]> {
  const { db, settlements, payments } = context;
  const { current, lost } = findCurrentAndLostUuids(context, invoice);
  if (lost.length === 0) return [];
  await settlements.readPayments(db, [invoice], payments);
  const creditsAnyUuid = (note: KnownCreditNote, uuids: readonly string[]) =>
    note.detail?.credits?.some((uuid) => uuids.includes(uuid));
  const credits = settlements.paymentsOn({ invoiceId: invoice.id });
  for (const note of settlements.notes.filter(
    (one) => creditsAnyUuid(one, lost) && !creditsAnyUuid(one, current),
  )) {
    payments.addInvoice(invoice, note);
    for (const credit of credits)
      if (credit.creditNoteId === note.id && credit.importId !== null) stagePaymentRemoval(context, credit);
  }
  return removeReceiptPayments(context, invoice, lost);
}

function appendRemarks(outcome: CfdiOutcomeWithoutFile, remarks: readonly Remark[]): void {
  if (remarks.length === 0) return;
  const { reason } = outcome;
  if (reason !== undefined) {
    const all = remarks.reduce<Remark>((before, one) => createRemark`${before} ${one}`, reason);
    const remedy = [reason, ...remarks].map((one) => toStructuredRemark(one).remedy).find(Boolean);
    outcome.reason = remedy ? withRemedyCode(all, remedy) : all;
  } else {
    outcome.warnings = [...(outcome.warnings ?? []), ...remarks];
    if (outcome.outcome === 'created') outcome.outcome = 'warned';
    else if (outcome.outcome === 'unchanged') Object.assign(outcome, { outcome: 'warned', linked: true });
  }
}
