import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { CfdiReading } from '../../formats/cfdi/candidates.ts';
import { MAX_XML_BYTES } from '../../formats/cfdi/xml.ts';
import { readApart } from '../../formats/reading/reading.ts';
import type { Actor } from '../audit/audit.ts';
import type { NamedInvoice } from '../invoices/finding.ts';
import { readSettings } from '../settings/settings.ts';
import { keepPdf, namedInvoices } from './attachments.ts';
import { importCfdi, inTurn } from './import.ts';
import { KnownOnFile, type KnownSupplier, readKnown } from './on-file.ts';
import type { CfdiImportOptions, CfdiOutcome } from './outcomes.ts';
import { type ReceiptLineState, readReceiptState } from './payment-receipts-state.ts';

/** A document that a person has sent, to be looked at before it is stored. */
interface SentDocument {
  filename: string;
  bytes: Uint8Array;
}

/** An invoice, a credit note or a receipt of payments. */
export type ReadDocument = Exclude<CfdiReading, { refused: string }>;

/**
 * Reads it in a process of its own: whatever it does to its reader, nobody else notices.
 * @throws DomainError with what is wrong with it, or the limit that it broke
 */
export async function readDocument(
  db: Db,
  { filename, bytes }: SentDocument,
  { signal, userId }: { signal?: AbortSignal; userId?: number } = {},
): Promise<ReadDocument> {
  if (bytes.length > MAX_XML_BYTES)
    throw new DomainError('too-large', 'El XML pasa de 2 MB, más de lo que mide un CFDI.');
  const { moneda, rfc } = await readSettings(db);
  const options = { baseCurrency: moneda, ownRfc: rfc, allowMismatch: false };
  const reading = await readApart('cfdi', { name: filename, bytes, options }, { signal, userId });
  if ('refused' in reading) throw new DomainError('invalid', reading.refused, { code: 'bad_cfdi' });
  return reading;
}

/** What storing it would come to, all that may be allowed being allowed. */
export interface DocumentPreview {
  document: ReadDocument;
  /** the supplier on file; none: it would be created */
  supplier: KnownSupplier | undefined;
  outcome: CfdiOutcome;
  /** held back, unless it is told to take the place of the document that it replaces */
  replaces: boolean;
  /** of a credit note or a receipt: the invoices on file that it is about, which keep its PDF */
  named: NamedInvoice[];
  /** of a receipt that is on file: what has become of each of its lines */
  lines: ReceiptLineState[];
}

/** @throws DomainError as reading it does */
export async function previewDocument(
  db: Db,
  actor: Actor,
  sent: SentDocument,
  options: Pick<CfdiImportOptions, 'jobId' | 'rubroId' | 'signal'>,
): Promise<DocumentPreview> {
  const document = await readDocument(db, sent, { signal: options.signal, userId: actor.userId });
  const decide = async (replace: boolean) => {
    const read = async () => withoutMismatch(document);
    const allowed = { ...options, createSuppliers: true, allowExcess: true, dryRun: true, replace, read };
    return (await importCfdi(db, actor, [fileOf(sent)], allowed)).files[0]!;
  };
  let outcome = await decide(false);
  let replaces = false;
  if (outcome.outcome === 'refused' && 'candidate' in document && document.candidate.replaces.length > 0) {
    const other = await decide(true);
    replaces = other.linked === true;
    if (replaces) outcome = { ...other, reason: outcome.reason };
  }
  const supplier = await supplierOf(db, document);
  const isNameless = issuedOf(document).detail.emisor.rfc === '';
  const named =
    supplier || isNameless ? await namedInvoices(db, document, isNameless ? undefined : supplier!.id) : [];
  const isKnown = 'receipt' in document && outcome.outcome === 'unchanged';
  const lines = isKnown ? await readReceiptState(db, actor, document.receipt) : [];
  return { document, supplier, outcome, replaces, named, lines };
}

/** Its total is asked about beside the rest, which a refusal would hide. */
function withoutMismatch(document: ReadDocument): ReadDocument {
  if ('candidate' in document)
    return { ...document, candidate: { ...document.candidate, mismatch: undefined } };
  if ('note' in document) return { ...document, note: { ...document.note, mismatch: undefined } };
  return document;
}

async function supplierOf(db: Db, document: ReadDocument): Promise<KnownSupplier | undefined> {
  const known = new KnownOnFile();
  const candidates = 'candidate' in document ? [document.candidate] : [];
  const issued = issuedOf(document);
  await readKnown(db, known, { candidates, issued: [issued], uuids: [] });
  return known.suppliersOf(issued)[0];
}

/** Who has issued it, whatever it is. */
export const issuedOf = (document: ReadDocument) =>
  'candidate' in document ? document.candidate : 'note' in document ? document.note : document.receipt;

/**
 * Stores it the way every CFDI is stored, read apart once more, and its PDF with the invoices that it is about: all of
 * it or nothing.
 * @returns what came of it
 */
export async function storeDocument(
  db: Db,
  actor: Actor,
  sent: SentDocument,
  { pdf, ...options }: Omit<CfdiImportOptions, 'dryRun' | 'read' | 'source'> & { pdf?: SentDocument },
): Promise<CfdiOutcome & { invoiceIds: number[] }> {
  const { moneda, rfc } = await readSettings(db);
  const reading = { baseCurrency: moneda, ownRfc: rfc, allowMismatch: options.allowMismatch ?? false };
  const { filename, bytes } = sent;
  const input = { name: filename, bytes, options: reading };
  const document = await readApart('cfdi', input, {
    signal: options.signal,
    userId: actor.userId,
  });
  const store = async (trx: Trx) => {
    const own = { ...options, source: filename, read: async () => document };
    const outcome = (await importCfdi(trx, actor, [fileOf(sent)], own)).files[0]!;
    const invoiceIds = await invoicesOf(trx, document, outcome);
    const isStored = outcome.outcome === 'created' || outcome.outcome === 'warned';
    const said = pdf && isStored ? await keepPdf(trx, actor, pdf, invoiceIds) : [];
    const warnings = [...said, ...(outcome.warnings ?? [])];
    return { ...outcome, ...(warnings.length > 0 ? { warnings } : {}), invoiceIds };
  };
  return inTurn(() => inTransaction(db, store), options.signal);
}

/** The invoices that a stored document is, or is about. */
export async function invoicesOf(db: Db, document: CfdiReading, outcome: CfdiOutcome): Promise<number[]> {
  const { invoiceId, creditNoteId, receiptId } = outcome;
  if (invoiceId !== undefined) return [invoiceId];
  const [table, id] =
    creditNoteId === undefined
      ? (['payment_receipts', receiptId] as const)
      : (['credit_notes', creditNoteId] as const);
  if (id === undefined) return [];
  const owner = await db.selectFrom(table).select('supplierId').where('id', '=', id).executeTakeFirst();
  return (await namedInvoices(db, document, owner?.supplierId)).map((invoice) => invoice.id);
}

export const fileOf = ({ filename, bytes }: SentDocument) => ({
  name: filename,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});
