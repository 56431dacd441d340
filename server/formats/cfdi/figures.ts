import {
  type Cents,
  computeTax,
  divideHalfUp,
  formatMoney,
  MAX_CENTS,
  type Rate,
} from '../../../shared/money.ts';
import { cfdiError, DECIMAL_ONE, type Decimal, toCents } from './attribute-values.ts';
import type { CfdiDocument } from './document.ts';
import type { CfdiTax } from './taxes.ts';

/** Invariant: total = subtotal + iva + otrosimpuestos − retenciones, and retenciones is the sum of its parts. */
export interface CfdiAmounts {
  subtotalCents: Cents;
  ivaCents: Cents;
  /** negative only where the document's total is below the sum of its parts */
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
  retenciones: CfdiWithholdings;
}

export const COMPARED_AMOUNT_LABELS = {
  subtotalCents: 'subtotal',
  ivaCents: 'IVA',
  otrosimpuestosCents: 'otros impuestos',
  retencionesCents: 'retenciones',
  totalCents: 'total',
} as const;
export type ComparedAmounts = Pick<CfdiAmounts, keyof typeof COMPARED_AMOUNT_LABELS>;

export interface CfdiWithholdings {
  ivaCents: Cents;
  isrCents: Cents;
  iepsCents: Cents;
  localCents: Cents;
  otroCents: Cents;
}

export type AmountCase =
  | 'DIRECTO'
  | 'DIRECTO_DESCUENTO'
  | 'CENTAVOS_IVA'
  | 'BASE_PARCIAL'
  | 'TASA_MIXTA'
  | 'AJUSTE'
  | 'CENTAVO'
  | 'DESCUADRE';

export interface CfdiFigures extends CfdiAmounts {
  /** the only IVA rate, 0 where there is none, null where there are several; may exceed 100 % in a wrong document */
  rate: Rate | null;
  /** the sum of the parts, while totalCents is the total that the document states */
  expectedCents: Cents;
  formCase: AmountCase;
}

/** @throws DomainError invalid (bad_amount): negative, or over the largest amount */
export function readFigures(document: CfdiDocument): CfdiFigures {
  const { subtotal, descuento, total, traslados, retenciones, localTaxes } = document;
  const withheldCents = (tax: CfdiTax['tax']) =>
    toCents(sumTaxes(retenciones.filter((item) => item.tax === tax)));
  const parts: CfdiWithholdings = {
    ivaCents: withheldCents('IVA'),
    isrCents: withheldCents('ISR'),
    iepsCents: withheldCents('IEPS'),
    localCents: toCents(localTaxes.retenciones),
    otroCents: withheldCents('otro'),
  };
  const subtotalCents = toCents(subtotal - descuento);
  const ivaCents = toCents(sumTaxes(traslados.filter((item) => item.tax === 'IVA')));
  const totalCents = toCents(total);
  const retencionesCents = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const expected =
    subtotal -
    descuento +
    sumTaxes(traslados) +
    localTaxes.traslados -
    sumTaxes(retenciones) -
    localTaxes.retenciones;
  const amounts: CfdiAmounts = {
    subtotalCents,
    ivaCents,
    otrosimpuestosCents: totalCents - subtotalCents - ivaCents + retencionesCents,
    retencionesCents,
    totalCents,
    retenciones: parts,
  };
  requireValidAmounts(amounts);
  const rate = findIvaRate(document);
  const expectedCents = toCents(expected);
  return {
    ...amounts,
    rate,
    expectedCents,
    formCase: classifyAmounts(amounts, expectedCents, rate, descuento),
  };
}

/** @returns null for several rates. Exempt counts as 0; an IVA without a rate counts as a rate of its own. */
function findIvaRate({ traslados, hasExemptConcepts: exemptConcepts }: CfdiDocument): Rate | null {
  const rates = new Set(traslados.filter((item) => item.tax === 'IVA').map(rateOrZeroIfNoTax));
  if (exemptConcepts) rates.add(0n);
  if (rates.size > 1) return null;
  const [rate = 0n] = rates;
  return rate === null ? null : divideHalfUp(rate * 100n * 10_000n, DECIMAL_ONE);
}

const rateOrZeroIfNoTax = ({ rate, amount }: CfdiTax): Decimal | null =>
  rate === null && amount === 0n ? 0n : rate;

function classifyAmounts(
  amounts: CfdiAmounts,
  expectedCents: Cents,
  rate: Rate | null,
  descuento: Decimal,
): AmountCase {
  const difference = Math.abs(amounts.totalCents - expectedCents);
  if (difference > 1) return 'DESCUADRE';
  if (difference === 1) return 'CENTAVO';
  if (amounts.otrosimpuestosCents !== amounts.retencionesCents) return 'AJUSTE';
  if (rate === null) return 'TASA_MIXTA';
  const ivaDifference = Math.abs(computeTax(amounts.subtotalCents, rate) - amounts.ivaCents);
  // Rounding each concept changes the IVA by some cents. A larger difference means that a part has no IVA.
  if (ivaDifference > 0) return ivaDifference > 10 ? 'BASE_PARCIAL' : 'CENTAVOS_IVA';
  return descuento > 0n ? 'DIRECTO_DESCUENTO' : 'DIRECTO';
}

export const pickAmounts = ({ rate, expectedCents, formCase, ...amounts }: CfdiFigures): CfdiAmounts =>
  amounts;

export function requireValidAmounts(amounts: CfdiAmounts): void {
  const limits: [string, Cents, lowest: Cents][] = [
    ['Subtotal menos descuento', amounts.subtotalCents, 0],
    ['IVA', amounts.ivaCents, 0],
    ['Total', amounts.totalCents, 0],
    ...Object.values(amounts.retenciones).map((part): [string, Cents, Cents] => ['Retenciones', part, 0]),
    ['Retenciones', amounts.retencionesCents, 0],
    ['Otros impuestos', amounts.otrosimpuestosCents, -MAX_CENTS],
  ];
  for (const [name, cents, lowest] of limits) {
    if (cents > MAX_CENTS || cents < -MAX_CENTS) {
      throw cfdiError('bad_amount', `${name}: no puede pasar de ${formatMoney(MAX_CENTS)}.`);
    }
    if (cents < lowest)
      throw cfdiError('bad_amount', `${name}: no puede ser negativo (${formatMoney(cents)}).`);
  }
}

const sumTaxes = (taxes: CfdiTax[]): Decimal => taxes.reduce((sum, { amount }) => sum + amount, 0n);
