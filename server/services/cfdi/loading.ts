import type { Db } from '../../../db/schema.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Actor } from '../audit.ts';
import { readApart } from '../reading.ts';
import { readSettings } from '../settings.ts';
import type { CfdiReading } from './candidates.ts';
import { type CfdiImportOptions, type CfdiOutcome, importCfdi } from './import.ts';
import { KnownOnFile, type KnownSupplier } from './known.ts';
import { readKnown } from './known-reading.ts';
import { MAX_XML_BYTES } from './xml.ts';

/** A document that a person has sent, to be looked at before it is stored. */
export interface SentDocument {
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
  signal?: AbortSignal,
): Promise<ReadDocument> {
  if (bytes.length > MAX_XML_BYTES)
    throw new DomainError('too-large', 'El XML pasa de 2 MB, más de lo que mide un CFDI.');
  const { moneda, rfc } = await readSettings(db);
  const options = { baseCurrency: moneda, ownRfc: rfc, allowMismatch: false };
  const reading = await readApart('cfdi', { name: filename, bytes, options }, { signal });
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
}

/** @throws DomainError as reading it does */
export async function previewDocument(
  db: Db,
  actor: Actor,
  sent: SentDocument,
  options: Pick<CfdiImportOptions, 'jobId' | 'signal'>,
): Promise<DocumentPreview> {
  const document = await readDocument(db, sent, options.signal);
  const decide = async (replace: boolean) => {
    const read = async () => withoutMismatch(document);
    const allowed = { ...options, createSuppliers: true, dryRun: true, replace, read };
    return (await importCfdi(db, actor, [fileOf(sent)], allowed)).files[0]!;
  };
  let outcome = await decide(false);
  let replaces = false;
  if (outcome.outcome === 'refused' && 'candidate' in document && document.candidate.replaces.length > 0) {
    const other = await decide(true);
    replaces = other.linked === true;
    if (replaces) outcome = { ...other, reason: outcome.reason };
  }
  return { document, supplier: await supplierOf(db, document), outcome, replaces };
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
 * Stores it the way every CFDI is stored, read apart once more.
 * @returns what came of it
 */
export async function storeDocument(
  db: Db,
  actor: Actor,
  document: SentDocument,
  options: Omit<CfdiImportOptions, 'dryRun' | 'read' | 'source'>,
): Promise<CfdiOutcome> {
  const { files } = await importCfdi(db, actor, [fileOf(document)], {
    ...options,
    source: document.filename,
    read: ({ name }, reading) =>
      readApart('cfdi', { name, bytes: document.bytes, options: reading }, { signal: options.signal }),
  });
  return files[0]!;
}

const fileOf = ({ filename, bytes }: SentDocument) => ({
  name: filename,
  bytes: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
});
