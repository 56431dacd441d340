import type { Trx } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Remark, remark, withRemedy } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { dayOfInvoice, refuseClosed } from '../closing/closing.ts';
import { type DocumentedInvoice, labelOf } from '../invoices/known.ts';
import { requireInNoBatch } from '../payments/committed.ts';
import { giveWayToNote, noteLabel, refuseGivingWay } from './credit-notes.ts';
import { settleArrival } from './invoices.ts';
import type { Outcome } from './outcomes.ts';
import { type CfdiPart, removePayment } from './part.ts';
import { giveWayToReceipt } from './payment-receipts.ts';
import type { KnownNote } from './settlements-on-file.ts';

/**
 * What is on file although another document on file replaces it gives way: a document that came between the two has
 * told so, or the other one is of another kind, or replaces several. The outcome of the document that tells it says so.
 */
export async function giveWay(
  part: CfdiPart,
  readings: readonly CfdiReading[],
  outcomes: Map<CfdiReading, Outcome>,
): Promise<void> {
  const { settlements, invoices, replacements } = part;
  const uuids = [...new Set(replacements.uuids)].sort();
  for (const uuid of uuids) {
    const note = settlements.noteOf(uuid);
    const receipt = settlements.receiptOf(uuid);
    const invoice = invoices.withUuid(uuid);
    const former = note ?? receipt ?? invoice;
    const heirs = replacements.livingOf(uuid).filter((one) => one !== uuid);
    const heirOf = <Known extends { supplierId: number }>(found: (uuid: string) => Known | undefined) =>
      heirs.map(found).find((one) => one?.supplierId === former?.supplierId);
    const heirInvoice = heirOf(invoices.withUuid);
    const heirNote = heirOf(settlements.noteOf);
    const heirReceipt = heirOf(settlements.receiptOf);
    const isReplaced = former !== undefined && (heirInvoice ?? heirNote ?? heirReceipt) !== undefined;
    // What names a document in the middle of a chain may know only now which invoice counts.
    const living = isReplaced ? undefined : invoices.withUuid(replacements.livingOf(uuid)[0]!);
    let said: Remark[] = living ? await settleArrival(part, living) : [];
    if (isReplaced)
      said = note
        ? await noteGivesWay(part, note)
        : receipt
          ? await giveWayToReceipt(part, receipt, heirReceipt)
          : await invoiceGivesWay(part, invoice!, heirInvoice);
    tell(readings, outcomes, [uuid, ...replacements.chainOf(uuid)], said);
  }
}

async function noteGivesWay(part: CfdiPart, note: KnownNote): Promise<Remark[]> {
  const kept = refuseGivingWay(part, note);
  if (kept) return [kept];
  const freed = await giveWayToNote(part, note);
  const said: Remark[] = [remark`Se quitó ${noteLabel(note)}, que está sustituida.`];
  for (const invoice of freed) said.push(...(await settleArrival(part, invoice)));
  return said;
}

/** The payments of an invoice go to the one that replaces it, and its credit notes are applied to that. */
async function invoiceGivesWay(
  part: CfdiPart,
  invoice: DocumentedInvoice,
  heir: DocumentedInvoice | undefined,
): Promise<Remark[]> {
  const { db, actor, closing, options, invoices, settlements, payments, writer } = part;
  const label = remark`la factura ${labelOf(invoice)}, que está sustituida`;
  if (invoice.paidCents > 0 && (!options.replace || !heir)) {
    const says = remark`Sigue registrada ${label}: tiene pagos.`;
    return [heir ? withRemedy(says, 'replace-former') : says];
  }
  const closed = refuseClosed(actor, dayOfInvoice(invoice), closing) ?? (await inBatch(db as Trx, invoice));
  if (closed) return [remark`Sigue registrada ${label}. ${closed.message}`];
  if (heir) {
    await settlements.readPayments(db, [invoice, heir], payments);
    const paid = settlements.paymentsOn({ invoiceId: invoice.id });
    const credits = paid.filter(({ creditNoteId }) => creditNoteId !== null);
    const trial = payments.trial([invoice, heir]);
    const free = settlements.freePayments(invoice.id);
    const moved = paid
      .filter(({ creditNoteId }) => creditNoteId === null)
      .map((payment) => trial.ask({ id: payment.id, facturaproveedorId: heir.id }, payment));
    for (const one of moved)
      if (one.outcome === 'refused') return [remark`Sigue registrada ${label}. ${one.refused.message}`];
    for (const note of settlements.notes) payments.know(invoice, note);
    for (const credit of credits) removePayment(part, credit);
    for (const one of moved) payments.accept(one);
    for (const payment of free) settlements.freePayment(payment);
  }
  invoices.remove(invoice);
  writer.removeInvoice(invoice.id, heir?.id ?? null);
  return [remark`Se quitó ${label}.`, ...(heir ? await settleArrival(part, heir) : [])];
}

async function inBatch(trx: Trx, { id, numfactura }: DocumentedInvoice): Promise<Error | undefined> {
  try {
    await requireInNoBatch(trx, id, numfactura);
    return undefined;
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
}

/** @param chain UUIDs of the documents that it may be told of, the first that came with this part */
function tell(
  readings: readonly CfdiReading[],
  outcomes: Map<CfdiReading, Outcome>,
  chain: readonly string[],
  said: readonly Remark[],
): void {
  if (said.length === 0) return;
  const reading = readings.find(({ uuid }) => uuid && chain.includes(uuid));
  const outcome = reading && outcomes.get(reading);
  if (!outcome) return;
  const { reason } = outcome;
  if (reason !== undefined) outcome.reason = said.reduce<Remark>((all, one) => remark`${all} ${one}`, reason);
  else {
    outcome.warnings = [...(outcome.warnings ?? []), ...said];
    if (outcome.outcome === 'created') outcome.outcome = 'warned';
    else if (outcome.outcome === 'unchanged') Object.assign(outcome, { outcome: 'warned', linked: true });
  }
}
