import { createHash } from 'node:crypto';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { isUuid } from '../../../shared/text.ts';
import {
  type CfdiDocument,
  type CfdiParty,
  type CfdiReadOptions,
  readCfdiAndCheckSeal,
  type SealState,
} from './document.ts';
import { type AmountCase, type CfdiAmounts, type CfdiWithholdings, pickAmounts } from './figures.ts';
import {
  type CfdiInvoiceValues,
  composeDocumentNumber,
  readCfdiInvoice,
  supplierNameOf,
} from './invoices.ts';
import { type PaymentReceipt, readPaymentReceipt } from './payment-receipts.ts';
import type { CfdiFile } from './zip.ts';

/** Amounts are in the document's currency and never corrected: a second copy of the document is compared with them. */
export interface CfdiDetail extends CfdiAmounts {
  emisor: CfdiParty;
  receptor: CfdiParty;
  serie: string;
  folio: string;
  fecha: PlainDate;
  formCase: AmountCase;
  /** UUIDs of the documents that this one replaces (TipoRelacion 04), if any */
  replaces?: string[];
  /** for a credit note: UUIDs of the invoices that it reduces */
  credits?: string[];
  /** the issuer's seal does not match the document's content */
  isAltered?: boolean;
  /** UUIDs of the documents that the invoice was linked to before */
  formerUuids?: string[];
  /** the withholdings in the base currency, where the amounts were converted */
  retencionesBase?: CfdiWithholdings;
  sha256: string;
}

export interface CfdiCandidate {
  version: string;
  moneda: string;
  tipoCambio: string;
  sello: SealState | null;
  draft: CfdiInvoiceValues;
  detail: CfdiDetail;
  suppliername: string;
  replaces: readonly string[];
  credits: readonly string[];
  warnings: Remark[];
  /** set if the total is not the sum of its parts: the document is then refused unless it is already stored */
  totalMismatch?: string;
}

interface CfdiFileInfo {
  file: string;
  uuid?: string;
  /** the documents that this one replaces (TipoRelacion 04), even if this one is refused */
  replacing?: Replacement[];
  regime?: StatedRegime;
  xml?: { filename: string; bytes: Uint8Array };
}

export type StatedRegime = Pick<CfdiDocument, 'regimenFiscal' | 'fecha'>;

interface Replacement {
  uuid: string;
  replacedUuid: string;
  kind: 'I' | 'E' | 'P';
  rfc: string;
  numero: string;
}

export type SuccessfulReading = CfdiFileInfo &
  (
    | { kind: 'I'; issued: CfdiCandidate }
    | { kind: 'E'; issued: CfdiCandidate }
    | { kind: 'P'; issued: PaymentReceipt }
  );

export type CfdiReading = SuccessfulReading | (CfdiFileInfo & { kind?: undefined; refused: string });

export const listParsedDocuments = (readings: readonly CfdiReading[]) =>
  readings.flatMap((reading) => (reading.kind ? [reading.issued] : []));

export function listReferencedInvoiceUuids(reading: CfdiReading): readonly string[] {
  if (!reading.kind) return [];
  if (reading.kind !== 'P') return reading.issued.credits;
  return reading.issued.lines.map(({ invoiceUuid }) => invoiceUuid);
}

/** The result depends on the file and the options alone. Never throws, since one file must not stop the others. */
export function readCandidate(file: CfdiFile, options: Required<CfdiReadOptions>): CfdiReading {
  if ('problem' in file) return { file: file.name, refused: file.problem };
  let document: CfdiDocument | undefined;
  try {
    document = readCfdiAndCheckSeal(file.bytes);
    const sha256 = createHash('sha256').update(file.bytes).digest('hex');
    const about = {
      file: file.name,
      uuid: document.uuid ?? undefined,
      replacing: findReplacements(document),
      regime: { regimenFiscal: document.regimenFiscal, fecha: document.fecha },
    };
    return document.kind === 'P'
      ? { ...about, kind: 'P', issued: readPaymentReceipt(document, options, sha256) }
      : {
          ...about,
          kind: document.kind === 'E' ? 'E' : 'I',
          issued: createCandidate(document, options, sha256),
        };
  } catch (error) {
    const refused =
      error instanceof DomainError ? error.message : `No se pudo leer por una falla del programa: ${error}.`;
    const replacing = document && findReplacements(document);
    return { file: file.name, uuid: document?.uuid ?? undefined, replacing, refused };
  }
}

function findReplacements(document: CfdiDocument): Replacement[] | undefined {
  const { uuid, kind, emisor } = document;
  if (uuid === null || kind === 'N' || kind === 'T') return undefined;
  const about = { uuid, kind, rfc: emisor.rfc, numero: composeDocumentNumber(document) };
  return listRelatedUuids(document, '04').flatMap((replacedUuid) =>
    isUuid(replacedUuid) && replacedUuid !== uuid ? { ...about, replacedUuid } : [],
  );
}

/**
 * Returns the documents to which this one is related by one of `tipos` (SAT, c_TipoRelacion). A credit note reduces
 * documents by nota de crédito (01), devolución (03) and aplicación de anticipo (07); by 04 a document replaces others.
 */
const listRelatedUuids = ({ relacionados }: CfdiDocument, ...tipos: readonly string[]): string[] => [
  ...new Set(relacionados.flatMap(({ tipo, uuids }) => (tipos.includes(tipo) ? uuids : []))),
];

function createCandidate(
  document: CfdiDocument,
  options: Required<CfdiReadOptions>,
  sha256: string,
): CfdiCandidate {
  const { draft, figures, warnings, mismatch } = readCfdiInvoice(document, options);
  const replaces = listRelatedUuids(document, '04');
  const isNote = document.kind === 'E';
  const credits = isNote ? listRelatedUuids(document, '01', '03', '07') : [];
  const { version, moneda, tipoCambio, sello, emisor, receptor, serie, folio, fecha } = document;
  return {
    ...{ version, moneda, tipoCambio, sello, draft, replaces, credits, warnings, totalMismatch: mismatch },
    suppliername: supplierNameOf(document),
    detail: {
      ...pickAmounts(figures),
      ...{ emisor, receptor, serie, folio, fecha, formCase: figures.formCase },
      ...(replaces.length > 0 ? { replaces } : {}),
      ...(isNote ? { credits } : {}),
      ...(sello === 'alterado' ? { isAltered: true } : {}),
      ...(draft.moneda ? { retencionesBase: draft.retenciones } : {}),
      sha256,
    },
  };
}
