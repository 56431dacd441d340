import { formatDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { createRemark, type Remark, withRemedyCode } from '../../../shared/remarks.ts';
import { documentNumberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import {
  type Difference,
  describeDifferences,
  findDateDifferences,
  findDocumentDifferences,
  findDocumentNumberDifferences,
} from '../../formats/cfdi/differences.ts';
import { closedPeriodRefusal } from '../closing/closing.ts';
import { documentKeyOf } from '../document-relations.ts';
import { type DocumentedInvoice, idIfStored, idLabel, invoiceLabel } from '../invoices/known-invoices.ts';
import {
  computeApplicableNoteCents,
  computeAppliedCredit,
  computeRoundingTolerance,
} from '../payments/settlement.ts';
import {
  type CfdiImportContext,
  findNamedInvoice,
  findOrCreateSupplier,
  issuerRfcOf,
  stagePaymentRemoval,
} from './import-context.ts';
import { type CfdiOutcomeWithoutFile, createRefusedOutcome, toWarnedOutcome } from './outcomes.ts';
import type { KnownCreditNote } from './stored-settlements.ts';

/** Stores a credit note once, and applies it to the invoices that it names, as far as they are owed. */
export async function writeCreditNote(
  context: CfdiImportContext,
  reading: SuccessfulReading & { kind: 'E' },
): Promise<CfdiOutcomeWithoutFile> {
  const { issued: note, uuid, xml } = reading;
  const { settlements, writer, closing, actor, replacements } = context;
  const key = documentKeyOf(reading);
  const suppliers = context.issuers.findSuppliersFor(note);
  const existing = uuid
    ? settlements.noteWithUuid(uuid)
    : suppliers[0] && settlements.noteWithNumber(suppliers[0].id, note.draft.numfactura);
  if (existing) {
    const differences = findCreditNoteDifferences(existing, note);
    if (differences.length > 0) return createRefusedOutcome(describeConflict(note, existing, differences));
    return { outcome: 'unchanged', creditNoteId: idIfStored(existing.id) };
  }
  const captured = suppliers[0] && findCapturedCreditNote(context, suppliers[0].id, note);
  if (captured) return createRefusedOutcome(describeCapturedCreditNote(note, captured));
  if (note.totalMismatch && !context.options.allowMismatch) return createRefusedOutcome(note.totalMismatch);
  const replaced = replacements.describeReplaced(key);
  if (replaced) return createRefusedOutcome(replaced);
  const replacedNotes = replacements
    .predecessorsOf(key)
    .flatMap((one) => settlements.noteWithUuid(one) ?? [])
    .filter(({ supplierId }) => supplierId === suppliers[0]?.id);
  for (const replacedNote of replacedNotes) {
    const obstacle = findCreditNoteRemovalObstacle(context, replacedNote);
    if (obstacle) return createRefusedOutcome(obstacle);
  }
  const closed = closedPeriodRefusal(actor, note.draft.fechaemision, closing);
  if (closed) return createRefusedOutcome(closed.message);
  const found = await findOrCreateSupplier(context, note, suppliers);
  if ('problem' in found) return createRefusedOutcome(found.problem);
  const removedPayments: Payment[] = [];
  for (const replacedNote of replacedNotes)
    removedPayments.push(...(await removeReplacedCreditNote(context, replacedNote)));
  const { draft, detail, moneda } = note;
  const stored: KnownCreditNote = {
    id: await writer.addNote(note, found.supplier, xml),
    supplierId: found.supplier.id,
    numero: draft.numfactura,
    uuid: draft.uuid,
    fecha: draft.fechaemision,
    totalCents: draft.totalCents,
    appliedCents: 0,
    moneda,
    detail,
  };
  settlements.addKnownCreditNote(stored);
  const warnings = [
    ...note.warnings,
    ...replacements.describeMultipleReplacements(key),
    ...replacedNotes.map(
      (replacedNote) => createRemark`Sustituye a ${knownCreditNoteLabel(replacedNote)}, que se quitó.`,
    ),
    ...found.warnings,
    ...(await applyToNamedInvoices(context, stored, removedPayments)),
  ];
  return toWarnedOutcome({
    outcome: 'created',
    warnings,
    ...(replacedNotes.length > 0 ? { replaces: true } : {}),
    creditNoteId: idIfStored(stored.id),
  });
}

export function findCreditNoteRemovalObstacle(
  { actor, closing, options }: CfdiImportContext,
  replacedNote: KnownCreditNote,
): Remark | undefined {
  const message = createRemark`Sustituye (relación 04) a ${knownCreditNoteLabel(replacedNote)}, que ya está: no se guarda.`;
  if (replacedNote.appliedCents > 0 && !options.replace) return withRemedyCode(message, 'replace-former');
  return closedPeriodRefusal(actor, replacedNote.fecha, closing)?.message;
}

/** @returns the payments made from the note, which are removed too */
export async function removeReplacedCreditNote(
  context: CfdiImportContext,
  replacedNote: KnownCreditNote,
): Promise<Payment[]> {
  const { db, invoices, settlements, payments, writer } = context;
  const paid = db
    .selectFrom('payments')
    .select('facturaproveedorId as id')
    .where('creditNoteId', '=', replacedNote.id);
  // Invoices that were removed earlier have given back their credit already.
  const applied = (await paid.execute()).flatMap(({ id }) => invoices.withId(id) ?? []);
  await settlements.readPayments(db, applied, payments);
  for (const invoice of applied) payments.addInvoice(invoice, replacedNote);
  const credits = settlements.paymentsOn({ creditNoteId: replacedNote.id });
  for (const credit of credits) stagePaymentRemoval(context, credit);
  settlements.removeKnownCreditNote(replacedNote);
  writer.removeNote(replacedNote);
  return credits;
}

async function applyToNamedInvoices(
  context: CfdiImportContext,
  stored: KnownCreditNote,
  removedPayments: readonly Payment[],
): Promise<Remark[]> {
  const warnings: Remark[] = [];
  const credits = stored.detail?.credits ?? [];
  if (credits.length === 0) warnings.push('No dice de qué factura es.');
  for (const uuid of credits) {
    const { invoice, reason } = findNamedInvoice(context, { uuid, rfc: issuerRfcOf(stored) });
    if (!invoice)
      warnings.push(createRemark`La factura ${uuid.slice(0, 60)}, a la que corresponde, ${reason}.`);
    else if (invoice.supplierId !== stored.supplierId)
      warnings.push(
        createRemark`Nombra la factura ${invoiceLabel(invoice)}, que es de otro proveedor: no se le aplica.`,
      );
    else await applyCreditNote(context, stored, invoice);
  }
  // An amount that a person had applied goes to the same invoice again, whatever invoice the note names.
  for (const { facturaproveedorId, importId } of removedPayments)
    if (importId === null)
      await applyCreditNote(context, stored, context.invoices.withId(facturaproveedorId)!);
  const remainingCents = stored.totalCents - stored.appliedCents;
  if (remainingCents > 0) warnings.push(`Quedan ${formatMoney(remainingCents)} como saldo a favor.`);
  return warnings;
}

export async function applyCreditNoteWithRemarks(
  context: CfdiImportContext,
  note: KnownCreditNote,
  invoice: DocumentedInvoice,
): Promise<Remark[]> {
  const applied = await applyCreditNote(context, note, invoice);
  if ('refused' in applied)
    return [createRemark`No se le aplicó ${knownCreditNoteLabel(note)}. ${applied.refused}`];
  if (applied.cents === 0) return [];
  return [createRemark`Se le aplicaron ${formatMoney(applied.cents)} de ${knownCreditNoteLabel(note)}.`];
}

/** @returns the cents applied, or why the rules of payments refuse it */
async function applyCreditNote(
  { db, settlements, payments }: CfdiImportContext,
  note: KnownCreditNote,
  invoice: DocumentedInvoice,
): Promise<{ cents: Cents } | { refused: Remark }> {
  await settlements.readPayments(db, [invoice], payments);
  const pendingCents = invoice.totalCents - invoice.paidCents;
  const reachCents = computeApplicableNoteCents(note, invoice);
  if (Math.min(pendingCents, reachCents) <= 0) return { cents: 0 };
  const paymentCount = settlements.paymentCountOf(invoice.id);
  const isAll = Math.abs(pendingCents - reachCents) <= computeRoundingTolerance(invoice, paymentCount);
  const settlement = computeAppliedCredit(
    note,
    invoice,
    isAll ? pendingCents : Math.min(pendingCents, reachCents),
    paymentCount,
  );
  payments.addInvoice(invoice, note);
  const outcome = payments.stage({ facturaproveedorId: invoice.id, creditNoteId: note.id, ...settlement });
  if (outcome.outcome === 'refused') return { refused: outcome.refused.message };
  settlements.incrementPaymentCount(invoice.id);
  return { cents: settlement.amountCents };
}

function findCreditNoteDifferences(
  stored: KnownCreditNote,
  { draft, moneda, detail }: CfdiCandidate,
): Difference[] {
  const number = findDocumentNumberDifferences(stored.numero, draft.numfactura);
  if (stored.detail)
    return [
      ...findDocumentDifferences({ moneda: stored.moneda, detail: stored.detail }, { moneda, detail }),
      ...number,
    ];
  const total: Difference[] =
    stored.totalCents === draft.totalCents
      ? []
      : [['total', formatMoney(stored.totalCents), formatMoney(draft.totalCents)]];
  return [...total, ...findDateDifferences(stored.fecha, draft.fechaemision), ...number];
}

/** Finds the note that was captured by hand, by its whole number or by its folio alone. */
function findCapturedCreditNote(
  { settlements }: CfdiImportContext,
  supplierId: number,
  { draft, detail }: CfdiCandidate,
): KnownCreditNote | undefined {
  const keys = [draft.numfactura, detail.folio].filter((number) => documentNumberKey(number) !== '');
  return keys.map((number) => settlements.noteWithNumber(supplierId, number)).find((found) => found);
}

const describeCapturedCreditNote = (
  { draft }: CfdiCandidate,
  { id, fecha, totalCents }: KnownCreditNote,
): Remark =>
  createRemark`La nota de crédito ${draft.numfactura} de este proveedor ya está, capturada sin su CFDI${idLabel(id)} (${formatDate(fecha)}, ${formatMoney(totalCents)}; en este archivo ${formatDate(draft.fechaemision)}, ${formatMoney(draft.totalCents)}): no se abona dos veces. Elimina la capturada, y antes lo que se aplicó de ella, y vuelve a cargar el XML.`;

const describeConflict = (
  { draft }: CfdiCandidate,
  stored: KnownCreditNote,
  differences: readonly Difference[],
): Remark =>
  createRemark`${draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor'} ya está en ${knownCreditNoteLabel(stored)} con otros datos (${describeDifferences(differences)}): es un conflicto.`;

export const knownCreditNoteLabel = ({ numero, id }: KnownCreditNote): Remark =>
  createRemark`la nota de crédito ${numero || 'sin número'}${idLabel(id)}`;
