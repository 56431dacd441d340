import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { type Remark, toPlainText } from '../../../shared/remarks.ts';
import { DECIMAL_ONE } from '../../formats/cfdi/attribute-values.ts';
import { requirePlausibleRate } from '../../formats/cfdi/currency.ts';
import type { RowValues } from '../../formats/tables/table.ts';
import type { CurrencyAndRate } from '../invoices/amounts.ts';

/** `value` is shown where the cell of the field is empty or missing. */
export interface RowRefusal {
  field: string;
  reason: Remark;
  value?: string;
  code?: string;
}

export class RowRefusalError extends Error {
  readonly refusal: RowRefusal;

  constructor(field: string, reason: Remark, value?: string) {
    super(toPlainText(reason));
    this.refusal = { field, reason, value };
  }
}

export function readOrRefusal<T>(read: () => T): T | RowRefusal {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowRefusalError) return error.refusal;
    if (!(error instanceof DomainError)) throw error;
    const [[field, reason] = ['', error.message]] = Object.entries(error.fields ?? {});
    return { field, reason };
  }
}

export function textOf(values: RowValues, field: string): string {
  const value = values[field];
  return value === null || value === undefined ? '' : String(value);
}

export function centsOf(values: RowValues, field: string): Cents | null {
  const value = values[field];
  return typeof value === 'number' ? value : null;
}

export const dateOf = (values: RowValues, field: string): PlainDate | null => textOf(values, field) || null;

interface RateAndWarning extends CurrencyAndRate {
  /** "Está en USD: se convierte con el tipo de cambio 17.1234." */
  warning: string;
}

/** @throws RowRefusalError where the rate is missing or implausible, or stated without a currency */
export function readCurrencyAndRate(values: RowValues, baseCurrency: string): RateAndWarning | undefined {
  const moneda = textOf(values, 'moneda');
  const rate = textOf(values, 'tipocambio');
  if (moneda === baseCurrency) return undefined;
  if (!moneda) {
    if (rate === '' || Number(rate) === 1) return undefined;
    throw new RowRefusalError('tipocambio', 'Trae tipo de cambio y no dice de qué moneda.');
  }
  try {
    return {
      moneda,
      rate: requirePlausibleRate(moneda, rate, baseCurrency),
      warning: `Está en ${moneda}: se convierte con el tipo de cambio ${rate}.`,
    };
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    throw new RowRefusalError(rate ? 'tipocambio' : 'moneda', error.message);
  }
}

export const convertToBaseCurrency = (cents: Cents, { rate }: CurrencyAndRate): Cents =>
  divideHalfUp(BigInt(cents) * rate, DECIMAL_ONE);
