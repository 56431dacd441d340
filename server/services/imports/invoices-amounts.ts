import { checkTotal } from '../../../shared/invoices.ts';
import { MIXED_RATE } from '../../../shared/invoices-typing.ts';
import {
  type Cents,
  divideHalfUp,
  formatMoney,
  MAX_CENTS,
  MAX_RATE,
  RATE_SCALE,
  type Rate,
  rateText,
  taxOf,
} from '../../../shared/money.ts';
import { withRemedy } from '../../../shared/remarks.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import { centsOf, Refused } from './judging.ts';

export interface RowAmounts {
  subtotalCents: Cents;
  /** null: several rates, of a CFDI only */
  tasa: Rate | null;
  ivaCents: Cents;
  otrosimpuestosCents: Cents;
  retencionesCents: Cents;
  totalCents: Cents;
}

/**
 * The amounts of a row: what it gives must agree, what it leaves out follows from the rest. With a UUID they are
 * the document's own, as its CFDI states them; otherwise iva is subtotal × tasa to the cent.
 * @param usual the rate of an invoice that says nothing about its tax
 * @throws Refused
 */
export function readAmounts(values: RowValues, { usual, cfdi }: { usual: Rate; cfdi: boolean }): RowAmounts {
  const given = {
    subtotal: centsOf(values, 'subtotal'),
    iva: centsOf(values, 'iva'),
    total: centsOf(values, 'total'),
    otros: centsOf(values, 'otrosimpuestos') ?? 0,
    retenciones: withheldOf(values),
    tasa: values.tasa === MIXED_RATE ? null : (values.tasa as Rate | null | undefined),
  };
  refuseNegative(given, cfdi);
  if (given.tasa === null && values.tasa === MIXED_RATE && !cfdi)
    throw new Refused('tasa', 'La tasa «Mixta» solo va con el UUID de un CFDI.');
  const isMixed = values.tasa === MIXED_RATE;
  refuseDoubtfulRate(given);
  const subtotal = given.subtotal === null ? subtotalFrom(given) : discounted(given.subtotal, given, values);
  const stated = { ...given, subtotal };
  const amounts = cfdi ? asStated(stated, isMixed, usual) : computed(stated, usual);
  checkRange(amounts, cfdi);
  return amounts;
}

/** Nobody charges less than 1 %: among others that say 16, 0.16 may be a part of one. The row's tax would tell. */
function refuseDoubtfulRate({ tasa, iva, total }: Given): void {
  if (!tasa || tasa >= RATE_SCALE || iva !== null || total !== null) return;
  const said = rateText(tasa);
  const meant = rateText(tasa * 100);
  throw new Refused('tasa', `¿Es ${said} % o ${meant} %? Escríbela como ${meant}%, o agrega el IVA.`);
}

/** The subtotal of a document is before its discount; one that gives the total without it was taken after it. */
function discounted(subtotal: Cents, { iva, total, otros, retenciones }: Given, values: RowValues): Cents {
  const discount = Math.abs(centsOf(values, 'descuento') ?? 0); // some write it as what it takes away
  const isNet = total !== null && iva !== null && subtotal + iva + otros - retenciones === total;
  return isNet ? subtotal : subtotal - discount;
}

/** Their sum, or the two columns that tables have them in; where a row has all three they must agree. */
function withheldOf(values: RowValues): Cents {
  const whole = centsOf(values, 'retenciones');
  const parts = ['retencioniva', 'retencionisr'].map((field) => {
    const cents = centsOf(values, field);
    if (cents !== null && cents < 0) throw new Refused(field, 'Las retenciones no pueden ser negativas.');
    return cents;
  });
  if (parts.every((cents) => cents === null)) return whole ?? 0;
  const sum = parts.reduce<number>((all, cents) => all + (cents ?? 0), 0);
  if (whole === null || whole === sum) return sum;
  throw new Refused(
    'retenciones',
    `Las retenciones no cuadran: el archivo dice ${formatMoney(whole)}; las de IVA e ISR suman ${formatMoney(sum)}.`,
  );
}

interface Given {
  iva: Cents | null;
  total: Cents | null;
  otros: Cents;
  retenciones: Cents;
  tasa: Rate | null | undefined;
}

function refuseNegative(given: Given & { subtotal: Cents | null }, cfdi: boolean): void {
  for (const field of ['total', 'subtotal', 'iva'] as const) {
    const cents = given[field];
    if (cents === null || cents >= 0) continue;
    const what = field === 'iva' ? 'El IVA' : field === 'total' ? 'El total' : 'El subtotal';
    throw new Refused(field, `${what} es negativo: una nota de crédito no es una factura.`);
  }
  if (given.otros < 0 && !cfdi)
    throw new Refused('otrosimpuestos', 'Otros impuestos no pueden ser negativos.');
  if (given.retenciones < 0) throw new Refused('retenciones', 'Las retenciones no pueden ser negativas.');
}

/** Of a list that only has the total: back from it by the tax, where that gives the total again. */
function subtotalFrom({ total, iva, otros, retenciones, tasa }: Given): Cents {
  if (total === null) throw new Refused('subtotal', 'Falta el subtotal.');
  const taxed = total - otros + retenciones;
  if (iva !== null) return taxed - iva;
  if (tasa === null || tasa === undefined) {
    throw new Refused('subtotal', 'Falta el subtotal; para sacarlo del total hace falta el IVA o la tasa.');
  }
  const near = divideHalfUp(BigInt(taxed) * BigInt(MAX_RATE), BigInt(MAX_RATE + tasa));
  const exact = [near, near - 1, near + 1].find((subtotal) => subtotal + taxOf(subtotal, tasa) === taxed);
  if (exact !== undefined) return exact;
  const nearest = formatMoney(total - taxed + near + taxOf(near, tasa));
  throw new Refused(
    'total',
    `Ningún subtotal más ${rateText(tasa)} % de IVA da ${formatMoney(total)}; el más cercano da ${nearest}.`,
  );
}

/** The firm's own rule, to which the row's figures have to keep. */
function computed(given: Given & { subtotal: Cents }, usual: Rate): RowAmounts {
  const { subtotal, otros, retenciones } = given;
  const tasa = given.tasa ?? rateFor(given, usual);
  const ivaCents = taxOf(subtotal, tasa);
  if (given.iva !== null && given.iva !== ivaCents) {
    throw new Refused('iva', offBy(given.iva, subtotal, tasa));
  }
  const totalCents = subtotal + ivaCents + otros - retenciones;
  requireTotal(given.total, totalCents);
  return {
    subtotalCents: subtotal,
    tasa,
    ivaCents,
    otrosimpuestosCents: otros,
    retencionesCents: retenciones,
    totalCents,
  };
}

/** The usual rate of a row that says nothing of its tax; else the one that its figures show. */
function rateFor(given: Given & { subtotal: Cents }, usual: Rate): Rate {
  const { subtotal, total } = given;
  const iva = given.iva ?? ivaFrom(given);
  if (iva === null) return usual;
  const rate = inferRate(subtotal, iva, usual);
  if (rate !== undefined) return rate;
  const off = (one: Rate) => Math.abs(taxOf(subtotal, one) - iva);
  const near = INFERRED.reduce((best, one) => (off(one) < off(best) ? one : best));
  if (given.iva !== null)
    throw new Refused('iva', withRemedy(`${offBy(iva, subtotal, near)} ${SAY_RATE}`, 'set-rate'));
  const [said, right] = [total ?? 0, (total ?? 0) - iva + taxOf(subtotal, near)].map(formatMoney);
  throw new Refused(
    'total',
    withRemedy(
      `El total no cuadra: el archivo dice ${said}; con ${rateText(near)} % de IVA da ${right}. ${SAY_RATE}`,
      'set-rate',
    ),
  );
}

const SAY_RATE = 'Si lleva otra tasa, agrégala en una columna.';

const offBy = (iva: Cents, subtotal: Cents, rate: Rate): string =>
  `El IVA no cuadra: el archivo dice ${formatMoney(iva)}; ${formatMoney(subtotal)} × ${rateText(rate)} % da ${formatMoney(taxOf(subtotal, rate))}.`;

/** The rates that there are: whatever else the figures come to is a slip in one of them. */
const INFERRED: readonly Rate[] = [16, 8, 0].map((percent) => percent * RATE_SCALE);

/** The one of them that gives this IVA to the cent; of small amounts several do, then the usual one. */
function inferRate(subtotal: Cents, iva: Cents, usual: Rate): Rate | undefined {
  const fitting = INFERRED.filter((rate) => taxOf(subtotal, rate) === iva);
  return fitting.includes(usual) ? usual : fitting[0];
}

const ivaFrom = ({ total, subtotal, otros, retenciones }: Given & { subtotal: Cents }): Cents | null =>
  total === null ? null : total - subtotal - otros + retenciones;

/** A document's figures stand; only their sum has to be right. */
function asStated(given: Given & { subtotal: Cents }, isMixed: boolean, usual: Rate): RowAmounts {
  const { subtotal, otros, retenciones } = given;
  const rate = given.tasa ?? undefined;
  const ivaCents =
    given.iva ?? (rate === undefined ? (ivaFrom(given) ?? taxOf(subtotal, usual)) : taxOf(subtotal, rate));
  const totalCents = subtotal + ivaCents + otros - retenciones;
  requireTotal(given.total, totalCents);
  return {
    subtotalCents: subtotal,
    tasa: isMixed ? null : (rate ?? inferRate(subtotal, ivaCents, usual) ?? null),
    ivaCents,
    otrosimpuestosCents: otros,
    retencionesCents: retenciones,
    totalCents,
  };
}

function requireTotal(given: Cents | null, sum: Cents): void {
  if (given === null || given === sum) return;
  throw new Refused(
    'total',
    `El total no cuadra: el archivo dice ${formatMoney(given)}; sus partes suman ${formatMoney(sum)}.`,
  );
}

/** A document may come to nothing (100 % discount); what is typed in may not. */
export function checkRange(amounts: RowAmounts, cfdi: boolean): void {
  const { subtotalCents, ivaCents, totalCents } = amounts;
  if (subtotalCents < 0 || (subtotalCents === 0 && !cfdi))
    throw new Refused('subtotal', 'El subtotal debe ser mayor que cero.');
  if (ivaCents < 0) throw new Refused('iva', 'El IVA no puede ser negativo.');
  if (cfdi && totalCents === 0) return;
  const problem = checkTotal(totalCents);
  if (problem) throw new Refused('total', problem.message);
  const most = Math.max(subtotalCents, ivaCents, amounts.otrosimpuestosCents, amounts.retencionesCents);
  if (most > MAX_CENTS) throw new Refused('subtotal', 'El subtotal no puede pasar de $9,999,999,999.99.');
}
