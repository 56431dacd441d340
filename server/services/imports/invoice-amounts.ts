import { MIXED_RATE } from '../../../shared/invoice-form-amounts.ts';
import {
  type Cents,
  computeTax,
  divideHalfUp,
  formatMoney,
  formatRate,
  MAX_RATE,
  RATE_SCALE,
  type Rate,
} from '../../../shared/money.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { InvoiceInput } from '../invoices/draft.ts';
import { centsOf, RowRefusalError, textOf } from './row-values.ts';

type InvoiceInputAmounts = Pick<
  InvoiceInput,
  'subtotalCents' | 'tasa' | 'ivaCents' | 'otrosimpuestosCents' | 'retencionesCents' | 'totalCents'
>;

/**
 * The rules of invoices check later whether the amounts agree. If a row has a UUID, they are the amounts of its CFDI.
 * @param defaultRate the rate of an invoice that states no tax
 * @throws RowRefusalError
 */
export function readAmounts(
  values: RowValues,
  { defaultRate, isDocument }: AmountOptions,
): InvoiceInputAmounts {
  const isMixed = values.tasa === MIXED_RATE;
  if (isMixed && !isDocument)
    throw new RowRefusalError('tasa', 'La tasa «Mixta» solo va con el UUID de un CFDI.');
  const given: GivenAmounts = {
    ...readTaxes(values),
    total: centsOf(values, 'total'),
    retenciones: readWithholdings(values),
    tasa: isMixed ? undefined : ((values.tasa as Rate | null) ?? undefined),
  };
  requirePlausibleRate(given);
  const stated = centsOf(values, 'subtotal');
  const subtotal = stated === null ? deriveSubtotal(given) : applyDiscount(stated, given, values);
  const amounts = {
    subtotalCents: subtotal,
    otrosimpuestosCents: given.otros,
    retencionesCents: given.retenciones,
    totalCents: given.total ?? undefined,
  };
  const statedIva = given.iva ?? undefined;
  if (subtotal === undefined) return { ...amounts, tasa: given.tasa, ivaCents: statedIva };
  // Where a document states neither tax nor rate, its tax is the remainder of the total.
  const remainder = given.tasa === undefined && given.total !== null ? deriveTax(subtotal, given) : undefined;
  const iva = statedIva ?? remainder;
  if (
    isDocument &&
    statedIva === undefined &&
    remainder !== undefined &&
    findExactIvaRate(subtotal, remainder, defaultRate) === undefined
  )
    throw new RowRefusalError(
      'iva',
      `No dice su IVA, y lo que falta para el total (${formatMoney(remainder)}) no es 0, 8 ni 16 % del subtotal: agrega la columna del IVA y las de los demás impuestos.`,
    );
  if (!isDocument)
    return {
      ...amounts,
      tasa: given.tasa ?? findNearestIvaRate(subtotal, iva, defaultRate),
      ivaCents: statedIva,
    };
  const tasa = given.tasa ?? (iva === undefined ? defaultRate : findExactIvaRate(subtotal, iva, defaultRate));
  return { ...amounts, tasa: isMixed ? null : (tasa ?? null), ivaCents: iva };
}

export const statesNoTax = (values: RowValues): boolean =>
  ['tasa', 'iva', 'total'].every((field) => textOf(values, field) === '');

export const describeDefaultRate = (defaultRate: Rate): string =>
  `No dice IVA, tasa ni total: se toma la tasa de ${formatRate(defaultRate)} %.`;

interface AmountOptions {
  defaultRate: Rate;
  isDocument: boolean;
}

interface GivenAmounts {
  iva: Cents | null;
  total: Cents | null;
  otros: Cents;
  retenciones: Cents;
  tasa: Rate | undefined;
}

/** Refuses a rate below 1 %, since 0.16 may mean 16 %. A tax or total in the row shows which one is meant. */
function requirePlausibleRate({ tasa, iva, total }: GivenAmounts): void {
  if (!tasa || tasa >= RATE_SCALE || iva !== null || total !== null) return;
  const stated = formatRate(tasa);
  const meant = formatRate(tasa * 100);
  throw new RowRefusalError(
    'tasa',
    `¿Es ${stated} % o ${meant} %? Escríbela como ${meant}%, o agrega el IVA.`,
  );
}

/** Subtracts the discount from the subtotal, unless the stated total shows that the subtotal is already net of it. */
function applyDiscount(
  subtotal: Cents,
  { iva, total, otros, retenciones }: GivenAmounts,
  values: RowValues,
): Cents {
  const discount = Math.abs(centsOf(values, 'descuento') ?? 0);
  const isNet = total !== null && iva !== null && subtotal + iva + otros - retenciones === total;
  return isNet ? subtotal : subtotal - discount;
}

/** Reads the taxes by rate, and the sums that tables also state. IVA and IEPS are federal, the others local. */
function readTaxes(values: RowValues): Pick<GivenAmounts, 'iva' | 'otros'> {
  if (centsOf(values, 'ivacero') && centsOf(values, 'total') === null)
    throw new RowRefusalError(
      'ivacero',
      'Al 0 % no hay IVA: si es la base, agrega el total para comprobarlo.',
    );
  const ieps = readCheckedSum(values, 'ieps', 'El IEPS no cuadra', centsOf(values, 'iepstasas'));
  const local = readCheckedSum(
    values,
    'localestrasladados',
    'Los locales no cuadran',
    centsOf(values, 'ish'),
  );
  const iva = readCheckedSum(values, 'iva', 'El IVA no cuadra', centsOf(values, 'ivatasas'));
  const charged = centsOf(values, 'trasladados');
  const federal = iva === null ? null : iva + (ieps ?? 0);
  // Some tables include local taxes in the sum of `trasladados`.
  if (federal === null || charged !== federal + (local ?? 0))
    readCheckedSum(
      values,
      'trasladados',
      'Los impuestos trasladados no cuadran',
      federal,
      'IVA e IEPS suman',
    );
  const others = sumKnown(ieps, local);
  return {
    iva: iva ?? (charged === null ? null : charged - (ieps ?? 0)),
    // A zero here means that there are no taxes besides those in columns of their own.
    otros:
      (centsOf(values, 'otrosimpuestos') === 0
        ? others
        : readCheckedSum(values, 'otrosimpuestos', 'Los otros impuestos no cuadran', others)) ?? 0,
  };
}

/** Tables state the sum either of the federal withholdings alone, or of the federal and local ones together. */
function readWithholdings(values: RowValues): Cents {
  const readWithholding = (field: string) => {
    const cents = centsOf(values, field);
    if (cents !== null && cents < 0)
      throw new RowRefusalError(field, 'Las retenciones no pueden ser negativas.');
    return cents;
  };
  for (const field of ['retencioniva', 'retencionisr', 'localesretenidos']) readWithholding(field);
  const federal = sumKnown(
    readCheckedSum(values, 'retencioniva', 'La retención de IVA no cuadra', readWithholding('ivaretenido')),
    readCheckedSum(values, 'retencionisr', 'La retención de ISR no cuadra', readWithholding('isrretenido')),
    readWithholding('retencionieps'),
  );
  const local = readCheckedSum(
    values,
    'localesretenidos',
    'Las retenciones locales no cuadran',
    readWithholding('cedular'),
  );
  const all = sumKnown(federal, local);
  if (federal !== null && all === centsOf(values, 'retenciones')) return all ?? 0;
  const stated = readCheckedSum(
    values,
    'retenciones',
    'Las retenciones no cuadran',
    federal,
    'las de IVA e ISR suman',
  );
  return sumKnown(stated, local) ?? 0;
}

const sumKnown = (...parts: readonly (Cents | null)[]): Cents | null =>
  parts.every((cents) => cents === null) ? null : parts.reduce<number>((all, cents) => all + (cents ?? 0), 0);

/** @throws RowRefusalError where the stated sum differs from that of its parts */
function readCheckedSum(
  values: RowValues,
  field: string,
  problem: string,
  parts: Cents | null,
  partsLabel = 'sus partes suman',
): Cents | null {
  const sum = centsOf(values, field);
  if (parts === null || sum === null || parts === sum) return sum ?? parts;
  throw new RowRefusalError(
    field,
    `${problem}: el archivo dice ${formatMoney(sum)}; ${partsLabel} ${formatMoney(parts)}.`,
  );
}

/** Derives the subtotal from total and tax. @throws RowRefusalError where no subtotal gives exactly that total */
function deriveSubtotal({ total, iva, otros, retenciones, tasa }: GivenAmounts): Cents | undefined {
  if (total === null) return undefined;
  const taxed = total - otros + retenciones;
  if (iva !== null) return taxed - iva;
  if (tasa === undefined)
    throw new RowRefusalError(
      'subtotal',
      'Falta el subtotal; para sacarlo del total hace falta el IVA o la tasa.',
    );
  const roundedSubtotal = divideHalfUp(BigInt(taxed) * BigInt(MAX_RATE), BigInt(MAX_RATE + tasa));
  const exact = [roundedSubtotal, roundedSubtotal - 1, roundedSubtotal + 1].find(
    (subtotal) => subtotal + computeTax(subtotal, tasa) === taxed,
  );
  if (exact !== undefined) return exact;
  const nearest = formatMoney(total - taxed + roundedSubtotal + computeTax(roundedSubtotal, tasa));
  throw new RowRefusalError(
    'total',
    `Ningún subtotal más ${formatRate(tasa)} % de IVA da ${formatMoney(total)}; el más cercano da ${nearest}.`,
  );
}

const deriveTax = (subtotal: Cents, { total, otros, retenciones }: GivenAmounts): Cents =>
  total! - subtotal - otros + retenciones;

/** The rates of IVA in Mexico. If figures yield any other rate, one of them is wrong. */
const INFERRED_RATES: readonly Rate[] = [16, 8, 0].map((percent) => percent * RATE_SCALE);

/** With small amounts several rates yield the same IVA to the cent; the default rate is then preferred. */
function findExactIvaRate(subtotal: Cents, iva: Cents, defaultRate: Rate): Rate | undefined {
  const exactRates = INFERRED_RATES.filter((rate) => computeTax(subtotal, rate) === iva);
  return exactRates.includes(defaultRate) ? defaultRate : exactRates[0];
}

function findNearestIvaRate(subtotal: Cents, iva: Cents | undefined, defaultRate: Rate): Rate {
  if (iva === undefined) return defaultRate;
  const differenceOf = (rate: Rate) => Math.abs(computeTax(subtotal, rate) - iva);
  return (
    findExactIvaRate(subtotal, iva, defaultRate) ??
    INFERRED_RATES.reduce((best, one) => (differenceOf(one) < differenceOf(best) ? one : best))
  );
}
