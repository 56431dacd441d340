import { formatMoney, formatRate, MAX_RATE } from '../../../shared/money.ts';
import { type Remark, withCode } from '../../../shared/remarks.ts';
import { isGenericRfc, isRfc } from '../../../shared/rfc.ts';
import { toCents } from './attribute-values.ts';
import type { CfdiDocument, CfdiReadOptions, SealState } from './document.ts';
import type { CfdiFigures } from './figures.ts';

export function identityWarnings(document: CfdiDocument, { ownRfc = '' }: CfdiReadOptions): string[] {
  const { version, emisor, receptor } = document;
  const warnings: string[] = [];
  if (document.invalidUuid)
    warnings.push(
      `Su UUID, «${document.invalidUuid.slice(0, 60)}», no tiene la forma de un folio fiscal: cuenta como sin timbrar.`,
    );
  else if (!document.uuid) warnings.push('No está timbrado: no trae un folio fiscal (UUID) del SAT.');
  const sealProblem = describeSealProblem(document.sello);
  if (sealProblem) warnings.push(`${sealProblem}.`);
  if (version === '3.2') warnings.push('Es un CFDI 3.2, versión que dejó de usarse en 2017.');
  if (!document.matchesNamespace)
    warnings.push(`Dice ser versión ${version}, pero su espacio de nombres es de otra.`);
  if (isGenericRfc(emisor.rfc))
    warnings.push(`El RFC del emisor, ${emisor.rfc}, es genérico: no identifica al proveedor.`);
  else if (!isRfc(emisor.rfc))
    warnings.push(`El RFC del emisor, «${emisor.rfc.slice(0, 20)}», no tiene la forma de un RFC.`);
  return [...warnings, ...partyWarnings(emisor.rfc, receptor.rfc, ownRfc)];
}

export function describeSealProblem(sello: SealState | null | undefined): string | undefined {
  if (sello === 'difiere') return 'El sello no corresponde al timbre';
  return sello === 'alterado' ? 'El sello no corresponde al contenido del documento' : undefined;
}

export function partyWarnings(issuer: string, receiver: string, ownRfc: string): string[] {
  if (ownRfc === '') return [];
  const warnings: string[] = [];
  if (issuer === ownRfc) warnings.push('El emisor es la propia empresa: no es factura de un proveedor.');
  if (receiver !== ownRfc)
    warnings.push(`El receptor, ${receiver.slice(0, 20) || 'sin RFC'}, no es la empresa (${ownRfc}).`);
  return warnings;
}

export function moneyAndTaxWarnings(
  document: CfdiDocument,
  figures: CfdiFigures,
  baseCurrency: string,
): Remark[] {
  const { moneda, tipoCambio } = document;
  const warnings: Remark[] = [];
  if (moneda !== baseCurrency)
    warnings.push(`Está en ${moneda}: se convirtió a ${baseCurrency} con su tipo de cambio, ${tipoCambio}.`);
  const unusual = document.traslados.filter((item) => item.tax === 'ISR' || item.tax === 'otro');
  if (unusual.length > 0) warnings.push('Traslada un impuesto que no es IVA ni IEPS; va en otros impuestos.');
  const rate = figures.rate === null ? 'Mixta' : `${formatRate(figures.rate)} %`;
  const iva = formatMoney(figures.ivaCents);
  if (figures.rate === null) warnings.push('Lleva varias tasas de IVA: la tasa queda como Mixta.');
  else if (figures.rate > MAX_RATE)
    warnings.push(`Su tasa de IVA, ${rate}, es imposible: la tasa queda como Mixta.`);
  if (figures.formCase === 'CENTAVOS_IVA')
    warnings.push(`El IVA, ${iva}, difiere por centavos del ${rate} del subtotal.`);
  if (figures.formCase === 'BASE_PARCIAL')
    warnings.push(`El IVA, ${iva}, grava solo una parte del subtotal al ${rate}.`);
  warnings.push(...taxAndTotalWarnings(document, figures));
  if (figures.totalCents === 0) warnings.push('El total es cero: no hay nada que pagar.');
  return warnings;
}

function taxAndTotalWarnings(document: CfdiDocument, figures: CfdiFigures): Remark[] {
  const warnings: Remark[] = [];
  const { totalCents, expectedCents, retencionesCents, formCase } = figures;
  const others = document.traslados
    .filter((item) => item.tax !== 'IVA')
    .reduce((sum, item) => sum + item.amount, 0n);
  const othersCents = toCents(others + document.localTaxes.traslados);
  if (othersCents !== 0) warnings.push(`Trae otros impuestos por ${formatMoney(othersCents)}.`);
  if (retencionesCents !== 0)
    warnings.push(`Trae retenciones por ${formatMoney(retencionesCents)}${formatWithholdingList(figures)}.`);
  if (totalCents !== expectedCents) {
    const difference = formatMoney(totalCents - expectedCents);
    const said = `Su total, ${formatMoney(totalCents)}, difiere por ${difference} de la suma de sus partes, ${formatMoney(expectedCents)}.`;
    warnings.push(withCode(said, 'total_mismatch'));
  } else if (formCase === 'AJUSTE' && warnings.length === 0) {
    warnings.push(`Lleva un redondeo de ${formatMoney(figures.otrosimpuestosCents)} en su total.`);
  }
  return warnings;
}

function formatWithholdingList({ retenciones }: CfdiFigures): string {
  const parts = Object.entries(WITHHOLDING_NAMES) as [keyof typeof WITHHOLDING_NAMES, string][];
  const said = parts.flatMap(([part, name]) =>
    retenciones[part] === 0 ? [] : `${name} ${formatMoney(retenciones[part])}`,
  );
  return ` (${said.join(', ')})`;
}

const WITHHOLDING_NAMES = {
  ivaCents: 'IVA',
  isrCents: 'ISR',
  iepsCents: 'IEPS',
  localCents: 'locales',
  otroCents: 'otras',
} as const;
