import { formatDate } from '../../../shared/dates.ts';
import { type Cents, formatMoney } from '../../../shared/money.ts';
import type { Payment } from '../../../shared/payments.ts';
import { type Remark, remark, withRemedy } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate, ReadDocument } from '../../formats/cfdi/candidates.ts';
import {
  type Difference,
  dateDifferences,
  describeDifferences,
  documentDifferences,
  numberDifferences,
} from '../../formats/cfdi/differences.ts';
import { refuseClosed } from '../closing/closing.ts';
import { documentKeyOf } from '../document-relations.ts';
import { type DocumentedInvoice, idLabel, labelOf, storedId } from '../invoices/known.ts';
import { applicableCents, roundingTolerance, settleNotePart } from '../payments/settlement.ts';
import { type Outcome, refused, warnedOf } from './outcomes.ts';
import { type CfdiPart, invoiceNamed, issuerOf, removePayment, supplierOf } from './place.ts';
import type { KnownNote } from './place-settlements.ts';

/** Stores a credit note once, and applies it to the invoices that it names, as far as they are owed. */
export async function takeNote(part: CfdiPart, reading: ReadDocument & { kind: 'E' }): Promise<Outcome> {
  const { issued: note, uuid, xml } = reading;
  const { settlements, writer, closing, actor, replacements } = part;
  const named = documentKeyOf(reading);
  const suppliers = part.issuers.of(note);
  const twin = uuid
    ? settlements.noteOf(uuid)
    : suppliers[0] && settlements.noteNumbered(suppliers[0].id, note.draft.numfactura);
  if (twin) {
    const differences = noteDifferences(twin, note);
    if (differences.length > 0) return refused(sayConflict(note, twin, differences));
    return { outcome: 'unchanged', creditNoteId: storedId(twin.id) };
  }
  const onPaper = suppliers[0] && paperOf(part, suppliers[0].id, note);
  if (onPaper) return refused(sayOnPaper(note, onPaper));
  if (note.mismatch && !part.options.allowMismatch) return refused(note.mismatch);
  const replaced = replacements.describeReplaced(named);
  if (replaced) return refused(replaced);
  const formers = replacements
    .predecessorsOf(named)
    .flatMap((one) => settlements.noteOf(one) ?? [])
    .filter(({ supplierId }) => supplierId === suppliers[0]?.id);
  for (const previous of formers) {
    const kept = refuseGivingWay(part, previous);
    if (kept) return refused(kept);
  }
  const closed = refuseClosed(actor, note.draft.fechaemision, closing);
  if (closed) return refused(closed.message);
  const found = await supplierOf(part, note, suppliers);
  if ('problem' in found) return refused(found.problem);
  const freed: Payment[] = [];
  for (const previous of formers) freed.push(...(await giveWayToNote(part, previous)));
  const { draft, detail, moneda } = note;
  const stored: KnownNote = {
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
  settlements.addNote(stored);
  const warnings = [
    ...note.warnings,
    ...replacements.describeBranches(named),
    ...formers.map((previous) => remark`Sustituye a ${noteLabel(previous)}, que se quitó.`),
    ...found.warnings,
    ...(await applyToNamed(part, stored, freed)),
  ];
  return warnedOf({
    outcome: 'created',
    warnings,
    ...(formers.length > 0 ? { replaces: true } : {}),
    creditNoteId: storedId(stored.id),
  });
}

export function refuseGivingWay(
  { actor, closing, options }: CfdiPart,
  previous: KnownNote,
): Remark | undefined {
  const message = remark`Sustituye (relación 04) a ${noteLabel(previous)}, que ya está: no se guarda.`;
  if (previous.appliedCents > 0 && !options.replace) return withRemedy(message, 'replace-former');
  return refuseClosed(actor, previous.fecha, closing)?.message;
}

/** Removes a credit note that another document replaces. @returns the payments made from it, which are removed too */
export async function giveWayToNote(part: CfdiPart, previous: KnownNote): Promise<Payment[]> {
  const { db, invoices, settlements, payments, writer } = part;
  const paid = db
    .selectFrom('payments')
    .select('facturaproveedorId as id')
    .where('creditNoteId', '=', previous.id);
  // Invoices removed before have returned their credit already.
  const applied = (await paid.execute()).flatMap(({ id }) => invoices.withId(id) ?? []);
  await settlements.readPayments(db, applied, payments);
  for (const invoice of applied) payments.addInvoice(invoice, previous);
  const credits = settlements.paymentsOn({ creditNoteId: previous.id });
  for (const credit of credits) removePayment(part, credit);
  settlements.dropNote(previous);
  writer.removeNote(previous);
  return credits;
}

async function applyToNamed(part: CfdiPart, stored: KnownNote, freed: readonly Payment[]): Promise<Remark[]> {
  const warnings: Remark[] = [];
  const credits = stored.detail?.credits ?? [];
  if (credits.length === 0) warnings.push('No dice de qué factura es.');
  for (const uuid of credits) {
    const { invoice, why } = invoiceNamed(part, { uuid, rfc: issuerOf(stored) });
    if (!invoice) warnings.push(remark`La factura ${uuid.slice(0, 60)}, a la que corresponde, ${why}.`);
    else if (invoice.supplierId !== stored.supplierId)
      warnings.push(
        remark`Nombra la factura ${labelOf(invoice)}, que es de otro proveedor: no se le aplica.`,
      );
    else await applyNote(part, stored, invoice);
  }
  // A person applied it there, whatever invoice the note names.
  for (const { facturaproveedorId, importId } of freed)
    if (importId === null) await applyNote(part, stored, part.invoices.withId(facturaproveedorId)!);
  const left = stored.totalCents - stored.appliedCents;
  if (left > 0) warnings.push(`Quedan ${formatMoney(left)} como saldo a favor.`);
  return warnings;
}

/** Applies a note to an invoice that was stored at another time. @returns remarks about it */
export async function tellApplied(
  part: CfdiPart,
  note: KnownNote,
  invoice: DocumentedInvoice,
): Promise<Remark[]> {
  const applied = await applyNote(part, note, invoice);
  if ('refused' in applied) return [remark`No se le aplicó ${noteLabel(note)}. ${applied.refused}`];
  if (applied.cents === 0) return [];
  return [remark`Se le aplicaron ${formatMoney(applied.cents)} de ${noteLabel(note)}.`];
}

/**
 * Applies as much as remains of the note and is owed of the invoice.
 * @returns the cents applied, or why the rules of payments refuse it
 */
async function applyNote(
  { db, settlements, payments }: CfdiPart,
  note: KnownNote,
  invoice: DocumentedInvoice,
): Promise<{ cents: Cents } | { refused: Remark }> {
  await settlements.readPayments(db, [invoice], payments);
  const pendingCents = invoice.totalCents - invoice.paidCents;
  const reachCents = applicableCents(note, invoice);
  if (Math.min(pendingCents, reachCents) <= 0) return { cents: 0 };
  const parts = settlements.partsOf(invoice.id);
  const isAll = Math.abs(pendingCents - reachCents) <= roundingTolerance(invoice, parts);
  const settles = settleNotePart(
    note,
    invoice,
    isAll ? pendingCents : Math.min(pendingCents, reachCents),
    parts,
  );
  payments.addInvoice(invoice, note);
  const written = payments.submit({ facturaproveedorId: invoice.id, creditNoteId: note.id, ...settles });
  if (written.outcome === 'refused') return { refused: written.refused.message };
  settlements.countPart(invoice.id);
  return { cents: settles.amountCents };
}

function noteDifferences(stored: KnownNote, { draft, moneda, detail }: CfdiCandidate): Difference[] {
  const number = numberDifferences(stored.numero, draft.numfactura);
  if (stored.detail)
    return [
      ...documentDifferences({ moneda: stored.moneda, detail: stored.detail }, { moneda, detail }),
      ...number,
    ];
  const total: Difference[] =
    stored.totalCents === draft.totalCents
      ? []
      : [['total', formatMoney(stored.totalCents), formatMoney(draft.totalCents)]];
  return [...total, ...dateDifferences(stored.fecha, draft.fechaemision), ...number];
}

/** Finds the note that was captured by hand, by its whole number or by its folio alone. */
function paperOf(
  { settlements }: CfdiPart,
  supplierId: number,
  { draft, detail }: CfdiCandidate,
): KnownNote | undefined {
  const keys = [draft.numfactura, detail.folio].filter((number) => numberKey(number) !== '');
  return keys.map((number) => settlements.noteNumbered(supplierId, number)).find((found) => found);
}

const sayOnPaper = ({ draft }: CfdiCandidate, { id, fecha, totalCents }: KnownNote): Remark =>
  remark`La nota de crédito ${draft.numfactura} de este proveedor ya está, capturada sin su CFDI${idLabel(id)} (${formatDate(fecha)}, ${formatMoney(totalCents)}; en este archivo ${formatDate(draft.fechaemision)}, ${formatMoney(draft.totalCents)}): no se abona dos veces. Elimina la capturada, y antes lo que se aplicó de ella, y vuelve a cargar el XML.`;

const sayConflict = (
  { draft }: CfdiCandidate,
  stored: KnownNote,
  differences: readonly Difference[],
): Remark =>
  remark`${draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor'} ya está en ${noteLabel(stored)} con otros datos (${describeDifferences(differences)}): es un conflicto.`;

export const noteLabel = ({ numero, id }: KnownNote): Remark =>
  remark`la nota de crédito ${numero || 'sin número'}${idLabel(id)}`;
