import type { PlainDate } from '../../../shared/dates.ts';
import { formatMoney, MAX_RATE, type Rate } from '../../../shared/money.ts';
import type { Remark } from '../../../shared/remarks.ts';
import { cfdiError, formatDecimal } from './attribute-values.ts';
import { convertAmounts, readExchangeRate } from './currency.ts';
import type { CfdiDocument, CfdiReadOptions } from './document.ts';
import {
  type AmountCase,
  type CfdiAmounts,
  type CfdiFigures,
  pickAmounts,
  readFigures,
  requireValidAmounts,
} from './figures.ts';
import type { CfdiKind } from './kinds.ts';
import { identityWarnings, moneyAndTaxWarnings } from './warnings.ts';
import { assessWithholdings, describeWithholdingDifferences } from './withholdings.ts';

export interface CfdiInvoiceValues extends CfdiAmounts {
  numfactura: string;
  fechaemision: PlainDate;
  /** null (shown as "Mixta") where there are several rates of IVA, an IVA without a rate, or a rate over 100 % */
  rate: Rate | null;
  comments: string;
  uuid: string | null;
  metodoPago: string;
  formCase: AmountCase;
  /** the original currency and its exchange rate, an exact decimal; both null where the amounts were not converted */
  moneda: string | null;
  tipocambio: string | null;
}

interface CfdiInvoiceReading {
  draft: CfdiInvoiceValues;
  figures: CfdiFigures;
  warnings: Remark[];
  /** set if the total is not the sum of its parts: the document is then refused unless that is allowed */
  mismatch?: string;
}

/**
 * Takes over the document's amounts, converted where they are not in the base currency; nothing else is computed.
 * @throws DomainError invalid: not_invoice, missing_exchange_rate, absurd_exchange_rate, unconvertible_currency,
 * bad_amount
 */
export function readCfdiInvoice(document: CfdiDocument, options: CfdiReadOptions): CfdiInvoiceReading {
  const { kind } = document;
  if (kind === 'N' || kind === 'T' || kind === 'P') throw cfdiError('not_invoice', NOT_INVOICE_REASONS[kind]);
  const figures = readFigures(document);
  const { totalCents, expectedCents, formCase, rate } = figures;
  const exchangeRate = readExchangeRate(document, options.baseCurrency);
  const documentAmounts = pickAmounts(figures);
  const amounts =
    exchangeRate === undefined ? documentAmounts : convertAmounts(document, documentAmounts, exchangeRate);
  requireValidAmounts(amounts);
  if (kind === 'E' && amounts.totalCents === 0)
    throw cfdiError('bad_amount', 'Es una nota de crédito con total cero: no hay nada que aplicar.');
  const number = composeDocumentNumber(document);
  const draft: CfdiInvoiceValues = {
    numfactura: shorten(number, MAX_NUMBER_LENGTH),
    fechaemision: document.fecha,
    ...amounts,
    // An invoice cannot have a rate over 100 %. Such a document is wrong in itself, and gets a warning.
    rate: rate !== null && rate > MAX_RATE ? null : rate,
    comments: describeConcepts(document.conceptos),
    uuid: document.uuid,
    metodoPago: document.metodoPago,
    formCase,
    moneda: exchangeRate === undefined ? null : document.moneda,
    tipocambio: exchangeRate === undefined ? null : formatDecimal(exchangeRate),
  };
  const warnings = [
    ...identityWarnings(document, options),
    ...moneyAndTaxWarnings(document, figures, options.baseCurrency),
    ...withholdingWarnings(document, options),
  ];
  if (draft.numfactura !== number)
    warnings.push(`El número de factura se recortó a ${MAX_NUMBER_LENGTH} caracteres.`);
  if (number === '') warnings.push('No trae serie, folio ni UUID: queda sin número.');
  if (formCase !== 'DESCUADRE') return { draft, figures, warnings };
  const [total, expected] = [totalCents, expectedCents].map(formatMoney);
  const mismatch = `El total del CFDI, ${total}, no cuadra con sus partes, que suman ${expected}.`;
  return { draft, figures, warnings, mismatch };
}

const withholdingWarnings = (document: CfdiDocument, { ownRfc = '' }: CfdiReadOptions): string[] =>
  document.kind === 'I'
    ? describeWithholdingDifferences({ ...document, withholdings: assessWithholdings(document) }, ownRfc)
    : [];

const NOT_INVOICE_REASONS: Record<Exclude<CfdiKind, 'I' | 'E'>, string> = {
  P: 'Es un complemento de pago (recibo electrónico de pago), no una factura.',
  N: 'Es un recibo de nómina, no una factura de proveedor.',
  T: 'Es un CFDI de traslado (carta porte), no una factura.',
};

/** The SAT allows 25 + 40 characters; a document without a stamp may have a longer number. */
const MAX_NUMBER_LENGTH = 100;

/** Returns "Serie-Folio", or the only one of the two that there is, else the UUID, else ''. */
export const composeDocumentNumber = ({ serie, folio, uuid }: CfdiDocument): string =>
  [serie, folio].filter((part) => part !== '').join('-') || (uuid ?? '');

function describeConcepts(conceptos: CfdiDocument['conceptos']): string {
  const texts = [...new Set(conceptos.map(({ descripcion }) => descripcion).filter((text) => text !== ''))];
  const shown = texts.slice(0, 3).map((text) => shorten(text, 80));
  const more = texts.length - shown.length;
  if (more > 0) shown.push(more === 1 ? 'y 1 concepto más' : `y ${more} conceptos más`);
  return shown.join('; ');
}

export const supplierNameOf = ({ emisor }: CfdiDocument): string =>
  shorten(emisor.nombre || emisor.rfc, MAX_NAME_LENGTH);
export const MAX_NAME_LENGTH = 200;

/** Cuts between characters, so that no emoji is split. */
const shorten = (text: string, max: number): string => {
  const characters = [...text];
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
    : text;
};
