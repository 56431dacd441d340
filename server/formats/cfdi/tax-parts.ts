import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { DECIMAL_ONE, type Decimal, toCents } from './attribute-values.ts';
import type { CfdiDocument } from './document.ts';
import type { CfdiTax } from './taxes.ts';

/** The base of IVA is split by rate or exemption. The rate of 8 % exists only in the two border regions. */
export const IVA_BASE_PARTS = ['tasa16', 'norte8', 'sur8', 'tasa0', 'exento', 'noObjeto'] as const;
type IvaBasePart = (typeof IVA_BASE_PARTS)[number];
const IVA_PART_BY_BASE = { tasa16: 'iva16', norte8: 'ivaNorte8', sur8: 'ivaSur8' } as const;
const OTHER_PARTS = ['otros', 'ivaRetenido', 'otrasRetenciones'] as const;
const TAX_PARTS = [...IVA_BASE_PARTS, ...Object.values(IVA_PART_BY_BASE), ...OTHER_PARTS];
type TaxPart = (typeof TAX_PARTS)[number];

/** The parts of a document's total. Withholdings are negative, so that all parts add up to the total. */
export type TaxParts = Record<TaxPart, Cents>;

export type TaxPartsProblem = 'sin_desglose' | 'otra_tasa' | 'iva_distinto';

export const addTaxParts = (...all: readonly TaxParts[]): TaxParts =>
  buildTaxParts((part) => all.reduce((sum, parts) => sum + parts[part], 0));

export const sumTaxParts = (parts: TaxParts, of: readonly TaxPart[] = TAX_PARTS): Cents =>
  of.reduce((sum, part) => sum + parts[part], 0);

const buildTaxParts = <Value>(readPart: (part: TaxPart) => Value) =>
  Object.fromEntries(TAX_PARTS.map((part) => [part, readPart(part)])) as Record<TaxPart, Value>;

export const ZERO_TAX_PARTS: TaxParts = buildTaxParts(() => 0);

/** @returns the parts in the document's currency, or why they cannot be determined */
export function readTaxParts(document: CfdiDocument): TaxParts | TaxPartsProblem {
  const { traslados, retenciones, conceptos, localTaxes } = document;
  const sums = buildTaxParts((): Decimal => 0n);
  const tolerance = conceptos.length + 1;
  for (const line of listIvaTaxes(document)) {
    const { base, rate, amount } = line;
    const part = findIvaBasePart(line, document.codigoPostal);
    if (base === null) return 'sin_desglose';
    if (!part || rate === null) return 'otra_tasa';
    if (Math.abs(toCents(amount - (base * rate) / DECIMAL_ONE)) > tolerance) return 'iva_distinto';
    sums[part] += base;
    if (part in IVA_PART_BY_BASE) sums[IVA_PART_BY_BASE[part as keyof typeof IVA_PART_BY_BASE]] += amount;
  }
  for (const { objeto, importe, descuento } of conceptos)
    if (objeto === '01') sums.noObjeto += importe - descuento;
  for (const { tax, amount } of retenciones)
    sums[tax === 'IVA' ? 'ivaRetenido' : 'otrasRetenciones'] -= amount;
  sums.otrasRetenciones -= localTaxes.retenciones;
  const parts = buildTaxParts((part) => toCents(sums[part]));
  const rest = toCents(document.total) - sumTaxParts(parts);
  if (document.total <= 0n) return 'sin_desglose';
  const others = traslados.reduce(
    (sum, { tax, amount }) => sum + (tax === 'IVA' ? 0n : amount),
    localTaxes.traslados,
  );
  if (Math.abs(rest) <= tolerance) parts[findLargestBasePart(parts)] += rest;
  else if (rest > 0 && rest <= toCents(others) + tolerance) parts.otros = rest;
  else return 'sin_desglose';
  return parts;
}

/** In 3.3 the document's own entries have no base, and exempt ones may be in the concepts alone. */
function listIvaTaxes({ traslados, conceptTraslados }: CfdiDocument): CfdiTax[] {
  const isIva = ({ tax }: CfdiTax) => tax === 'IVA';
  const own = traslados.filter(isIva);
  const nested = conceptTraslados.filter(isIva);
  if (own.some(({ base }) => base === null) && nested.length > 0) return nested;
  return own.some(({ isExempt }) => isExempt) ? own : [...own, ...nested.filter(({ isExempt }) => isExempt)];
}

function findIvaBasePart({ isExempt, rate }: CfdiTax, codigoPostal: string): IvaBasePart | undefined {
  if (isExempt) return 'exento';
  if (rate === 0n) return 'tasa0';
  if (rate === (DECIMAL_ONE * 16n) / 100n) return 'tasa16';
  if (rate !== (DECIMAL_ONE * 8n) / 100n) return undefined;
  const state = codigoPostal.slice(0, 2);
  return NORTHERN_BORDER_STATES.has(state)
    ? 'norte8'
    : SOUTHERN_BORDER_STATES.has(state)
      ? 'sur8'
      : undefined;
}

/** States with municipalities in a border region, by the first digits of postal codes. No state is in both regions. */
const NORTHERN_BORDER_STATES = new Set('21 22 25 26 27 31 32 33 64 65 66 67 83 84 85 87 88 89'.split(' '));
const SOUTHERN_BORDER_STATES = new Set('24 29 30 77 86'.split(' '));

const findLargestBasePart = (parts: TaxParts): IvaBasePart =>
  IVA_BASE_PARTS.reduce((largest, part) => (parts[part] > parts[largest] ? part : largest));

/** Splits an amount in the proportion of a total's parts. The result adds up to the amount exactly. */
export function splitAmount(parts: TaxParts, amountCents: Cents): TaxParts {
  const total = BigInt(sumTaxParts(parts));
  let [whole, given] = [0, 0];
  return buildTaxParts((part) => {
    whole += parts[part];
    const before = given;
    given = divideHalfUp(BigInt(whole) * BigInt(amountCents), total);
    return given - before;
  });
}
