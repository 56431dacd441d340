import { DomainError } from '../../../shared/errors.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { plausibleRate } from '../../formats/cfdi/currency.ts';
import { type Decimal, ONE } from '../../formats/cfdi/values.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { RowAmounts } from './invoices-amounts.ts';
import { Refused, textOf } from './judging.ts';

/** What one unit of a row's currency is in the base currency. */
interface Exchange {
  moneda: string;
  rate: Decimal;
  /** "Está en USD: se convierte con el tipo de cambio 17.1234." */
  warning: string;
}

/**
 * Of a row in another currency than the base one; undefined where it is in that.
 * @throws Refused where the rate is missing or absurd, or there is one and no word of the currency
 */
export function exchangeOf(values: RowValues, base: string): Exchange | undefined {
  const moneda = textOf(values, 'moneda');
  const rate = textOf(values, 'tipocambio');
  if (moneda === base) return undefined;
  if (!moneda) {
    if (rate === '' || Number(rate) === 1) return undefined;
    throw new Refused('tipocambio', 'Trae tipo de cambio y no dice de qué moneda.');
  }
  try {
    return {
      moneda,
      rate: plausibleRate(moneda, rate, base),
      warning: `Está en ${moneda}: se convierte con el tipo de cambio ${rate}.`,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new Refused(rate ? 'tipocambio' : 'moneda', error.message);
  }
}

export const converted = (cents: Cents, { rate }: Exchange): Cents => divideHalfUp(BigInt(cents) * rate, ONE);

/**
 * Total, IVA, other taxes and withholdings rounded once each, the subtotal by difference, as of a CFDI. So the IVA may
 * be cents off its rate of the subtotal, as it was not in the row's own currency.
 */
export function convertRow(own: RowAmounts, exchange: Exchange): RowAmounts {
  const convert = (cents: Cents) => converted(cents, exchange);
  const [totalCents, ivaCents] = [convert(own.totalCents), convert(own.ivaCents)];
  const retencionesCents = convert(own.retencionesCents);
  const rest = totalCents - ivaCents + retencionesCents;
  const others = convert(own.otrosimpuestosCents);
  // Nothing to take a cent of rounding from: the other taxes do.
  const subtotalCents = own.subtotalCents === 0 ? 0 : rest - others;
  const otrosimpuestosCents = rest - subtotalCents;
  return { ...own, totalCents, ivaCents, retencionesCents, otrosimpuestosCents, subtotalCents };
}
