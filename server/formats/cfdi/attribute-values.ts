import {
  dayOfTimestamp,
  describeOtherCentury,
  isOfThisCentury,
  isPlainDate,
  type PlainDate,
} from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { type Cents, divideHalfUp } from '../../../shared/money.ts';
import { fold, oneLine, toNfc } from '../../../shared/text.ts';
import type { XmlElement } from './xml.ts';

/** An exact decimal number in units of 10^-12: the SAT's amounts, rates and quantities have 6 decimals. */
export type Decimal = bigint;
const DECIMAL_PLACES = 12;
export const DECIMAL_ONE: Decimal = 10n ** BigInt(DECIMAL_PLACES);

export type AttributeReader = (node: XmlElement | undefined, name: string) => string;

/** The reader takes names as in CFDI 3.3 and 4.0. In 3.2 it first tries the name with a small first letter. */
export const createAttributeReader =
  (version: string): AttributeReader =>
  (node, name) =>
    cleanValue(
      (version === '3.2' ? node?.attributes.get(lowercaseFirstLetter(name)) : undefined) ??
        node?.attributes.get(name) ??
        '',
    );

export const lowercaseFirstLetter = (name: string) => name.charAt(0).toLowerCase() + name.slice(1);

/** Returns the value on one line, without control and direction characters, which stored texts must not contain. */
export const cleanValue = (value: string): string =>
  oneLine(toNfc(value.replaceAll('\u0085', ' ').replace(CONTROL_CHARACTERS_PATTERN, '')));

/** Parses "6334.860000" exactly; undefined where it is not an XML Schema decimal of at most 12 decimals. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = /^([+-]?)(\d{0,18})(?:\.(\d{0,40}))?$/.exec(text.trim());
  if (!match || (!match[2] && !match[3])) return undefined;
  const fraction = (match[3] ?? '').replace(/0+$/, '');
  if (fraction.length > DECIMAL_PLACES) return undefined;
  const units = BigInt(match[2] || '0') * DECIMAL_ONE + BigInt(fraction.padEnd(DECIMAL_PLACES, '0'));
  return match[1] === '-' ? -units : units;
}

export function formatDecimal(amount: Decimal): string {
  const digits = String(amount).padStart(DECIMAL_PLACES + 1, '0');
  const fraction = digits.slice(-DECIMAL_PLACES).replace(/0+$/, '');
  return digits.slice(0, -DECIMAL_PLACES) + (fraction && `.${fraction}`);
}

export const toCents = (amount: Decimal): Cents => divideHalfUp(amount, DECIMAL_ONE / 100n);

/** Fecha is local time without a zone, but some programs add one; the day is its first ten characters. */
export function readDate(text: string): PlainDate {
  const day = dayOfTimestamp(text.slice(0, 10), text.slice(11));
  if (!isPlainDate(day)) throw cfdiError('bad_value', `Fecha: «${text.slice(0, 40)}» no es una fecha.`);
  if (!isOfThisCentury(day)) throw cfdiError('bad_value', `Fecha: ${describeOtherCentury(day)}`);
  return day;
}

/** Moneda is free text in 3.2 and in tables. An unknown word is kept, in capitals. */
export function normalizeCurrency(text: string): string {
  const word = fold(text).replace(/[^a-z$€]/g, '');
  if (text === '' || PESO_WORDS.has(word)) return 'MXN';
  if (DOLLAR_WORDS.has(word)) return 'USD';
  if (EURO_WORDS.has(word)) return 'EUR';
  return text.toUpperCase();
}

const PESO_WORDS = new Set(
  'mxn mxp mn $ $mn peso pesos pesomexicano pesosmexicanos pesosmn pesosmxn mxnpesos nacional monedanacional'.split(
    ' ',
  ),
);
const DOLLAR_WORDS = new Set(
  'usd dolar dolares dolaramericano dolaresamericanos dolaresusd dolaresestadounidenses usdollar dollar dollars dlls dls us$ u$s usd$ $usd'.split(
    ' ',
  ),
);
const EURO_WORDS = new Set(['eur', 'euro', 'euros', '€']);

export function readAmount(node: XmlElement, name: string, readAttribute: AttributeReader): Decimal {
  const text = readAttribute(node, name);
  const amount = text === '' ? 0n : parseDecimal(text);
  if (amount !== undefined) return amount;
  throw cfdiError('bad_value', `${name}: «${text.slice(0, 40)}» no es una cantidad.`);
}

export const cfdiError = (code: string, message: string) => new DomainError('invalid', message, { code });

const CONTROL_CHARACTERS_PATTERN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it removes
  /[\u0000-\u0008\u000e-\u001f\u007f-\u0084\u0086-\u009f\u202a-\u202e\u2066-\u2069]|\p{Cs}/gu;
