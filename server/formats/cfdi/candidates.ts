import { createHash } from 'node:crypto';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { type CfdiDocument, type CfdiOptions, type CfdiParty, readCfdi } from './document.ts';
import { type CfdiAmounts, type CfdiWithholdings, type FormCase, pickAmounts } from './figures.ts';
import { type CfdiInvoiceDraft, draftInvoice, supplierNameOf } from './invoices.ts';
import { type CfdiReceipt, draftReceipt } from './payment-receipts.ts';
import type { CfdiFile } from './zip.ts';

/**
 * Kept beside the invoice (cfdi_documents.detail): the document's own words and figures, in its own currency. The
 * invoice may be corrected; these figures, which a second copy of the document is compared with, may not.
 */
export interface CfdiDetail extends CfdiAmounts {
  emisor: CfdiParty;
  receptor: CfdiParty;
  serie: string;
  folio: string;
  fecha: PlainDate;
  formCase: FormCase;
  /** UUIDs that it replaces (TipoRelacion 04), where it does */
  replaces?: string[];
  /** of a credit note: UUIDs of the invoices that it takes from */
  credits?: string[];
  /** UUIDs that its invoice was linked to before it replaced them */
  formerUuids?: string[];
  /** the withholdings in the base currency, where the amounts were converted */
  retencionesBase?: CfdiWithholdings;
  /** of the XML file */
  sha256: string;
}

/** A document that is an invoice, read and drafted; whether it is stored, what is on file decides. */
export interface CfdiCandidate {
  version: string;
  moneda: string;
  tipoCambio: string;
  draft: CfdiInvoiceDraft;
  detail: CfdiDetail;
  /** of the emisor, as a supplier would be called */
  suppliername: string;
  replaces: readonly string[];
  warnings: Remark[];
  /** the document itself, to be kept; whoever stores it puts it here */
  xml?: { filename: string; bytes: Uint8Array };
  /** why it is not taken, unless it is on file already: its total is not the sum of its parts */
  mismatch?: string;
}

/** A credit note reads as an invoice does; what it is taken from, its relations say. */
export interface CfdiNote extends CfdiCandidate {
  /** UUIDs of invoices, in their order */
  credits: readonly string[];
}

export type CfdiReading = { file: string; uuid?: string } & (
  | { candidate: CfdiCandidate }
  | { note: CfdiNote }
  | { receipt: CfdiReceipt }
  | { refused: string }
);

/** An invoice, a credit note or a receipt of payments. */
export type ReadDocument = Exclude<CfdiReading, { refused: string }>;

export const issuedOf = (document: ReadDocument) =>
  'candidate' in document ? document.candidate : 'note' in document ? document.note : document.receipt;

/** The UUIDs of the invoices that a credit note or a receipt of payments is about; other documents name none. */
export function namedUuids(document: CfdiReading): readonly string[] {
  if ('note' in document) return document.note.credits;
  return 'receipt' in document ? document.receipt.lines.map(({ invoiceUuid }) => invoiceUuid) : [];
}

/** Pure: nothing but the file decides. Never throws, for no file may stop the others. */
export function readCandidate(file: CfdiFile, options: Required<CfdiOptions>): CfdiReading {
  if ('problem' in file) return { file: file.name, refused: file.problem };
  let document: CfdiDocument | undefined;
  try {
    document = readCfdi(file.bytes);
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    const about = { file: file.name, uuid: document.uuid ?? undefined };
    if (document.kind === 'P') return { ...about, receipt: draftReceipt(document, options, sha256) };
    const candidate = draftCandidate(document, options, sha256);
    if (document.kind !== 'E') return { ...about, candidate };
    const credits = relatedTo(document, '01', '03', '07');
    return { ...about, note: { ...candidate, credits, detail: { ...candidate.detail, credits } } };
  } catch (error) {
    const refused =
      error instanceof DomainError ? error.message : `No se pudo leer por una falla del programa: ${error}.`;
    return { file: file.name, uuid: document?.uuid ?? undefined, refused };
  }
}

/**
 * Lists the documents that this one names by relations of these kinds (SAT, c_TipoRelacion): a credit note takes from
 * those of nota de crédito (01), devolución (03) and aplicación de anticipo (07), and 04 says which one it replaces.
 */
const relatedTo = ({ relacionados }: CfdiDocument, ...tipos: readonly string[]): string[] => [
  ...new Set(relacionados.flatMap(({ tipo, uuids }) => (tipos.includes(tipo) ? uuids : []))),
];

function draftCandidate(
  document: CfdiDocument,
  options: Required<CfdiOptions>,
  sha256: string,
): CfdiCandidate {
  const { draft, figures, warnings, mismatch } = draftInvoice(document, options);
  const replaces = relatedTo(document, '04');
  const { version, moneda, tipoCambio, emisor, receptor, serie, folio, fecha } = document;
  return {
    ...{ version, moneda, tipoCambio, draft, replaces, warnings, mismatch },
    suppliername: supplierNameOf(document),
    detail: {
      ...pickAmounts(figures),
      ...{ emisor, receptor, serie, folio, fecha, formCase: figures.formCase },
      ...(replaces.length > 0 ? { replaces } : {}),
      ...(draft.moneda ? { retencionesBase: draft.retenciones } : {}),
      sha256,
    },
  };
}
