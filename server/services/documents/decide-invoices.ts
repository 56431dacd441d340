import type { Remark } from '../../../shared/remarks.ts';
import type { SuccessfulReading } from '../../formats/cfdi/candidates.ts';
import { documentKeyOf } from '../document-relations.ts';
import type { InvoiceInput } from '../invoices/draft.ts';
import { type DocumentedInvoice, idIfStored } from '../invoices/known-invoices.ts';
import { amountsOf, pickDatesAndNotes } from '../invoices/rows.ts';
import { type InvoiceOutcome, writeInvoices } from '../invoices/write.ts';
import { applyCreditNoteWithRemarks } from './decide-notes.ts';
import { applyLinePlan, planLines } from './decide-receipts.ts';
import { type CfdiImportContext, findNamedInvoice, issuerRfcOf } from './import-context.ts';
import { findSupplierProblem, type IssuedDocument, type KnownSupplier } from './issuers.ts';
import type { CfdiOutcomeWithoutFile, JobAndRubro } from './outcomes.ts';

interface InvoiceWithJobAndRubro {
  reading: SuccessfulReading & { kind: 'I' };
  jobAndRubro: JobAndRubro;
}

export async function writeDocumentInvoices(
  context: CfdiImportContext,
  documents: readonly InvoiceWithJobAndRubro[],
): Promise<CfdiOutcomeWithoutFile[]> {
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
        const supplier = issuers.findPendingSupplier(supplierId!);
        if (supplier && !newSuppliers.has(supplier)) newSuppliers.set(supplier, cfdi!);
      }
      await writer.addSuppliers(newSuppliers);
      for (const draft of accepted)
        draft.supplierId = issuers.findPendingSupplier(draft.supplierId!)?.id ?? draft.supplierId;
      return writer.ensureImportId();
    },
  });
  return documents.map(({ reading }, index) =>
    recordOutcome(context, reading, inputs[index]!, outcomes[index]!),
  );
}

function toInvoiceInput(
  { issuers, options, replacements }: CfdiImportContext,
  { reading, jobAndRubro }: InvoiceWithJobAndRubro,
): InvoiceInput {
  const candidate = reading.issued;
  const key = documentKeyOf(reading);
  const { draft: input } = candidate;
  const suppliers = issuers.findSuppliersFor(candidate);
  const supplierIds =
    suppliers.length > 0 ? suppliers.map(({ id }) => id) : [issuers.getOrAddPendingSupplier(candidate).id];
  // In a preview, no obra has been chosen yet.
  const jobId = jobAndRubro.jobId || (options.dryRun ? -1 : null);
  return {
    ...pickDatesAndNotes(options),
    comments: options.comments ?? input.comments,
    supplierId: supplierIds[0]!,
    jobId,
    rubroId: jobAndRubro.rubroId,
    numfactura: input.numfactura,
    fechaemision: input.fechaemision,
    ...amountsOf({ ...input, tasa: input.rate }),
    uuid: input.uuid,
    metodopago: input.metodoPago,
    moneda: input.moneda,
    tipocambio: input.tipocambio,
    cfdi: {
      ...candidate,
      totalMismatch: options.allowMismatch ? undefined : candidate.totalMismatch,
      replaces: [...new Set([...candidate.replaces, ...replacements.predecessorsOf(key)])],
      replacedReason: replacements.describeReplaced(key),
      supplierIds,
      supplierProblem: findSupplierProblem(candidate, suppliers, options.createSuppliers),
    },
  };
}

function recordOutcome(
  { issuers, writer, replacements }: CfdiImportContext,
  reading: InvoiceWithJobAndRubro['reading'],
  input: InvoiceInput,
  outcome: InvoiceOutcome,
): CfdiOutcomeWithoutFile {
  if (outcome.outcome === 'refused') return { ...outcome, reason: outcome.refused.message };
  if (outcome.outcome === 'unchanged')
    return { outcome: 'unchanged', invoiceId: idIfStored(outcome.row!.id) };
  const { id, draft } = outcome;
  const candidate = reading.issued;
  writer.recordInvoiceDocument(id, reading, draft.previous === undefined);
  const invoiceId = idIfStored(id);
  const remarks = [
    ...outcome.warnings.map(({ message }) => message),
    ...replacements.describeMultipleReplacements(documentKeyOf(reading)),
  ];
  if (draft.previous) {
    const replaces = draft.documentMatch?.isReplaced ? { replaces: true as const } : {};
    const warnings = [...remarks, ...candidate.warnings];
    return { outcome: 'warned', warnings, linked: true, ...replaces, invoiceId };
  }
  const supplier = issuers.findPendingSupplier(input.supplierId!);
  const created = supplier ? issuers.markCreatedAndWarn(candidate, supplier) : [];
  return { outcome: 'created', warnings: [...candidate.warnings, ...created, ...remarks], invoiceId };
}

/**
 * Splits the UUIDs of the invoice and of the documents that it replaces: `current` ones identify this invoice now,
 * `lost` ones another invoice or none.
 */
export function findCurrentAndLostUuids(
  context: CfdiImportContext,
  invoice: DocumentedInvoice,
): { current: string[]; lost: string[] } {
  const { uuid } = invoice;
  const rfc = issuerRfcOf(invoice);
  const all = uuid === null ? [] : [uuid, ...context.replacements.predecessorsOf({ uuid, rfc })];
  const isCurrentUuid = (one: string) => findNamedInvoice(context, { uuid: one, rfc }).invoice === invoice;
  return { current: all.filter(isCurrentUuid), lost: all.filter((one) => !isCurrentUuid(one)) };
}

/** Applies the credit notes and receipts that were stored before the invoice they name. */
export async function applyEarlierDocuments(
  context: CfdiImportContext,
  invoice: DocumentedInvoice,
): Promise<Remark[]> {
  const remarks: Remark[] = [];
  const { settlements, replacements } = context;
  const { current: uuids } = findCurrentAndLostUuids(context, invoice);
  for (const note of settlements.notesFor(invoice.supplierId, uuids)) {
    if (replacements.isReplaced({ uuid: note.uuid, rfc: issuerRfcOf(note) })) continue;
    remarks.push(...(await applyCreditNoteWithRemarks(context, note, invoice)));
  }
  const waiting = settlements.linesWaitingFor(uuids).filter((line) => !replacements.isReplaced(line));
  if (waiting.length === 0) return remarks;
  return [...remarks, ...applyLinePlan(context, await planLines(context, waiting))];
}
