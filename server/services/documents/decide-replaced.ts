import type { Trx } from '../../../db/schema.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { noteOf, type Remark, remark, withRemedy } from '../../../shared/remarks.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { dayOfInvoice, refuseClosed } from '../closing/closing.ts';
import { type DocumentedInvoice, labelOf } from '../invoices/known.ts';
import { findBatchRefusal } from '../payments/committed.ts';
import { namesOf, settleArrival } from './decide-invoices.ts';
import { giveWayToNote, noteLabel, refuseGivingWay, tellApplied } from './decide-notes.ts';
import { giveWayToReceipt, releaseLines } from './decide-receipts.ts';
import type { Outcome } from './outcomes.ts';
import { type CfdiPart, issuerOf, removePayment } from './place.ts';
import type { KnownNote } from './place-settlements.ts';

/**
 * Removes documents on file that another document on file replaces. They are still there because the relation came with
 * a third document, or because the two are of different kinds, or because one replaces several. Also takes back what
 * was applied to an invoice by a UUID that now stands for several. The document that states the relation gets the
 * remarks.
 */
export async function giveWay(
  part: CfdiPart,
  readings: readonly CfdiReading[],
  outcomes: ReadonlyMap<CfdiReading, Outcome>,
): Promise<void> {
  for (const chain of part.replacements.chains) {
    const said: Remark[] = [];
    for (const uuid of chain) said.push(...(await settleChained(part, uuid)));
    const reading = readings.find(({ uuid }) => uuid !== undefined && chain.includes(uuid));
    const outcome = reading && outcomes.get(reading);
    if (outcome) tell(outcome, said);
  }
}

async function settleChained(part: CfdiPart, uuid: string): Promise<Remark[]> {
  const { options, settlements, invoices, replacements, expenses } = part;
  const note = settlements.noteOf(uuid);
  const receipt = settlements.receiptOf(uuid);
  const invoice = invoices.withUuid(uuid);
  const previous = note ?? receipt ?? invoice;
  const named = { uuid, rfc: receipt?.rfc ?? issuerOf(note ?? invoice) };
  if (!previous) {
    const expense = expenses.get(uuid);
    const isStoredToo = replacements.findSuccessors(named).some((one) => invoices.withUuid(one.uuid));
    return expense && isStoredToo ? [texts.hasReplaced(expense.concepto, expense.nombre)] : [];
  }
  const living = replacements.findSuccessors(named);
  const heirs = <Known extends { supplierId: number }>(found: (uuid: string) => Known | undefined) =>
    living.flatMap((one) => found(one.uuid) ?? []).filter((one) => one.supplierId === previous.supplierId);
  const heirReceipts = heirs(settlements.receiptOf);
  const heirInvoices = heirs(invoices.withUuid);
  const heirNotes = heirs(settlements.noteOf);
  // If none of its successors could be stored, the document stays: a refused document changes nothing.
  const isCounted =
    living.length > 0
      ? heirInvoices.length + heirReceipts.length + heirNotes.length === 0
      : !replacements.isReplaced(named);
  if (!isCounted && note) return noteGivesWay(part, note, heirNotes);
  if (!isCounted && receipt) return giveWayToReceipt(part, receipt, heirReceipts[0]);
  if (!invoice) return [];
  if (!isCounted) return invoiceGivesWay(part, invoice, heirInvoices);
  const released = options.replace ? await release(part, invoice) : [];
  return [...released, ...(await settleArrival(part, invoice))];
}

async function noteGivesWay(part: CfdiPart, note: KnownNote, heirs: readonly KnownNote[]): Promise<Remark[]> {
  const kept = refuseGivingWay(part, note);
  if (kept) return [kept];
  const freed = await giveWayToNote(part, note);
  const said: Remark[] = [remark`Se quitó ${noteLabel(note)}, que está sustituida.`];
  for (const { facturaproveedorId: id } of freed)
    said.push(...(await settleArrival(part, part.invoices.withId(id)!)));
  const byHand = freed.filter(({ importId }) => importId === null);
  const invoices = byHand.flatMap(({ facturaproveedorId: id }) => part.invoices.withId(id) ?? []);
  return [...said, ...(await applyByHand(part, heirs, invoices))];
}

/**
 * Moves the payments of a replaced invoice to the invoice that replaces it, and applies its credit notes there. Where
 * several replace it, or the successor is no invoice, the payments made by receipts and notes are removed; payments by
 * people or the bank keep the invoice on file.
 */
async function invoiceGivesWay(
  part: CfdiPart,
  invoice: DocumentedInvoice,
  heirs: readonly DocumentedInvoice[],
): Promise<Remark[]> {
  const { db, actor, closing, options, invoices, settlements, payments, writer } = part;
  const label = remark`la factura ${labelOf(invoice)}, que está sustituida`;
  const message = remark`Sigue registrada ${label}: tiene pagos.`;
  if (invoice.paidCents > 0 && !options.replace) return [withRemedy(message, 'replace-former')];
  const closed =
    refuseClosed(actor, dayOfInvoice(invoice), closing) ?? (await findBatchRefusal(db as Trx, invoice));
  if (closed) return [remark`Sigue registrada ${label}. ${closed.message}`];
  const [heir] = heirs.length === 1 ? heirs : [];
  await settlements.readPayments(db, [invoice, ...heirs], payments);
  for (const note of settlements.notes) payments.addInvoice(invoice, note);
  const said: Remark[] = [];
  const paid = settlements.paymentsOn({ invoiceId: invoice.id });
  const credits = paid.filter(({ creditNoteId }) => creditNoteId !== null);
  const trial = payments.startTrial([invoice, ...heirs]);
  for (const credit of credits) {
    const kept = trial.remove(credit);
    if (kept) return [remark`Sigue registrada ${label}. ${kept.message}`];
  }
  if (heir) {
    const free = settlements.freePayments(invoice.id);
    const moved = paid
      .filter(({ creditNoteId }) => creditNoteId === null)
      .map((payment) => trial.submit({ id: payment.id, facturaproveedorId: heir.id }, payment));
    for (const one of moved)
      if (one.outcome === 'refused') return [remark`Sigue registrada ${label}. ${one.refused.message}`];
    for (const one of moved) payments.accept(one);
    for (const payment of free) settlements.freePayment(payment);
  } else {
    said.push(...(await release(part, invoice)));
    const rest = settlements.paymentsOn({ invoiceId: invoice.id });
    if (rest.some(({ creditNoteId }) => creditNoteId === null)) return [...said, message];
  }
  for (const payment of settlements.paymentsOn({ invoiceId: invoice.id }))
    if (payment.creditNoteId !== null) removePayment(part, payment);
  invoices.remove(invoice);
  writer.removeInvoice(invoice.id, heir?.id ?? null);
  said.push(remark`Se quitó ${label}.`);
  if (!heir) return said;
  const byHand = settlements.notes.filter(({ id }) =>
    credits.some(({ creditNoteId, importId }) => creditNoteId === id && importId === null),
  );
  return [...said, ...(await settleArrival(part, heir)), ...(await applyByHand(part, byHand, [heir]))];
}

/**
 * Applies what a person applied by hand again, to the successor of the note or of the invoice.
 * @returns remarks about it
 */
async function applyByHand(
  part: CfdiPart,
  notes: readonly KnownNote[],
  invoices: readonly DocumentedInvoice[],
): Promise<Remark[]> {
  const said: Remark[] = [];
  for (const invoice of invoices)
    for (const note of notes) said.push(...(await tellApplied(part, note, invoice)));
  return said;
}

/** Removes what receipts and credit notes applied to an invoice by a UUID that does not stand for it any more. */
async function release(part: CfdiPart, invoice: DocumentedInvoice): Promise<Remark[]> {
  const { db, settlements, payments } = part;
  const { meant, lost } = namesOf(part, invoice);
  if (lost.length === 0) return [];
  await settlements.readPayments(db, [invoice], payments);
  const names = (note: KnownNote, uuids: readonly string[]) =>
    note.detail?.credits?.some((uuid) => uuids.includes(uuid));
  const credits = settlements.paymentsOn({ invoiceId: invoice.id });
  for (const note of settlements.notes.filter((one) => names(one, lost) && !names(one, meant))) {
    payments.addInvoice(invoice, note);
    for (const credit of credits)
      if (credit.creditNoteId === note.id && credit.importId !== null) removePayment(part, credit);
  }
  return releaseLines(part, invoice, lost);
}

function tell(outcome: Outcome, said: readonly Remark[]): void {
  if (said.length === 0) return;
  const { reason } = outcome;
  if (reason !== undefined) {
    const all = said.reduce<Remark>((before, one) => remark`${before} ${one}`, reason);
    const remedy = [reason, ...said].map((one) => noteOf(one).remedy).find(Boolean);
    outcome.reason = remedy ? withRemedy(all, remedy) : all;
  } else {
    outcome.warnings = [...(outcome.warnings ?? []), ...said];
    if (outcome.outcome === 'created') outcome.outcome = 'warned';
    else if (outcome.outcome === 'unchanged') Object.assign(outcome, { outcome: 'warned', linked: true });
  }
}
