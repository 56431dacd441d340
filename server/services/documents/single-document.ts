import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { toStructuredRemark } from '../../../shared/remarks.ts';
import {
  type CfdiReading,
  listReferencedInvoiceUuids,
  type SuccessfulReading,
} from '../../formats/cfdi/candidates.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { findInvoicesByUuid, type InvoiceReference } from '../invoices/finding.ts';
import type { Settings } from '../settings/definitions.ts';
import { importDocuments, retryWhileBusy } from './import.ts';
import type { KnownSupplier } from './issuers.ts';
import type { CfdiImportOptions, CfdiOutcome } from './outcomes.ts';
import { readDocument, type SentFile } from './read-cfdi.ts';
import { type ReceiptLineState, readReceiptState } from './receipt-state.ts';

export interface DocumentSummary {
  numero?: string;
  emisor?: string;
  totalCents?: Cents;
  fecha?: PlainDate;
}

export function summarizeDocument(reading: CfdiReading): DocumentSummary {
  if (!reading.kind) return {};
  const emisor = reading.issued.suppliername;
  if (reading.kind === 'P') {
    const { numero, fecha, lines } = reading.issued;
    const totalCents = lines.reduce((sum, { amountCents }) => sum + amountCents, 0);
    return { numero, emisor, totalCents, fecha };
  }
  const { draft } = reading.issued;
  return { numero: draft.numfactura, emisor, totalCents: draft.totalCents, fecha: draft.fechaemision };
}

export const DRY_RUN_ALLOWING_SUPPLIERS_AND_EXCESS = {
  createSuppliers: true,
  allowExcess: true,
  dryRun: true,
} as const;

/** The outcome of a document if everything that needs permission were allowed. */
export interface DocumentPreview {
  document: SuccessfulReading;
  /** The supplier on file; undefined where storing would create it. */
  supplier: KnownSupplier | undefined;
  outcome: CfdiOutcome;
  storedInvoicesByUuid: ReadonlyMap<string, InvoiceReference>;
  /** The stored invoices that belong to the document's supplier. The PDF is attached to them. */
  invoices: InvoiceReference[];
  receiptLines: ReceiptLineState[];
}

/** @throws DomainError where the document cannot be read */
export async function previewDocument(
  db: Db,
  actor: Actor,
  sentFile: SentFile,
  { settings, ...options }: Pick<CfdiImportOptions, 'jobId' | 'rubroId' | 'signal'> & { settings?: Settings },
): Promise<DocumentPreview> {
  const document = await readDocument(db, sentFile, {
    settings,
    signal: options.signal,
    userId: actor.userId,
  });
  // A wrong total would be refused and hide everything else, so it is allowed here and confirmed by the user.
  const allowed = { ...DRY_RUN_ALLOWING_SUPPLIERS_AND_EXCESS, ...options, allowMismatch: true };
  const previewWithReplace = async (replace: boolean) => {
    const { files, suppliers } = await importDocuments(db, actor, [document], { ...allowed, replace });
    return { outcome: files[0]!, supplier: suppliers[0] };
  };
  let { outcome, supplier } = await previewWithReplace(false);
  if (outcome.reason !== undefined && toStructuredRemark(outcome.reason).remedy === 'replace-former') {
    const { outcome: replacing } = await previewWithReplace(true);
    if (replacing.replaces) outcome = { ...replacing, reason: outcome.reason };
  }
  const storedInvoicesByUuid = await findInvoicesByUuid(db, listReferencedInvoiceUuids(document));
  const hasNoIssuer = document.issued.detail.emisor.rfc === '';
  const invoices = filterInvoicesOfSupplier(
    storedInvoicesByUuid,
    hasNoIssuer ? undefined : (supplier?.id ?? 0),
  );
  const isOnFile = document.kind === 'P' && outcome.outcome === 'unchanged';
  const lines = isOnFile ? await readReceiptState(db, actor, document.issued) : [];
  return { document, supplier, outcome, storedInvoicesByUuid, invoices, receiptLines: lines };
}

/** The PDF is attached to the invoices that the document is or names: all of it is stored, or nothing. */
export async function storeDocument(
  db: Db,
  actor: Actor,
  sentFile: SentFile,
  {
    pdf,
    settings,
    ...options
  }: Omit<CfdiImportOptions, 'dryRun' | 'source'> & { pdf?: SentFile; settings?: Settings },
): Promise<StoredDocumentOutcome> {
  const { signal } = options;
  const reading = await readDocument(db, sentFile, { settings, signal, userId: actor.userId });
  const optionsWithSource = { ...options, source: sentFile.filename };
  const storeDocumentAndPdf = (trx: Trx) =>
    storeDocumentsWithPdfs(trx, actor, [{ reading, pdf }], optionsWithSource);
  const [stored] = await retryWhileBusy(() => inTransaction(db, storeDocumentAndPdf), signal);
  return stored!;
}

export type StoredDocumentOutcome = CfdiOutcome & { invoiceIds: number[] };

export async function storeDocumentsWithPdfs(
  trx: Trx,
  actor: Actor,
  documents: readonly { reading: CfdiReading; pdf?: SentFile }[],
  options: CfdiImportOptions,
): Promise<StoredDocumentOutcome[]> {
  const readings = documents.map(({ reading }) => reading);
  const { files } = await importDocuments(trx, actor, readings, options);
  const stored: StoredDocumentOutcome[] = [];
  for (const [index, { reading, pdf }] of documents.entries()) {
    const outcome = files[index]!;
    const invoiceIds = await findInvoiceIdsOfDocument(trx, reading, outcome);
    const isStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
    const fullMessages = pdf && isStored ? await attachPdfToInvoices(trx, actor, invoiceIds, pdf) : [];
    const warnings = [...fullMessages, ...(outcome.warnings ?? [])];
    stored.push({ ...outcome, ...(warnings.length > 0 ? { warnings } : {}), invoiceIds });
  }
  return stored;
}

/** @returns warnings about invoices that take no more files, each message once */
async function attachPdfToInvoices(trx: Trx, actor: Actor, invoiceIds: readonly number[], pdf: SentFile) {
  const fullMessages = new Set<string>();
  for (const id of invoiceIds) {
    try {
      await attachFile(trx, actor, id, pdf);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'too_many_attachments') throw error;
      fullMessages.add(`El PDF no se guardó: ${error.message}`);
    }
  }
  return [...fullMessages];
}

async function findInvoiceIdsOfDocument(
  db: Db,
  document: CfdiReading,
  outcome: CfdiOutcome,
): Promise<number[]> {
  const { invoiceId, creditNoteId, receiptId } = outcome;
  if (invoiceId !== undefined) return [invoiceId];
  const [table, id] =
    creditNoteId === undefined
      ? (['payment_receipts', receiptId] as const)
      : (['credit_notes', creditNoteId] as const);
  if (id === undefined) return [];
  const owner = await db.selectFrom(table).select('supplierId').where('id', '=', id).executeTakeFirst();
  return filterInvoicesOfSupplier(
    await findInvoicesByUuid(db, listReferencedInvoiceUuids(document)),
    owner?.supplierId,
  ).map((one) => one.id);
}

/**
 * Keeps the invoices of one supplier: only these get the PDF.
 * @param supplierId undefined where a receipt states no issuer: then all are kept
 */
function filterInvoicesOfSupplier(
  named: ReadonlyMap<string, InvoiceReference>,
  supplierId: number | undefined,
): InvoiceReference[] {
  const byId = new Map([...named.values()].map((invoice) => [invoice.id, invoice]));
  return [...byId.values()]
    .filter((invoice) => supplierId === undefined || invoice.supplierId === supplierId)
    .sort((a, b) => a.id - b.id);
}
