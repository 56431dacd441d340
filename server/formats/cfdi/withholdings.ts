import { formatForeign } from '../../../shared/foreign-amounts.ts';
import { type Cents, divideHalfUp, formatMoney } from '../../../shared/money.ts';
import { isGenericRfc } from '../../../shared/rfc.ts';
import { type Decimal, toCents } from './attribute-values.ts';
import type { CfdiDocument } from './document.ts';
import type { CfdiTax } from './taxes.ts';

export const WITHHOLDING_LABELS = {
  honorarios: 'ISR honorarios 10 %',
  arrendamiento: 'ISR arrendamiento 10 %',
  resico: 'RESICO 1.25 %',
  iva: 'IVA, dos terceras partes',
  flete: 'IVA flete 4 %',
  sin_regla: 'Retención que no corresponde',
} as const;
export type WithholdingKind = keyof typeof WITHHOLDING_LABELS;

/** The amounts are in the currency of the withholding's document. */
export interface Withholding {
  tipo: WithholdingKind;
  baseCents: Cents;
  retenidoCents: Cents;
  /** what a company that receives the document has to withhold */
  esperadoCents: Cents;
}

const FREIGHT_KEY_PATTERN = /^7810180[0-6]$/;
/** The keys (c_ClaveProdServ) of professional services and rent. The key of an advance (84111506) says neither. */
const PROFESSIONAL_KEY_PATTERN = /^(80|81|82|84(?!111506)|85|86)/;

/**
 * Pairs what a document withholds with what the law requires (LISR 106, 113-J, 116; LIVA 1-A). Regime 612 covers both
 * professions and businesses, but tax is withheld only from professional services: a document is taken to be of such
 * services by the keys of its concepts, or because it withholds ISR.
 */
export function assessWithholdings(document: CfdiDocument): Withholding[] {
  const { emisor, regimenFiscal, conceptos, retenciones, traslados } = document;
  const sumWithheldCents = (tax: CfdiTax['tax']) => toCents(sumTaxesOfKind(retenciones, tax));
  const subtotal = document.subtotal - document.descuento;
  const sumNetOfMatchingConcepts = (clave: RegExp) =>
    conceptos.reduce((net, one) => (clave.test(one.clave) ? net + one.importe - one.descuento : net), 0n);
  const isPerson = isRfcOfPerson(emisor.rfc);
  const services = sumNetOfMatchingConcepts(PROFESSIONAL_KEY_PATTERN);
  const [isr, iva] = [sumWithheldCents('ISR'), sumWithheldCents('IVA')];
  const found: Withholding[] = [];
  const add = (tipo: WithholdingKind, base: Decimal, retenidoCents: Cents, esperadoCents: Cents) => {
    if (retenidoCents !== 0 || esperadoCents !== 0)
      found.push({ tipo, baseCents: toCents(base), retenidoCents, esperadoCents });
  };

  const wholly = findIsrKind(emisor.rfc, regimenFiscal);
  if (wholly === 'arrendamiento') add(wholly, subtotal, isr, toCents(subtotal / 10n));
  else if (wholly) add(wholly, subtotal, isr, toCents(subtotal / 80n));
  else if (isPerson && regimenFiscal === '612' && (services > 0n || isr > 0)) {
    const base = services > 0n ? services : subtotal;
    add('honorarios', base, isr, toCents(base / 10n));
  } else add('sin_regla', subtotal, isr, 0);

  const freight = sumNetOfMatchingConcepts(FREIGHT_KEY_PATTERN);
  const freightCents = toCents(freight / 25n);
  const isRent = isPerson && regimenFiscal === '606';
  const isService = isPerson && ['612', '626'].includes(regimenFiscal);
  const isKnown = iva > freightCents + TOLERANCE_CENTS || (regimenFiscal === '612' && isr > 0);
  const partly = isRent ? subtotal : isService ? services || (isKnown ? subtotal - freight : 0n) : 0n;
  const ofFreight = partly > 0n ? Math.min(iva, freightCents) : iva;
  if (freight > 0n) add('flete', freight, ofFreight, freightCents);
  if (partly > 0n) {
    const due = subtotal > 0n ? (sumTaxesOfKind(traslados, 'IVA') * partly * 2n) / (subtotal * 3n) : 0n;
    add('iva', partly, freight > 0n ? iva - ofFreight : iva, toCents(due));
  } else if (freight === 0n) add('sin_regla', subtotal, iva, 0);
  return found;
}

const isRfcOfPerson = (rfc: string): boolean => rfc.length === 13 && !isGenericRfc(rfc);

/** The ISR that a company withholds from every invoice of a person in this regime, whatever it is for. */
function findIsrKind(rfc: string, regimenFiscal: string): 'arrendamiento' | 'resico' | undefined {
  if (!isRfcOfPerson(rfc)) return undefined;
  return regimenFiscal === '606' ? 'arrendamiento' : regimenFiscal === '626' ? 'resico' : undefined;
}

const sumTaxesOfKind = (taxes: readonly CfdiTax[], of: CfdiTax['tax']): Decimal =>
  taxes.reduce((all, { tax, amount }) => (tax === of ? all + amount : all), 0n);

/** Smaller differences come from rounding. */
const TOLERANCE_CENTS: Cents = 100;

/** Only a company has to withhold; its RFC has 12 characters, and a person's 13. */
export const clearExpectedUnlessCompany = (
  ownRfc: string,
  foundWithholdings: readonly Withholding[],
): readonly Withholding[] =>
  ownRfc.length === 12 ? foundWithholdings : foundWithholdings.map((one) => ({ ...one, esperadoCents: 0 }));

export function scaleWithholdingToPaid(
  { tipo, ...cents }: Withholding,
  paidCents: Cents,
  totalCents: Cents,
): Withholding {
  const proportionalShare = (whole: Cents) =>
    divideHalfUp(BigInt(whole) * BigInt(paidCents), BigInt(totalCents));
  const [baseCents, retenidoCents, esperadoCents] = [
    cents.baseCents,
    cents.retenidoCents,
    cents.esperadoCents,
  ].map(proportionalShare);
  return { tipo, baseCents: baseCents!, retenidoCents: retenidoCents!, esperadoCents: esperadoCents! };
}

export const differsFromExpected = ({ retenidoCents, esperadoCents }: Withholding): boolean =>
  Math.abs(esperadoCents - retenidoCents) > TOLERANCE_CENTS;

export function describeWithholdingDifferences(
  {
    receptor,
    moneda,
    withholdings,
  }: Pick<CfdiDocument, 'receptor' | 'moneda'> & { withholdings: readonly Withholding[] },
  ownRfc: string,
): string[] {
  if (ownRfc.length !== 12 || receptor.rfc !== ownRfc) return [];
  const formatShownAmount = (cents: Cents) =>
    moneda === 'MXN' ? formatMoney(cents) : formatForeign(cents, moneda);
  return withholdings.filter(differsFromExpected).map(({ tipo, retenidoCents: held, esperadoCents: due }) => {
    const name = WITHHOLDING_LABELS[tipo];
    const cure = held < due ? 'retener al pagar o pedir CFDI corregido.' : 'pedir CFDI corregido.';
    if (held === 0)
      return `${MISSING_WITHHOLDING_TEXTS[tipo] ?? `${name}, sin retención`}: ${formatShownAmount(due)}; ${cure}`;
    if (due === 0) return `${name}: el CFDI retiene ${formatShownAmount(held)}; ${cure}`;
    return `${name}: el CFDI retiene ${formatShownAmount(held)} y corresponden ${formatShownAmount(due)}; ${cure}`;
  });
}

/** The regime comes from the supplier's other documents. */
export function describeWithholdingWithoutXml(rfc: string, regimenFiscal: string, ownRfc: string): string[] {
  const tipo = ownRfc.length === 12 ? findIsrKind(rfc, regimenFiscal) : undefined;
  if (!tipo) return [];
  return [
    `Sin su XML no se ve qué retiene, y al régimen ${regimenFiscal} del proveedor se le retiene ${WITHHOLDING_LABELS[tipo]}.`,
  ];
}

const MISSING_WITHHOLDING_TEXTS: Partial<Record<WithholdingKind, string>> = {
  resico: 'RESICO sin retención 1.25 %',
};
