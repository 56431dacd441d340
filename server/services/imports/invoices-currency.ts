import type { Invoice } from '../../../shared/invoices.ts';
import { decimalText, parseDecimal } from '../../formats/cfdi/values.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import { Refused, textOf } from './judging.ts';

/**
 * What a row says of the currency that its amounts were converted from: they are converted already, as the list's
 * own files have them.
 * @throws Refused where only one of both is said, or one cannot be
 */
export function readConverted(values: RowValues): Pick<Invoice, 'moneda' | 'tipocambio'> {
  const moneda = textOf(values, 'monedacfdi').toUpperCase();
  const text = textOf(values, 'tipocambiocfdi');
  if (!moneda && !text) return { moneda: null, tipocambio: null };
  if (!/^[A-Z]{3}$/.test(moneda))
    throw new Refused(
      'monedacfdi',
      'Con el tipo de cambio del CFDI va su moneda, de tres letras (USD, EUR).',
    );
  const rate = parseDecimal(text);
  if (rate === undefined || rate <= 0n)
    throw new Refused(
      'tipocambiocfdi',
      `El tipo de cambio de ${moneda} debe ser un número mayor que cero, como 17.1234.`,
    );
  return { moneda, tipocambio: decimalText(rate) };
}

/** Where a row says it and it is another: the first that differs. */
export const CONVERTED = [
  ['monedacfdi', 'moneda', 'moneda del CFDI'],
  ['tipocambiocfdi', 'tipocambio', 'tipo de cambio del CFDI'],
] as const;
