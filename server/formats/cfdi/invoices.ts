import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { formatMoney, MAX_RATE, type Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { convertAmounts, readExchangeRate } from './currency.ts';
import type { CfdiDocument, CfdiKind, CfdiOptions } from './document.ts';
import {
  type CfdiAmounts,
  type CfdiFigures,
  type FormCase,
  pickAmounts,
  readFigures,
  refuseBadAmounts,
} from './figures.ts';
import { decimalText, refusal } from './values.ts';
import { warnAboutInvoice } from './warnings.ts';

export interface CfdiInvoiceDraft extends CfdiAmounts {
  /** Serie-Folio, else the UUID, else '' */
  numfactura: string;
  fechaemision: PlainDate;
  /** the document's IVA rate, null for several ("Mixta") */
  rate: Rate | null;
  comments: string;
  uuid: string | null;
  metodoPago: string;
  formCase: FormCase;
  /** what its amounts were converted from, and at which rate, an exact decimal; null where they were not */
  moneda: string | null;
  tipocambio: string | null;
}

export interface CfdiInvoice {
  draft: CfdiInvoiceDraft;
  /** in the document's currency, whatever that is */
  figures: CfdiFigures;
  warnings: Remark[];
}

/**
 * A CFDI of type I → the fields of an invoice, in the base currency. The document's figures win: nothing is recomputed.
 * @throws DomainError invalid: not_invoice, cfdi_mismatch (with both figures in `extra`), missing_exchange_rate,
 * absurd_exchange_rate, unconvertible_currency, bad_amount
 */
export function draftInvoice(document: CfdiDocument, options: CfdiOptions): CfdiInvoice {
  if (document.kind !== 'I') throw refusal('not_invoice', NOT_INVOICE[document.kind]);
  return draftAmounts(document, options);
}

/** A credit note's amounts are read as those of an invoice. */
export function draftCreditNote(document: CfdiDocument, options: CfdiOptions): CfdiInvoice {
  if (document.kind !== 'E') throw refusal('not_credit_note', 'No es un CFDI de egreso.');
  const note = draftAmounts(document, options);
  if (note.draft.totalCents === 0)
    throw refusal('bad_amount', 'Es una nota de crédito con total cero: no hay nada que aplicar.');
  return note;
}

function draftAmounts(document: CfdiDocument, options: CfdiOptions): CfdiInvoice {
  const figures = readFigures(document);
  if (figures.formCase === 'DESCUADRE' && !options.allowMismatch) throw mismatch(figures);
  const exchangeRate = readExchangeRate(document, options.baseCurrency);
  const own = pickAmounts(figures);
  const amounts = exchangeRate === undefined ? own : convertAmounts(document, own, exchangeRate);
  refuseBadAmounts(amounts);
  const number = documentNumber(document);
  const draft: CfdiInvoiceDraft = {
    numfactura: shorten(number, MAX_NUMBER),
    fechaemision: document.fecha,
    ...amounts,
    // A rate over 100 % has no place in an invoice; such a document is wrong in itself, and said to be.
    rate: figures.rate !== null && figures.rate > MAX_RATE ? null : figures.rate,
    comments: describeConcepts(document.conceptos),
    uuid: document.uuid,
    metodoPago: document.metodoPago,
    formCase: figures.formCase,
    moneda: exchangeRate === undefined ? null : document.moneda,
    tipocambio: exchangeRate === undefined ? null : decimalText(exchangeRate),
  };
  const warnings = warnAboutInvoice(document, figures, options);
  if (draft.numfactura !== number)
    warnings.push(`El número de factura se recortó a ${MAX_NUMBER} caracteres.`);
  if (number === '') warnings.push('No trae serie, folio ni UUID: queda sin número.');
  return { draft, figures, warnings };
}

const NOT_INVOICE: Record<Exclude<CfdiKind, 'I'>, string> = {
  E: 'Es un CFDI de egreso (nota de crédito), no una factura.',
  P: 'Es un complemento de pago (recibo electrónico de pago), no una factura.',
  N: 'Es un recibo de nómina, no una factura de proveedor.',
  T: 'Es un CFDI de traslado (carta porte), no una factura.',
};

function mismatch({ totalCents, expectedCents }: CfdiFigures): DomainError {
  const [total, expected] = [formatMoney(totalCents), formatMoney(expectedCents)];
  const message = `El total del CFDI, ${total}, no cuadra con sus partes, que suman ${expected}.`;
  return new DomainError('invalid', message, { code: 'cfdi_mismatch', extra: { total, expected } });
}

/** The most that an invoice's number holds. The SAT's 25 + 40 characters fit; a document without stamp may have more. */
const MAX_NUMBER = 100;

/** Serie-Folio, the parts that there are; else the UUID, else ''. */
export const documentNumber = ({ serie, folio, uuid }: CfdiDocument): string =>
  [serie, folio].filter((part) => part !== '').join('-') || (uuid ?? '');

/** "Cemento gris; Varilla 3/8; Arena; y 21 conceptos más". */
function describeConcepts(conceptos: CfdiDocument['conceptos']): string {
  const texts = [...new Set(conceptos.map(({ descripcion }) => descripcion).filter((text) => text !== ''))];
  const shown = texts.slice(0, 3).map((text) => shorten(text, 80));
  const more = texts.length - shown.length;
  if (more > 0) shown.push(more === 1 ? 'y 1 concepto más' : `y ${more} conceptos más`);
  return shown.join('; ');
}

/** By whole characters, so that no emoji is cut in half. */
export const shorten = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : text;
};
