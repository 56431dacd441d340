import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { noteOf } from '../../../shared/remarks.ts';
import { type CfdiReading, namedUuids, type ReadDocument } from '../../formats/cfdi/candidates.ts';
import { attachFile } from '../attachments.ts';
import type { Actor } from '../audit/audit.ts';
import { invoicesOfCfdi, type NamedInvoice } from '../invoices/finding.ts';
import type { Settings } from '../settings/definitions.ts';
import { importDocuments, inTurn } from './import.ts';
import type { CfdiImportOptions, CfdiOutcome } from './outcomes.ts';
import type { KnownSupplier } from './place-issuers.ts';
import { readDocument, type SentFile } from './read.ts';
import { type ReceiptLineState, readReceiptState } from './receipt-state.ts';

export interface DocumentFacts {
  numero?: string;
  emisor?: string;
  totalCents?: Cents;
  fecha?: PlainDate;
}

export function factsOf(reading: CfdiReading): DocumentFacts {
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

/** A document is only looked at: what needs permission is taken to be allowed. */
export const ALL_ALLOWED = { createSuppliers: true, allowExcess: true, dryRun: true } as const;

/** The result of storing a document if everything that needs permission were allowed. */
export interface DocumentPreview {
  document: ReadDocument;
  /** the supplier on file; none: it would be created */
  supplier: KnownSupplier | undefined;
  outcome: CfdiOutcome;
  /** of a credit note or a receipt: the invoices on file that it names, by UUID */
  onFile: ReadonlyMap<string, NamedInvoice>;
  /** those that are its supplier's, which keep its PDF */
  named: NamedInvoice[];
  /** of a receipt that is on file: what has become of each of its lines */
  lines: ReceiptLineState[];
}

/** @throws DomainError as reading it does */
export async function previewDocument(
  db: Db,
  actor: Actor,
  sent: SentFile,
  { settings, ...options }: Pick<CfdiImportOptions, 'jobId' | 'rubroId' | 'signal'> & { settings?: Settings },
): Promise<DocumentPreview> {
  const document = await readDocument(db, sent, { settings, signal: options.signal, userId: actor.userId });
  // The total is asked about beside the rest, which a refusal would hide.
  const allowed = { ...ALL_ALLOWED, ...options, allowMismatch: true };
  const decide = async (replace: boolean) => {
    const { files, suppliers } = await importDocuments(db, actor, [document], { ...allowed, replace });
    return { outcome: files[0]!, supplier: suppliers[0] };
  };
  let { outcome, supplier } = await decide(false);
  if (outcome.reason !== undefined && noteOf(outcome.reason).remedy === 'replace-former') {
    const { outcome: other } = await decide(true);
    if (other.replaces) outcome = { ...other, reason: outcome.reason };
  }
  const onFile = await invoicesOfCfdi(db, namedUuids(document));
  const isNameless = document.issued.detail.emisor.rfc === '';
  const named = ofSupplier(onFile, isNameless ? undefined : (supplier?.id ?? 0));
  const isKnown = document.kind === 'P' && outcome.outcome === 'unchanged';
  const lines = isKnown ? await readReceiptState(db, actor, document.issued) : [];
  return { document, supplier, outcome, onFile, named, lines };
}

/**
 * Stores it the way every CFDI is stored, and its PDF with the invoices that it is about: all of it or nothing.
 * @returns what came of it
 */
export async function storeDocument(
  db: Db,
  actor: Actor,
  sent: SentFile,
  {
    pdf,
    settings,
    ...options
  }: Omit<CfdiImportOptions, 'dryRun' | 'source'> & { pdf?: SentFile; settings?: Settings },
): Promise<StoredDocument> {
  const { signal } = options;
  const reading = await readDocument(db, sent, { settings, signal, userId: actor.userId });
  const named = { ...options, source: sent.filename };
  const store = (trx: Trx) => storeWithPdfs(trx, actor, [{ reading, pdf }], named);
  const [stored] = await inTurn(() => inTransaction(db, store), signal);
  return stored!;
}

/** It says what came of a document, with the invoices that it is, or is about. */
export type StoredDocument = CfdiOutcome & { invoiceIds: number[] };

/** Stores documents the way every CFDI is stored, and the PDF of each with the invoices that it is, or is about. */
export async function storeWithPdfs(
  trx: Trx,
  actor: Actor,
  documents: readonly { reading: CfdiReading; pdf?: SentFile }[],
  options: CfdiImportOptions,
): Promise<StoredDocument[]> {
  const readings = documents.map(({ reading }) => reading);
  const { files } = await importDocuments(trx, actor, readings, options);
  const stored: StoredDocument[] = [];
  for (const [index, { reading, pdf }] of documents.entries()) {
    const outcome = files[index]!;
    const invoiceIds = await invoicesOf(trx, reading, outcome);
    const isStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
    const full = pdf && isStored ? await attachPdf(trx, actor, invoiceIds, pdf) : [];
    const warnings = [...full, ...(outcome.warnings ?? [])];
    stored.push({ ...outcome, ...(warnings.length > 0 ? { warnings } : {}), invoiceIds });
  }
  return stored;
}

/** @returns what is said of invoices that take no more files, once for those of which it is the same */
async function attachPdf(trx: Trx, actor: Actor, invoiceIds: readonly number[], pdf: SentFile) {
  const full = new Set<string>();
  for (const id of invoiceIds) {
    try {
      await attachFile(trx, actor, id, pdf);
    } catch (error) {
      if (!(error instanceof DomainError) || error.code !== 'too_many_attachments') throw error;
      full.add(`El PDF no se guardó: ${error.message}`);
    }
  }
  return [...full];
}

async function invoicesOf(db: Db, document: CfdiReading, outcome: CfdiOutcome): Promise<number[]> {
  const { invoiceId, creditNoteId, receiptId } = outcome;
  if (invoiceId !== undefined) return [invoiceId];
  const [table, id] =
    creditNoteId === undefined
      ? (['payment_receipts', receiptId] as const)
      : (['credit_notes', creditNoteId] as const);
  if (id === undefined) return [];
  const owner = await db.selectFrom(table).select('supplierId').where('id', '=', id).executeTakeFirst();
  return ofSupplier(await invoicesOfCfdi(db, namedUuids(document)), owner?.supplierId).map((one) => one.id);
}

/**
 * The invoices that a document is about, in the order of their ids: the files of such a document belong with them.
 * @param supplierId undefined: not known, as where a receipt does not say who issued it
 */
function ofSupplier(
  named: ReadonlyMap<string, NamedInvoice>,
  supplierId: number | undefined,
): NamedInvoice[] {
  const byId = new Map([...named.values()].map((invoice) => [invoice.id, invoice]));
  return [...byId.values()]
    .filter((invoice) => supplierId === undefined || invoice.supplierId === supplierId)
    .sort((a, b) => a.id - b.id);
}
