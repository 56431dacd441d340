import { type Cents, formatMoney } from '../../../shared/money.ts';
import { takenBy } from '../../../shared/payments.ts';
import { type Remark, remark, rowId } from '../../../shared/remarks.ts';
import type { CfdiNote } from '../../formats/cfdi/candidates.ts';
import { isClosed, sayClosed } from '../closing/closing.ts';
import { partOf, reachOf, slackOf } from '../payments/settlement.ts';
import {
  type Difference,
  dateDifferences,
  documentDifferences,
  numberDifferences,
  sayDifferences,
} from './differences.ts';
import {
  type ImportContext,
  type Outcome,
  type Reading,
  refused,
  supplierOf,
  told,
} from './import-context.ts';
import { label } from './judging.ts';
import type { KnownInvoice } from './known-invoices.ts';
import type { KnownNote } from './known-settlements.ts';

/** A credit note is stored once, and applied to the invoices that it names as far as they are owed. */
export async function settleNote(
  context: ImportContext,
  { note, uuid }: Reading<'note'>,
  replaced: ReadonlyMap<string, string>,
): Promise<Outcome> {
  const { known, settlements, store } = context;
  const suppliers = known.suppliersOf(note);
  const twin = uuid
    ? settlements.noteOf(uuid)
    : suppliers[0] && settlements.noteNumbered(suppliers[0].id, note.draft.numfactura);
  if (twin) {
    const differences = noteDifferences(twin, note);
    if (differences.length > 0) return refused(sayConflict(note, twin, differences));
    return { outcome: 'unchanged', creditNoteId: twin.id };
  }
  if (note.mismatch) return refused(note.mismatch);
  const former = note.replaces.map(settlements.noteOf).find(Boolean);
  if (former)
    return refused(remark`Sustituye (relación 04) a ${noteLabel(former)}, que ya está: se retiene.`);
  const successor = uuid && replaced.get(uuid);
  if (successor) return refused(`La sustituye (relación 04) el CFDI de «${successor}»: se retiene.`);
  const { fechaemision } = note.draft;
  if (isClosed(fechaemision, context.closing)) return refused(sayClosed(fechaemision, context.closing));
  const found = await supplierOf(context, note, suppliers);
  if ('problem' in found) return refused(found.problem);
  const { draft, detail, moneda } = note;
  const stored: KnownNote = {
    id: await store.addNote(note, found.supplier),
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
  const warnings = [...note.warnings, ...found.warnings, ...(await applyToNamed(context, note, stored))];
  return { ...told(warnings), creditNoteId: stored.id };
}

async function applyToNamed(
  context: ImportContext,
  { credits }: CfdiNote,
  stored: KnownNote,
): Promise<Remark[]> {
  const warnings: Remark[] = [];
  if (credits.length === 0) warnings.push('No dice de qué factura es.');
  for (const uuid of credits) {
    const invoice = context.known.invoices.named(uuid);
    if (!invoice) warnings.push(`La factura ${uuid.slice(0, 60)}, a la que corresponde, no está registrada.`);
    else if (invoice.supplierId !== stored.supplierId)
      warnings.push(remark`Nombra ${label(invoice)}, que es de otro proveedor: no se le aplica.`);
    else await applyNote(context, stored, invoice);
  }
  const left = stored.totalCents - stored.appliedCents;
  if (left > 0) warnings.push(`Quedan ${formatMoney(left)} como saldo a favor.`);
  return warnings;
}

/** As much as is left and owed. */
export async function applyNote(
  { db, settlements, store }: ImportContext,
  note: KnownNote,
  invoice: KnownInvoice,
): Promise<Cents> {
  await settlements.readPayments(db, invoice.id === undefined ? [] : [invoice.id]);
  const pendingCents = invoice.totalCents - invoice.paidCents;
  const reachCents = reachOf(note, invoice);
  if (Math.min(pendingCents, reachCents) <= 0) return 0;
  const parts = settlements.partsOf(invoice.id);
  const isAll = Math.abs(pendingCents - reachCents) <= slackOf(invoice, parts);
  const settles = partOf(note, invoice, isAll ? pendingCents : Math.min(pendingCents, reachCents), parts);
  await store.applyNote(note, invoice, settles);
  note.appliedCents += takenBy(settles);
  invoice.paidCents += settles.amountCents;
  settlements.countPart(invoice.id);
  return settles.amountCents;
}

function noteDifferences(stored: KnownNote, { draft, moneda, detail }: CfdiNote): Difference[] {
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

const sayConflict = ({ draft }: CfdiNote, stored: KnownNote, differences: readonly Difference[]): Remark =>
  remark`${draft.uuid ? 'El mismo UUID' : 'El mismo número de este proveedor'} ya está en ${noteLabel(stored)} con otros datos (${sayDifferences(differences)}): es un conflicto.`;

/** "la nota de crédito NC-12", with its id beside it. */
export const noteLabel = ({ numero, id }: KnownNote): Remark =>
  remark`la nota de crédito ${numero || 'sin número'}${id === undefined ? ' (de esta importación)' : rowId(id)}`;
