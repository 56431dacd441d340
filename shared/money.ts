import { formatCount } from './counts.ts';
import { DomainError } from './errors.ts';

/** Money is in integer cents everywhere; decimals exist only in input and output. */
export type Cents = number;

/** A percentage times 10,000, so 16 % is 160000: exact to four decimals. */
export type Rate = number;

export const MAX_CENTS: Cents = 999_999_999_999;

export const RATE_SCALE = 10_000;
export const MAX_RATE: Rate = 100 * RATE_SCALE;

/** Messages, without the field's label before them, about amounts that can be parsed but not stored. */
export const LIMIT_MESSAGES = {
  cents: 'máximo dos decimales.',
  amount: 'no puede pasar de $9,999,999,999.99.',
  rateDecimals: 'máximo cuatro decimales.',
  rate: 'debe estar entre 0 y 100.',
} as const;

/** Parses "$1,160.50", "-3" or a JSON number. @throws DomainError malformed, invalid (three decimals, too large) */
export function parseMoney(value: unknown, label: string, field = label): Cents {
  const parts = splitDecimal(value);
  if (!parts) throw moneyError('malformed', field, `${label}: no es una cantidad.`);
  const [sign, whole, fraction] = parts;
  if (fraction.replace(/0+$/, '').length > 2)
    throw moneyError('invalid', field, `${label}: ${LIMIT_MESSAGES.cents}`);
  const digits = whole.replace(/^0+(?=\d)/, '');
  if (digits.length > 10) throw moneyError('invalid', field, `${label}: ${LIMIT_MESSAGES.amount}`);
  const cents = Number(digits || '0') * 100 + Number(fraction.slice(0, 2).padEnd(2, '0'));
  return sign && cents !== 0 ? -cents : cents;
}

/** @returns undefined while the text is empty or cannot be read */
export function tryParseMoney(text: string): Cents | undefined {
  try {
    return parseMoney(text, '');
  } catch (error) {
    if (error instanceof DomainError) return undefined;
    throw error;
  }
}

/** Parses "16", "10.6667", "16 %" or a number. @throws DomainError malformed, invalid (beyond 100, five decimals) */
export function parseRate(value: unknown, label = 'Tasa', field = 'tasa'): Rate {
  const parts = splitDecimal(typeof value === 'string' ? value.replace(/%\s{0,9}$/, '') : value);
  if (!parts) throw moneyError('malformed', field, `${label}: no es un porcentaje.`);
  const [sign, whole, decimals] = parts;
  const fraction = decimals.replace(/0+$/, '');
  if (fraction.length > 4) throw moneyError('invalid', field, `${label}: ${LIMIT_MESSAGES.rateDecimals}`);
  const rate = Number(whole) * RATE_SCALE + Number(fraction.padEnd(4, '0'));
  if (rate > MAX_RATE || (sign && rate > 0))
    throw moneyError('invalid', field, `${label}: ${LIMIT_MESSAGES.rate}`);
  return rate;
}

/** Computes subtotal × rate in cents, halves away from zero; exact at any size, by BigInt. */
export function computeTax(subtotal: Cents, rate: Rate): Cents {
  return divideHalfUp(BigInt(subtotal) * BigInt(rate), 100n * BigInt(RATE_SCALE));
}

/** Rounds to an integer, halves away from zero. */
export function divideHalfUp(numerator: bigint, denominator: bigint): number {
  const negative = numerator < 0n !== denominator < 0n;
  const n = numerator < 0n ? -numerator : numerator;
  const d = denominator < 0n ? -denominator : denominator;
  const rounded = (2n * n + d) / (2n * d);
  return Number(negative ? -rounded : rounded);
}

/** Formats 116050 as "$1,160.50" and -116050 as "-$1,160.50", as money is shown wherever there is room for it. */
export function formatMoney(cents: Cents): string {
  return (cents < 0 ? '-$' : '$') + formatMoneyWithoutSymbol(Math.abs(cents));
}

/** Formats 116050 as "1,160.50", as in an amount field. */
export const formatMoneyWithoutSymbol = (cents: Cents): string =>
  toDecimalText(cents).replace(/\B(?=(\d{3})+\.)/g, ',');

/** "$1.03 M" or "$66.9 mil", for narrow places next to the exact amount; smaller amounts are exact. */
export function formatShortMoney(cents: Cents): string {
  const pesos = Math.abs(cents) / 100;
  const sign = cents < 0 ? '-' : '';
  // An amount that would round to a thousand of one unit is shown in the next one.
  if (pesos >= 999_500) return `${sign}$${formatThreeSignificantDigits(pesos / 1_000_000)} M`;
  if (pesos >= 10_000) return `${sign}$${formatThreeSignificantDigits(pesos / 1000)} mil`;
  return formatMoney(cents).replace(/\.00$/, '');
}

function formatThreeSignificantDigits(amount: number): string {
  if (amount < 999.5) return String(Number(amount.toPrecision(3)));
  return formatCount(Math.round(amount));
}

/** Formats 116050 as "1160.50", for form fields, CSV and headers. */
export function toDecimalText(cents: Cents): string {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not an amount in cents: ${cents}`);
  const amount = Math.abs(cents);
  const fraction = amount % 100;
  return `${cents < 0 ? '-' : ''}${(amount - fraction) / 100}.${fraction < 10 ? '0' : ''}${fraction}`;
}

/** Converts 116050 to 1160.5, for JSON only: the same double that "1160.50" is parsed to. */
export function toDecimal(cents: Cents): number {
  if (!Number.isSafeInteger(cents)) throw new RangeError(`not an amount in cents: ${cents}`);
  return cents / 100 + 0; // never -0
}

export function formatRate(rate: Rate): string {
  const fraction = String(rate % RATE_SCALE)
    .padStart(4, '0')
    .replace(/0+$/, '');
  return `${Math.trunc(rate / RATE_SCALE)}${fraction && `.${fraction}`}`;
}

/** @returns undefined where the value is not a number; whole digits and decimals are never both empty */
function splitDecimal(value: unknown): [sign: string, whole: string, fraction: string] | undefined {
  const [, sign = '', whole = '', fraction = ''] =
    /^(-?)(\d*)(?:\.(\d*))?$/.exec(ungroupDecimal(value) ?? '') ?? [];
  return whole || fraction ? [sign, whole, fraction] : undefined;
}

/** Removes separators of thousands: "1 160.50" becomes "1160.50", while "1,16" and "5 0" are no numbers. */
function ungroupDecimal(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? withoutExponent(value) : undefined;
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const text = value
    .trim()
    .replace(/^(-?)\s*\$?\s*(-?)\s*/, '$1$2')
    .replace(/\s/g, ',');
  if (!text.includes(',')) return text;
  return /^-?\d{1,3}(,\d{3})+(\.\d*)?$/.test(text) ? text.replaceAll(',', '') : undefined;
}

/** Writes numbers without exponent, so that 1e21 is refused as too large, and 1e-7 for its decimals. */
function withoutExponent(value: number): string {
  const text = String(value);
  if (!text.includes('e')) return text;
  return Math.abs(value) < 1 ? `${value < 0 ? '-' : ''}0.0000001` : BigInt(value).toString();
}

export const moneyError = (kind: 'malformed' | 'invalid', field: string, message: string) =>
  new DomainError(kind, message, { fields: { [field]: message } });
