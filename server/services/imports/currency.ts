import { DomainError } from '../../../shared/errors.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { plausibleRate } from '../../formats/cfdi/currency.ts';
import { ONE } from '../../formats/cfdi/values.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { Exchange } from '../invoices/amounts.ts';
import { Refused, textOf } from './row-values.ts';

interface RowExchange extends Exchange {
  /** "Está en USD: se convierte con el tipo de cambio 17.1234." */
  warning: string;
}

/**
 * Answers nothing for a row in the base currency.
 * @throws Refused where the rate is missing or absurd, or there is one and no word of the currency
 */
export function exchangeOf(values: RowValues, base: string): RowExchange | undefined {
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
