import type { Remark } from '../../../shared/remarks.ts';
import type { ReadDocument } from '../../formats/cfdi/candidates.ts';
import { documentKeyOf } from '../document-relations.ts';
import type { InvoiceInput } from '../invoices/draft.ts';
import { type DocumentedInvoice, storedId } from '../invoices/known.ts';
import { amountsOf, plainColumns } from '../invoices/rows.ts';
import { type WrittenInvoice, writeInvoices } from '../invoices/write.ts';
import { tellApplied } from './decide-notes.ts';
import { placeLines, planLines } from './decide-receipts.ts';
import type { CostPlace, Outcome } from './outcomes.ts';
import { type CfdiPart, invoiceNamed, issuerOf } from './place.ts';
import { type Issued, type KnownSupplier, refuseSupplier } from './place-issuers.ts';

interface ReadInvoice {
  reading: ReadDocument & { kind: 'I' };
  place: CostPlace;
}

export async function takeInvoices(part: CfdiPart, documents: readonly ReadInvoice[]): Promise<Outcome[]> {
  if (documents.length === 0) return [];
  const { db, actor, options, closing, issuers, invoices: book, writer } = part;
  const { dryRun, replace, allowExcess } = options;
  const inputs = documents.map((document) => draftOf(part, document));
  const written = await writeInvoices(db, actor, inputs, {
    dryRun,
    replace,
    allowExcess,
    book,
    closing,
    onRefusal: 'skip',
    async createMissing(_trx, accepted) {
      const coming = new Map<KnownSupplier, Issued>();
      for (const { supplierId, cfdi } of accepted) {
        const supplier = issuers.comingAs(supplierId!);
        if (supplier && !coming.has(supplier)) coming.set(supplier, cfdi!);
      }
      await writer.addSuppliers(coming);
      for (const draft of accepted)
        draft.supplierId = issuers.comingAs(draft.supplierId!)?.id ?? draft.supplierId;
      return writer.importId();
    },
  });
  return documents.map(({ reading }, index) => outcomeOf(part, reading, inputs[index]!, written[index]!));
}

function draftOf(
  { issuers, options, replacements }: CfdiPart,
  { reading, place }: ReadInvoice,
): InvoiceInput {
  const candidate = reading.issued;
  const named = documentKeyOf(reading);
  const { draft: input } = candidate;
  const found = issuers.of(candidate);
  const supplierIds = found.length > 0 ? found.map(({ id }) => id) : [issuers.coming(candidate).id];
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
      replaces: [...new Set([...candidate.replaces, ...replacements.predecessorsOf(named)])],
      heldBack: replacements.describeReplaced(named),
      supplierIds,
      badSupplier: refuseSupplier(candidate, found, options.createSuppliers),
    },
  };
}

function outcomeOf(
  { issuers, writer, replacements }: CfdiPart,
  reading: ReadInvoice['reading'],
  input: InvoiceInput,
  written: WrittenInvoice,
): Outcome {
  if (written.outcome === 'refused') return { ...written, reason: written.refused.message };
  if (written.outcome === 'unchanged') return { outcome: 'unchanged', invoiceId: storedId(written.row!.id) };
  const { id, draft } = written;
  const candidate = reading.issued;
  writer.keepDocument(id, reading, draft.previous === undefined);
  const invoiceId = storedId(id);
  const said = [
    ...written.warnings.map(({ message }) => message),
    ...replacements.describeBranches(documentKeyOf(reading)),
  ];
  if (draft.previous) {
    const replaces = draft.identity?.isReplaced ? { replaces: true as const } : {};
    const warnings = [...said, ...candidate.warnings];
    return { outcome: 'warned', warnings, linked: true, ...replaces, invoiceId };
  }
  const supplier = issuers.comingAs(input.supplierId!);
  const created = supplier ? issuers.create(candidate, supplier) : [];
  return { outcome: 'created', warnings: [...candidate.warnings, ...created, ...said], invoiceId };
}

/**
 * Resolves the UUIDs of an invoice, its own and those that it replaces: those that stand for it now, and those lost to
 * another invoice or to none.
 */
export function namesOf(part: CfdiPart, invoice: DocumentedInvoice): { meant: string[]; lost: string[] } {
  const { uuid } = invoice;
  const rfc = issuerOf(invoice);
  const all = uuid === null ? [] : [uuid, ...part.replacements.predecessorsOf({ uuid, rfc })];
  const isMeant = (one: string) => invoiceNamed(part, { uuid: one, rfc }).invoice === invoice;
  return { meant: all.filter(isMeant), lost: all.filter((one) => !isMeant(one)) };
}

/** Applies the credit notes and receipts that were stored before the invoice they name. @returns remarks about them */
export async function settleArrival(part: CfdiPart, invoice: DocumentedInvoice): Promise<Remark[]> {
  const said: Remark[] = [];
  const { settlements, replacements } = part;
  const { meant: uuids } = namesOf(part, invoice);
  for (const note of settlements.notesFor(invoice.supplierId, uuids)) {
    if (replacements.isReplaced({ uuid: note.uuid, rfc: issuerOf(note) })) continue;
    said.push(...(await tellApplied(part, note, invoice)));
  }
  const waiting = settlements.waitingFor(uuids).filter((line) => !replacements.isReplaced(line));
  if (waiting.length === 0) return said;
  return [...said, ...placeLines(part, await planLines(part, waiting))];
}
