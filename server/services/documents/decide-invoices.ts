import type { Remark } from '../../../shared/remarks.ts';
import type { ReadDocument } from '../../formats/cfdi/candidates.ts';
import { documentKeyOf } from '../document-relations.ts';
import type { InvoiceInput } from '../invoices/draft.ts';
import { type DocumentedInvoice, storedId } from '../invoices/known.ts';
import { amountsOf, plainColumns } from '../invoices/rows.ts';
import { type InvoiceOutcome, writeInvoices } from '../invoices/write.ts';
import { applyWithRemarks } from './decide-notes.ts';
import { linkLines, planLines } from './decide-receipts.ts';
import type { CostPlace, Outcome } from './outcomes.ts';
import { type Context, findNamedInvoice, issuerOf } from './place.ts';
import { findSupplierProblem, type IssuedDocument, type KnownSupplier } from './place-issuers.ts';

interface ReadInvoice {
  reading: ReadDocument & { kind: 'I' };
  place: CostPlace;
}

export async function writeDocumentInvoices(
  context: Context,
  documents: readonly ReadInvoice[],
): Promise<Outcome[]> {
  if (documents.length === 0) return [];
  const { db, actor, options, closing, issuers, invoices: book, writer } = context;
  const { dryRun, replace, allowExcess } = options;
  const inputs = documents.map((document) => toInvoiceInput(context, document));
  const outcomes = await writeInvoices(db, actor, inputs, {
    dryRun,
    replace,
    allowExcess,
    book,
    closing,
    onRefusal: 'skip',
    async createMissing(_trx, accepted) {
      const newSuppliers = new Map<KnownSupplier, IssuedDocument>();
      for (const { supplierId, cfdi } of accepted) {
        const supplier = issuers.pendingWithId(supplierId!);
        if (supplier && !newSuppliers.has(supplier)) newSuppliers.set(supplier, cfdi!);
      }
      await writer.addSuppliers(newSuppliers);
      for (const draft of accepted)
        draft.supplierId = issuers.pendingWithId(draft.supplierId!)?.id ?? draft.supplierId;
      return writer.importId();
    },
  });
  return documents.map(({ reading }, index) => toOutcome(context, reading, inputs[index]!, outcomes[index]!));
}

function toInvoiceInput(
  { issuers, options, replacements }: Context,
  { reading, place }: ReadInvoice,
): InvoiceInput {
  const candidate = reading.issued;
  const key = documentKeyOf(reading);
  const { draft: input } = candidate;
  const suppliers = issuers.findSuppliersFor(candidate);
  const supplierIds =
    suppliers.length > 0 ? suppliers.map(({ id }) => id) : [issuers.pendingSupplierFor(candidate).id];
  // A preview has no obra yet.
  const jobId = place.jobId || (options.dryRun ? -1 : null);
  return {
    ...plainColumns(options),
    comments: options.comments ?? input.comments,
    supplierId: supplierIds[0]!,
    jobId,
    rubroId: place.rubroId,
    numfactura: input.numfactura,
    fechaemision: input.fechaemision,
    ...amountsOf({ ...input, tasa: input.rate }),
    uuid: input.uuid,
    metodopago: input.metodoPago,
    moneda: input.moneda,
    tipocambio: input.tipocambio,
    cfdi: {
      ...candidate,
      mismatch: options.allowMismatch ? undefined : candidate.mismatch,
      replaces: [...new Set([...candidate.replaces, ...replacements.predecessorsOf(key)])],
      replacedReason: replacements.describeReplaced(key),
      supplierIds,
      supplierProblem: findSupplierProblem(candidate, suppliers, options.createSuppliers),
    },
  };
}

function toOutcome(
  { issuers, writer, replacements }: Context,
  reading: ReadInvoice['reading'],
  input: InvoiceInput,
  outcome: InvoiceOutcome,
): Outcome {
  if (outcome.outcome === 'refused') return { ...outcome, reason: outcome.refused.message };
  if (outcome.outcome === 'unchanged') return { outcome: 'unchanged', invoiceId: storedId(outcome.row!.id) };
  const { id, draft } = outcome;
  const candidate = reading.issued;
  writer.addDocument(id, reading, draft.previous === undefined);
  const invoiceId = storedId(id);
  const remarks = [
    ...outcome.warnings.map(({ message }) => message),
    ...replacements.describeBranches(documentKeyOf(reading)),
  ];
  if (draft.previous) {
    const replaces = draft.documentMatch?.isReplaced ? { replaces: true as const } : {};
    const warnings = [...remarks, ...candidate.warnings];
    return { outcome: 'warned', warnings, linked: true, ...replaces, invoiceId };
  }
  const supplier = issuers.pendingWithId(input.supplierId!);
  const created = supplier ? issuers.markCreated(candidate, supplier) : [];
  return { outcome: 'created', warnings: [...candidate.warnings, ...created, ...remarks], invoiceId };
}

/** Of the invoice's UUIDs and those it replaces, `current` stand for it now, `lost` for another one or none. */
export function resolveUuids(
  context: Context,
  invoice: DocumentedInvoice,
): { current: string[]; lost: string[] } {
  const { uuid } = invoice;
  const rfc = issuerOf(invoice);
  const all = uuid === null ? [] : [uuid, ...context.replacements.predecessorsOf({ uuid, rfc })];
  const isCurrentUuid = (one: string) => findNamedInvoice(context, { uuid: one, rfc }).invoice === invoice;
  return { current: all.filter(isCurrentUuid), lost: all.filter((one) => !isCurrentUuid(one)) };
}

/** Applies the credit notes and receipts that were stored before the invoice they name. */
export async function applyEarlierDocuments(context: Context, invoice: DocumentedInvoice): Promise<Remark[]> {
  const remarks: Remark[] = [];
  const { settlements, replacements } = context;
  const { current: uuids } = resolveUuids(context, invoice);
  for (const note of settlements.notesFor(invoice.supplierId, uuids)) {
    if (replacements.isReplaced({ uuid: note.uuid, rfc: issuerOf(note) })) continue;
    remarks.push(...(await applyWithRemarks(context, note, invoice)));
  }
  const waiting = settlements.waitingFor(uuids).filter((line) => !replacements.isReplaced(line));
  if (waiting.length === 0) return remarks;
  return [...remarks, ...linkLines(context, await planLines(context, waiting))];
}
