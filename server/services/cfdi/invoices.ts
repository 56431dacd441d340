import { sayExceeded } from '../../../shared/budgets.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney } from '../../../shared/money.ts';
import { type Remark, remark } from '../../../shared/remarks.ts';
import { numberKey } from '../../../shared/text.ts';
import type { CfdiCandidate } from '../../formats/cfdi/candidates.ts';
import { costOf, mayOverrun } from '../budgets/budget-book.ts';
import { dayOfInvoice, isClosed, sayClosed } from '../closing/closing.ts';
import { amountsOf } from '../invoices/rows.ts';
import { applyNote, noteLabel } from './credit-notes.ts';
import { type CfdiVerdict, type JudgingOptions, judgeCandidate } from './invoice-verdicts.ts';
import { type KnownInvoice, type KnownSupplier, storedId } from './on-file.ts';
import { type CostPlace, type Outcome, refused } from './outcomes.ts';
import type { CfdiPart } from './part.ts';
import { placeLines, planLines } from './payment-receipts.ts';

interface TakenInvoice extends Pick<JudgingOptions, 'isClaimed'> {
  place: CostPlace;
  /** of its document among all */
  index: number;
}

/** An invoice is stored, goes to one that is on file, or is refused; what waited for it finds it. */
export async function takeInvoice(
  part: CfdiPart,
  candidate: CfdiCandidate,
  { place, index, isClaimed }: TakenInvoice,
): Promise<Outcome> {
  const { budgets, closing, options, replaced, actor } = part;
  const { createSuppliers, replace } = options;
  const judging = { createSuppliers, replace, replaced, isClaimed, jobId: place.jobId };
  const verdict = judgeCandidate(candidate, part.known, judging);
  if ('refused' in verdict) return refused(verdict.refused);
  if ('unchanged' in verdict) return { outcome: 'unchanged', invoiceId: storedId(verdict.unchanged.id) };
  const closed = (await daysOf(part, candidate, verdict)).find((day) => isClosed(day, closing));
  if (closed) return refused(sayClosed(closed, closing));
  const known = 'linked' in verdict ? verdict.linked : 'replaced' in verdict ? verdict.replaced : undefined;
  const { jobId, rubroId = null } = known ?? place;
  const [cost, former] = [costOf({ ...candidate.draft, jobId, rubroId }), known && costOf(known)];
  const excess = budgets.judge(cost, former);
  if (excess && budgets.refuses && !options.allowExcess && !mayOverrun(actor))
    return { ...refused(sayExceeded(excess)), excess };
  budgets.take(cost, former);
  // What goes beyond its budget is told once all are decided.
  if (excess) budgets.exceed(index, cost, excess);
  if ('supplier' in verdict) {
    const invoice = await addInvoice(part, candidate, verdict.supplier, place);
    const warnings = [...candidate.warnings, ...verdict.warnings, ...(await settleArrival(part, invoice))];
    const invoiceId = storedId(invoice.id);
    return warnings.length > 0
      ? { outcome: 'warned', warnings, invoiceId }
      : { outcome: 'created', invoiceId };
  }
  const invoice = known!;
  await changeInvoice(part, candidate, invoice);
  const warnings = [...verdict.warnings, ...candidate.warnings, ...(await settleArrival(part, invoice))];
  return { outcome: 'warned', warnings, linked: true, invoiceId: storedId(invoice.id) };
}

/** Credit notes and receipts that came before it. @returns what its reader should know */
async function settleArrival(part: CfdiPart, invoice: KnownInvoice): Promise<Remark[]> {
  if (!invoice.uuid) return [];
  const said: Remark[] = [];
  for (const note of part.settlements.notesFor(invoice.supplierId, invoice.uuid)) {
    const applied = await applyNote(part, note, invoice);
    if ('refused' in applied) {
      said.push(remark`No se le aplicó ${noteLabel(note)}. ${applied.refused}`);
    } else if (applied.cents > 0) {
      said.push(remark`Se le aplicaron ${formatMoney(applied.cents)} de ${noteLabel(note)}.`);
    }
  }
  const waiting = part.settlements.waitingFor(invoice.uuid);
  if (waiting.length === 0) return said;
  return [...said, ...placeLines(part, await planLines(part, waiting))];
}

/** The document's own, and the one that its invoice has now. */
async function daysOf(
  { db }: CfdiPart,
  { draft }: CfdiCandidate,
  verdict: Exclude<CfdiVerdict, { refused: unknown } | { unchanged: unknown }>,
): Promise<PlainDate[]> {
  if ('supplier' in verdict) return [draft.fechaemision];
  const { id } = 'linked' in verdict ? verdict.linked : verdict.replaced;
  // Of a dry run: it was looked at when it came.
  if (id < 0) return [draft.fechaemision];
  const stored = await db
    .selectFrom('invoices')
    .select(['fechaemision', 'fechacaptura'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  // The date that somebody captured stays.
  const isKept = 'linked' in verdict && stored.fechaemision !== null;
  return [dayOfInvoice(stored), ...(isKept ? [] : [draft.fechaemision])];
}

async function addInvoice(
  { known, writer }: CfdiPart,
  candidate: CfdiCandidate,
  found: KnownSupplier | undefined,
  place: CostPlace,
): Promise<KnownInvoice> {
  const supplier = found ?? (await writer.addSupplier(candidate));
  if (!found) known.addSupplier(supplier);
  const id = await writer.addInvoice(candidate, supplier, place);
  const { draft, detail, moneda } = candidate;
  const invoice: KnownInvoice = {
    ...draft,
    id,
    tasa: draft.rate,
    supplierId: supplier.id,
    jobId: place.jobId,
    rubroId: place.rubroId ?? null,
    numfacturaKey: numberKey(draft.numfactura),
    paidCents: 0,
    formerUuid: draft.uuid ? (candidate.replaces[0] ?? null) : null,
    documentMoneda: moneda,
    detail,
  };
  known.invoices.add(invoice);
  return invoice;
}

/** The document is that of an invoice which is on file. What it had before is noted in what is kept of the new one. */
async function changeInvoice(
  { known, writer }: CfdiPart,
  candidate: CfdiCandidate,
  invoice: KnownInvoice,
): Promise<void> {
  const { draft, moneda } = candidate;
  const formers = [...(invoice.detail?.formerUuids ?? []), ...(invoice.detail?.replaces ?? [])];
  for (const uuid of [invoice.formerUuid, invoice.uuid]) if (uuid) formers.push(uuid);
  const formerUuids = [...new Set(formers)];
  const changed: CfdiCandidate = {
    ...candidate,
    detail: { ...candidate.detail, ...(formerUuids.length > 0 ? { formerUuids } : {}) },
  };
  await writer.changeInvoice(changed, invoice);
  known.invoices.change(invoice, {
    numfactura: draft.numfactura,
    numfacturaKey: numberKey(draft.numfactura),
    fechaemision: invoice.uuid ? draft.fechaemision : (invoice.fechaemision ?? draft.fechaemision),
    ...amountsOf({ ...draft, tasa: draft.rate }),
    uuid: draft.uuid,
    formerUuid: invoice.uuid ?? invoice.formerUuid,
    moneda: draft.moneda,
    tipocambio: draft.tipocambio,
    documentMoneda: moneda,
    detail: changed.detail,
  });
}
