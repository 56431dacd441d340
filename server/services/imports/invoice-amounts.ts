import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import {
  type Cents,
  divideHalfUp,
  formatMoney,
  MAX_RATE,
  RATE_SCALE,
  type Rate,
  rateText,
  taxOf,
} from '../../../shared/money.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { InvoiceInput } from '../invoices/draft.ts';
import { centsOf, Refused, textOf } from './row-values.ts';

type SaidAmounts = Pick<
  InvoiceInput,
  'subtotalCents' | 'tasa' | 'ivaCents' | 'otrosimpuestosCents' | 'retencionesCents' | 'totalCents'
>;

/**
 * Reads the amounts of a row, and derives those that it omits. The rules of invoices check whether they agree; with a
 * UUID they stand as the document's own.
 * @param defaultRate the rate of an invoice that states no tax
 * @throws RowRefusalError
 */
export function readAmounts(values: RowValues, { usual, isDocument }: Reading): SaidAmounts {
  const isMixed = values.tasa === MIXED_RATE;
  if (isMixed && !isDocument) throw new Refused('tasa', 'La tasa «Mixta» solo va con el UUID de un CFDI.');
  const given: Given = {
    ...taxesOf(values),
    total: centsOf(values, 'total'),
    retenciones: withheldOf(values),
    tasa: isMixed ? undefined : ((values.tasa as Rate | null) ?? undefined),
  };
  refuseDoubtfulRate(given);
  const said = centsOf(values, 'subtotal');
  const subtotal = said === null ? subtotalFrom(given) : discounted(said, given, values);
  const amounts = {
    subtotalCents: subtotal,
    otrosimpuestosCents: given.otros,
    retencionesCents: given.retenciones,
    totalCents: given.total ?? undefined,
  };
  const stated = given.iva ?? undefined;
  if (subtotal === undefined) return { ...amounts, tasa: given.tasa, ivaCents: stated };
  // Where a document states neither tax nor rate, its tax is the remainder of the total.
  const rest = given.tasa === undefined && given.total !== null ? taxLeft(subtotal, given) : undefined;
  const iva = stated ?? rest;
  if (
    isDocument &&
    stated === undefined &&
    rest !== undefined &&
    exactRate(subtotal, rest, usual) === undefined
  )
    throw new Refused(
      'iva',
      `No dice su IVA, y lo que falta para el total (${formatMoney(rest)}) no es 0, 8 ni 16 % del subtotal: agrega la columna del IVA y las de los demás impuestos.`,
    );
  if (!isDocument)
    return { ...amounts, tasa: given.tasa ?? nearestRate(subtotal, iva, usual), ivaCents: stated };
  const tasa = given.tasa ?? (iva === undefined ? usual : exactRate(subtotal, iva, usual));
  return { ...amounts, tasa: isMixed ? null : (tasa ?? null), ivaCents: iva };
}

export const saysNoTax = (values: RowValues): boolean =>
  ['tasa', 'iva', 'total'].every((field) => textOf(values, field) === '');

export const takesUsualRate = (usual: Rate): string =>
  `No dice IVA, tasa ni total: se toma la tasa de ${rateText(usual)} %.`;

interface Reading {
  usual: Rate;
  isDocument: boolean;
}

interface Given {
  iva: Cents | null;
  total: Cents | null;
  otros: Cents;
  retenciones: Cents;
  tasa: Rate | undefined;
}

/** No rate is below 1 %: where other rows state 16, 0.16 may be a fraction. The row's tax would settle it. */
function refuseDoubtfulRate({ tasa, iva, total }: Given): void {
  if (!tasa || tasa >= RATE_SCALE || iva !== null || total !== null) return;
  const said = rateText(tasa);
  const meant = rateText(tasa * 100);
  throw new Refused('tasa', `¿Es ${said} % o ${meant} %? Escríbela como ${meant}%, o agrega el IVA.`);
}

/** A document's subtotal is before its discount, unless its total adds up without the discount: then it is after it. */
function discounted(subtotal: Cents, { iva, total, otros, retenciones }: Given, values: RowValues): Cents {
  const discount = Math.abs(centsOf(values, 'descuento') ?? 0);
  const isNet = total !== null && iva !== null && subtotal + iva + otros - retenciones === total;
  return isNet ? subtotal : subtotal - discount;
}

/** Reads taxes by rate, and the sums that tables state beside them: IVA and IEPS are federal, the others local. */
function taxesOf(values: RowValues): Pick<Given, 'iva' | 'otros'> {
  if (centsOf(values, 'ivacero') && centsOf(values, 'total') === null)
    throw new Refused('ivacero', 'Al 0 % no hay IVA: si es la base, agrega el total para comprobarlo.');
  const ieps = wholeOf(values, 'ieps', 'El IEPS no cuadra', centsOf(values, 'iepstasas'));
  const local = wholeOf(values, 'localestrasladados', 'Los locales no cuadran', centsOf(values, 'ish'));
  const iva = wholeOf(values, 'iva', 'El IVA no cuadra', centsOf(values, 'ivatasas'));
  const charged = centsOf(values, 'trasladados');
  const federal = iva === null ? null : iva + (ieps ?? 0);
  // Some tables include local taxes in the sum.
  if (federal === null || charged !== federal + (local ?? 0))
    wholeOf(values, 'trasladados', 'Los impuestos trasladados no cuadran', federal, 'IVA e IEPS suman');
  const others = sumOf(ieps, local);
  return {
    iva: iva ?? (charged === null ? null : charged - (ieps ?? 0)),
    // Zero beside taxes in columns of their own means that there are no others.
    otros:
      (centsOf(values, 'otrosimpuestos') === 0
        ? others
        : wholeOf(values, 'otrosimpuestos', 'Los otros impuestos no cuadran', others)) ?? 0,
  };
}

/** Federal withholdings have a sum of their own beside the local ones, or one together with them. */
function withheldOf(values: RowValues): Cents {
  const read = (field: string) => {
    const cents = centsOf(values, field);
    if (cents !== null && cents < 0) throw new Refused(field, 'Las retenciones no pueden ser negativas.');
    return cents;
  };
  for (const field of ['retencioniva', 'retencionisr', 'localesretenidos']) read(field);
  const federal = sumOf(
    wholeOf(values, 'retencioniva', 'La retención de IVA no cuadra', read('ivaretenido')),
    wholeOf(values, 'retencionisr', 'La retención de ISR no cuadra', read('isrretenido')),
    read('retencionieps'),
  );
  const local = wholeOf(values, 'localesretenidos', 'Las retenciones locales no cuadran', read('cedular'));
  const all = sumOf(federal, local);
  if (federal !== null && all === centsOf(values, 'retenciones')) return all ?? 0;
  const said = wholeOf(
    values,
    'retenciones',
    'Las retenciones no cuadran',
    federal,
    'las de IVA e ISR suman',
  );
  return sumOf(said, local) ?? 0;
}

const sumOf = (...parts: readonly (Cents | null)[]): Cents | null =>
  parts.every((cents) => cents === null) ? null : parts.reduce<number>((all, cents) => all + (cents ?? 0), 0);

/** Returns the sum that a row states, or that of its parts. @throws RowRefusalError where both are stated and differ */
function wholeOf(
  values: RowValues,
  field: string,
  problem: string,
  parts: Cents | null,
  which = 'sus partes suman',
): Cents | null {
  const whole = centsOf(values, field);
  if (parts === null || whole === null || parts === whole) return whole ?? parts;
  throw new Refused(
    field,
    `${problem}: el archivo dice ${formatMoney(whole)}; ${which} ${formatMoney(parts)}.`,
  );
}

/** Derives the subtotal from total and tax, where they reproduce the total. */
function subtotalFrom({ total, iva, otros, retenciones, tasa }: Given): Cents | undefined {
  if (total === null) return undefined;
  const taxed = total - otros + retenciones;
  if (iva !== null) return taxed - iva;
  if (tasa === undefined)
    throw new Refused('subtotal', 'Falta el subtotal; para sacarlo del total hace falta el IVA o la tasa.');
  const near = divideHalfUp(BigInt(taxed) * BigInt(MAX_RATE), BigInt(MAX_RATE + tasa));
  const exact = [near, near - 1, near + 1].find((subtotal) => subtotal + taxOf(subtotal, tasa) === taxed);
  if (exact !== undefined) return exact;
  const nearest = formatMoney(total - taxed + near + taxOf(near, tasa));
  throw new Refused(
    'total',
    `Ningún subtotal más ${rateText(tasa)} % de IVA da ${formatMoney(total)}; el más cercano da ${nearest}.`,
  );
}

const taxLeft = (subtotal: Cents, { total, otros, retenciones }: Given): Cents =>
  total! - subtotal - otros + retenciones;

/** The rates of IVA in Mexico; any other rate that figures yield is an error in one of them. */
const INFERRED: readonly Rate[] = [16, 8, 0].map((percent) => percent * RATE_SCALE);

/** With small amounts several rates yield the same IVA to the cent; the default rate is then preferred. */
function exactRate(subtotal: Cents, iva: Cents, usual: Rate): Rate | undefined {
  const fitting = INFERRED.filter((rate) => taxOf(subtotal, rate) === iva);
  return fitting.includes(usual) ? usual : fitting[0];
}

/** The default rate where a row states no tax, else the one closest to its figures. */
function nearestRate(subtotal: Cents, iva: Cents | undefined, usual: Rate): Rate {
  if (iva === undefined) return usual;
  const off = (rate: Rate) => Math.abs(taxOf(subtotal, rate) - iva);
  return (
    exactRate(subtotal, iva, usual) ?? INFERRED.reduce((best, one) => (off(one) < off(best) ? one : best))
  );
}
