import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  type Cents,
  divideHalfUp,
  formatMoney,
  MAX_CENTS,
  MAX_RATE,
  type Rate,
  taxOf,
} from '../../../shared/money.ts';
import type { CfdiDocument, CfdiKind } from './document.ts';
import { convertAmounts, readExchangeRate } from './exchange.ts';
import type { CfdiTax } from './taxes.ts';
import { type Decimal, ONE, refusal, toCents } from './values.ts';
import { warnAboutInvoice } from './warnings.ts';

/** total = subtotal + iva + otrosimpuestos − retenciones, always; retenciones is the sum of its parts. */
export interface CfdiAmounts {
  subtotalCents: Cents;
  ivaCents: Cents;
  /** below 0 only where the document's total is below the sum of its parts */
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  retenciones: CfdiWithholdings;
}

export interface CfdiWithholdings {
  ivaCents: Cents;
  isrCents: Cents;
  iepsCents: Cents;
  localCents: Cents;
  otroCents: Cents;
}

/** How a document's figures relate to subtotal × rate; the gravest that holds. */
export type FormCase =
  | 'DIRECTO'
  | 'DIRECTO_DESCUENTO'
  | 'CENTAVOS_IVA'
  | 'BASE_PARCIAL'
  | 'TASA_MIXTA'
  | 'AJUSTE'
  | 'CENTAVO'
  | 'DESCUADRE';

/** The document's own figures, in its own currency. */
export interface CfdiFigures extends CfdiAmounts {
  /** the one IVA rate, 0 where there is none, null where there are several; may pass 100 % in a wrong document */
  rate: Rate | null;
  /** what the parts add up to; totalCents is what the document says */
  expectedCents: Cents;
  formCase: FormCase;
}

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
  /** the document's own amounts, where they were converted */
  original?: CfdiAmounts & { moneda: string; tipoCambio: string };
}

export interface InvoiceOptions {
  /** ISO 4217, the setting "moneda" */
  baseCurrency: string;
  /** the setting "rfc"; empty: the receiver is not compared */
  ownRfc?: string;
  /** take a document whose total is not the sum of its parts */
  allowMismatch?: boolean;
}

export interface CfdiInvoice {
  draft: CfdiInvoiceDraft;
  /** in the document's currency, whatever that is */
  figures: CfdiFigures;
  warnings: string[];
}

/**
 * A CFDI of type I → the fields of an invoice, in the base currency. The document's figures win: nothing is recomputed.
 * @throws DomainError invalid: not_invoice, cfdi_mismatch (with both figures in `extra`), missing_exchange_rate,
 * absurd_exchange_rate, unconvertible_currency, bad_amount
 */
export function draftInvoice(document: CfdiDocument, options: InvoiceOptions): CfdiInvoice {
  if (document.kind !== 'I') throw refusal('not_invoice', NOT_INVOICE[document.kind]);
  return draftAmounts(document, options);
}

/** The same of a CFDI of type E: what a credit note takes away is read as what an invoice adds. */
export function draftCreditNote(document: CfdiDocument, options: InvoiceOptions): CfdiInvoice {
  if (document.kind !== 'E') throw refusal('not_credit_note', 'No es un CFDI de egreso.');
  const note = draftAmounts(document, options);
  if (note.draft.totalCents === 0)
    throw refusal('bad_amount', 'Es una nota de crédito con total cero: no hay nada que aplicar.');
  return note;
}

function draftAmounts(document: CfdiDocument, options: InvoiceOptions): CfdiInvoice {
  const figures = readFigures(document);
  if (figures.formCase === 'DESCUADRE' && !options.allowMismatch) throw mismatch(figures);
  const exchangeRate = readExchangeRate(document, options.baseCurrency);
  const own = pickAmounts(figures);
  const amounts = exchangeRate === undefined ? own : convertAmounts(document, own, exchangeRate);
  refuseBadAmounts(amounts);
  const { moneda, tipoCambio } = document;
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
    ...(exchangeRate === undefined ? {} : { original: { ...own, moneda, tipoCambio } }),
  };
  const warnings = warnAboutInvoice(document, figures, options);
  if (draft.numfactura !== number)
    warnings.push(`El número de factura se recortó a ${MAX_NUMBER} caracteres.`);
  if (number === '') warnings.push('No trae serie, folio ni UUID: queda sin número.');
  return { draft, figures, warnings };
}

/**
 * The document's figures in its own currency, of any kind of CFDI.
 * @throws DomainError invalid (code bad_amount): negative, or over the largest amount stored
 */
export function readFigures(document: CfdiDocument): CfdiFigures {
  const { subtotal, descuento, total, traslados, retenciones, local } = document;
  const withheld = (tax: CfdiTax['tax']) => toCents(sumOf(retenciones.filter((item) => item.tax === tax)));
  const parts: CfdiWithholdings = {
    ivaCents: withheld('IVA'),
    isrCents: withheld('ISR'),
    iepsCents: withheld('IEPS'),
    localCents: toCents(local.retenciones),
    otroCents: withheld('otro'),
  };
  const subtotalCents = toCents(subtotal - descuento);
  const ivaCents = toCents(sumOf(traslados.filter((item) => item.tax === 'IVA')));
  const totalCents = toCents(total);
  const retencionesCents = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const expected =
    subtotal - descuento + sumOf(traslados) + local.traslados - sumOf(retenciones) - local.retenciones;
  const amounts: CfdiAmounts = {
    subtotalCents,
    ivaCents,
    otrosimpuestosCents: totalCents - subtotalCents - ivaCents + retencionesCents,
    retencionesCents,
    totalCents,
    retenciones: parts,
  };
  refuseBadAmounts(amounts);
  const rate = ivaRate(document);
  const expectedCents = toCents(expected);
  return { ...amounts, rate, expectedCents, formCase: formCaseOf(amounts, expectedCents, rate, descuento) };
}

const NOT_INVOICE: Record<Exclude<CfdiKind, 'I'>, string> = {
  E: 'Es un CFDI de egreso (nota de crédito), no una factura.',
  P: 'Es un complemento de pago (recibo electrónico de pago), no una factura.',
  N: 'Es un recibo de nómina, no una factura de proveedor.',
  T: 'Es un CFDI de traslado (carta porte), no una factura.',
};

const sumOf = (taxes: CfdiTax[]): Decimal => taxes.reduce((sum, { amount }) => sum + amount, 0n);

const pickAmounts = (figures: CfdiFigures): CfdiAmounts => ({
  subtotalCents: figures.subtotalCents,
  ivaCents: figures.ivaCents,
  otrosimpuestosCents: figures.otrosimpuestosCents,
  retencionesCents: figures.retencionesCents,
  totalCents: figures.totalCents,
  retenciones: figures.retenciones,
});

function mismatch({ totalCents, expectedCents }: CfdiFigures): DomainError {
  const [total, expected] = [formatMoney(totalCents), formatMoney(expectedCents)];
  const message = `El total del CFDI, ${total}, no cuadra con sus partes, que suman ${expected}.`;
  return new DomainError('invalid', message, { code: 'cfdi_mismatch', extra: { total, expected } });
}

/** Several rates, exempt counting as 0: null. A rate that is not said beside an IVA that is not 0 counts as another one. */
function ivaRate({ traslados, exemptConcepts }: CfdiDocument): Rate | null {
  const rates = new Set(traslados.filter((item) => item.tax === 'IVA').map(rateOf));
  if (exemptConcepts) rates.add(0n);
  if (rates.size > 1) return null;
  const [rate = 0n] = rates;
  return rate === null ? null : divideHalfUp(rate * 100n * 10_000n, ONE);
}

const rateOf = ({ rate, amount }: CfdiTax): Decimal | null => (rate === null && amount === 0n ? 0n : rate);

function formCaseOf(
  amounts: CfdiAmounts,
  expectedCents: Cents,
  rate: Rate | null,
  descuento: Decimal,
): FormCase {
  const off = Math.abs(amounts.totalCents - expectedCents);
  if (off > 1) return 'DESCUADRE';
  if (off === 1) return 'CENTAVO';
  if (amounts.otrosimpuestosCents !== amounts.retencionesCents) return 'AJUSTE';
  if (rate === null) return 'TASA_MIXTA';
  const ivaOff = Math.abs(taxOf(amounts.subtotalCents, rate) - amounts.ivaCents);
  // Rounding by concept moves the IVA by cents; more than that is a part of the subtotal without IVA.
  if (ivaOff > 0) return ivaOff > 10 ? 'BASE_PARCIAL' : 'CENTAVOS_IVA';
  return descuento > 0n ? 'DIRECTO_DESCUENTO' : 'DIRECTO';
}

function refuseBadAmounts(amounts: CfdiAmounts): void {
  const named: [string, Cents, lowest: Cents][] = [
    ['Subtotal menos descuento', amounts.subtotalCents, 0],
    ['IVA', amounts.ivaCents, 0],
    ['Total', amounts.totalCents, 0],
    ...Object.values(amounts.retenciones).map((part): [string, Cents, Cents] => ['Retenciones', part, 0]),
    ['Retenciones', amounts.retencionesCents, 0],
    ['Otros impuestos', amounts.otrosimpuestosCents, -MAX_CENTS],
  ];
  for (const [name, cents, lowest] of named) {
    if (cents > MAX_CENTS || cents < -MAX_CENTS) {
      throw refusal('bad_amount', `${name}: no puede pasar de ${formatMoney(MAX_CENTS)}.`);
    }
    if (cents < lowest)
      throw refusal('bad_amount', `${name}: no puede ser negativo (${formatMoney(cents)}).`);
  }
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
