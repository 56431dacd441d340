import {
  type Cents,
  LIMIT_MESSAGES,
  MAX_CENTS,
  MAX_RATE,
  RATE_SCALE,
  type Rate,
} from '../../../shared/money.ts';

export type DecimalMark = '.' | ',';

/** Detects an amount's decimal mark: undefined where it shows none ("1500"), ambiguous for one like "1.234". */
export function detectDecimalMark(cell: string): DecimalMark | 'ambiguous' | undefined {
  const text = cell.replace(MONEDA_NACIONAL_PATTERN, '');
  const point = text.lastIndexOf('.');
  const comma = text.lastIndexOf(',');
  if (point < 0 && comma < 0) return undefined;
  if (point >= 0 && comma >= 0) return point > comma ? '.' : ',';
  const mark = point >= 0 ? '.' : ',';
  const other = mark === '.' ? ',' : '.';
  const at = Math.max(point, comma);
  if (text.indexOf(mark) !== at) return other; // a mark that occurs twice separates thousands
  const after = countDigitsFrom(text, at + 1, 1);
  const before = countDigitsFrom(text, at - 1, -1);
  if (after !== 3) return after > 0 || before > 0 ? mark : undefined;
  const leadingZero = text[at - before] === '0';
  return before === 0 || before > 3 || leadingZero ? mark : 'ambiguous';
}

const MONEDA_NACIONAL_PATTERN = /m\.\s?n\.?/i;

function countDigitsFrom(text: string, from: number, step: 1 | -1): number {
  let count = 0;
  for (let at = from; at >= 0 && at < text.length; at += step) {
    const charCode = text.charCodeAt(at);
    if (charCode < 48 || charCode > 57) break;
    count += 1;
  }
  return count;
}

/** `hasNoise`: an error of binary arithmetic, far smaller than a cent, was dropped. */
type AmountReading = { value: Cents; hasNoise?: boolean } | ReadingProblem;

/** `code` is set if the value is readable but breaks a rule. `problem` is then to be put after the field's label. */
export interface ReadingProblem {
  problem: string;
  code?: string;
}

/**
 * Reads amounts as people write them: `$1,234.56`, `($50.00)`, `-$50`, `50.00-`, `1.234,56 €`, `MXN 1,234.5`.
 * Thousands must be grouped by three: "1,16" is not 116.
 */
export function readAmount(text: string, decimalMark: DecimalMark): AmountReading {
  const plain = parsePlainCents(text, decimalMark);
  if (plain !== undefined) return { value: plain };
  if (text.length > 60 || (SPACED_DIGITS_PATTERN.test(text) && !SPACED_THOUSANDS_PATTERN.test(text)))
    return { problem: NOT_AN_AMOUNT_TEXT };
  let rest = text.replace(/[\s\u200b\u2060]/g, '');
  const negative = /^\(.+\)$/.test(rest) || /^[$€]?[-−–]|^(?:MXN?|MN|M\.N\.)?\$?[-−–]|[-−]$/i.test(rest);
  rest = rest
    .replace(/[()−–-]/g, '')
    .replace(/^(MXN?|MN|US\$|USD|EUR)?[$€]?|(MXN?|MN|M\.N\.?|PESOS|USD|EUR|[$€])+$/gi, '');
  if (rest === '' && /[$€]/.test(text)) return { value: 0 }; // ledgers write zero as "$ -"
  const written = (decimalMark === '.' ? POINT_AMOUNT_PATTERN : COMMA_AMOUNT_PATTERN).exec(rest);
  if (!written) {
    const swapped = (decimalMark === '.' ? COMMA_AMOUNT_PATTERN : POINT_AMOUNT_PATTERN).test(rest);
    return { problem: swapped ? OTHER_DECIMAL_MARK_TEXTS[decimalMark] : NOT_AN_AMOUNT_TEXT };
  }
  return toCents(negative, written[1]!.replace(/[.,']/g, ''), written[2] ?? '');
}

const POINT_AMOUNT_PATTERN = /^(\d{1,3}(?:,\d{3})+|\d{1,3}(?:'\d{3})+|\d*)(?:\.(\d*))?$/;
const COMMA_AMOUNT_PATTERN = /^(\d{1,3}(?:\.\d{3})+|\d{1,3}(?:'\d{3})+|\d*)(?:,(\d*))?$/;

/** Spaces may separate thousands, only in groups of three: "12 34" is not 1234. */
const SPACED_DIGITS_PATTERN = /\d\s+\d/;
const SPACED_THOUSANDS_PATTERN = /^\D*\d{1,3}(?:\s\d{3})+(?:\s?[.,]\s?\d*)?\D*$/;

const NOT_AN_AMOUNT_TEXT = 'No es una cantidad.';
const OTHER_DECIMAL_MARK_TEXTS = {
  '.': 'No es una cantidad con punto decimal, como las demás de su columna.',
  ',': 'No es una cantidad con coma decimal, como las demás de su columna.',
};

/** Nearly all amounts have this simple form, `-$1,234.56` at most, so it is tried first. */
function parsePlainCents(text: string, decimal: DecimalMark): Cents | undefined {
  const [, minus, whole = '', fraction = ''] =
    (decimal === '.' ? PLAIN_POINT_PATTERN : PLAIN_COMMA_PATTERN).exec(text) ?? [];
  if (whole === '' || text.length > 20) return undefined;
  const digits = whole.length > 3 ? whole.replace(/[.,]/g, '') : whole;
  const cents = Number(digits) * 100 + Number(fraction.padEnd(2, '0'));
  if (cents > MAX_CENTS) return undefined;
  return minus && cents !== 0 ? -cents : cents;
}

const PLAIN_POINT_PATTERN = /^(-?)\$?(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/;
const PLAIN_COMMA_PATTERN = /^(-?)\$?(\d{1,3}(?:\.\d{3})+|\d{1,12})(?:,(\d{1,2}))?$/;

function toCents(isNegative: boolean, whole: string, fraction: string): AmountReading {
  if (whole === '' && fraction === '') return { problem: NOT_AN_AMOUNT_TEXT };
  const fractionOfCent = Number(`0.${fraction.slice(2) || '0'}`);
  const hasNoise = fractionOfCent > 0 && Math.min(fractionOfCent, 1 - fractionOfCent) <= MAX_NOISE_CENTS;
  if (fractionOfCent > 0 && !hasNoise) return limitProblem('cents');
  const cents =
    Number(whole) * 100 + Number(fraction.slice(0, 2).padEnd(2, '0')) + Math.round(fractionOfCent);
  if (cents > MAX_CENTS) return limitProblem('amount');
  return { value: isNegative && cents !== 0 ? -cents : cents, hasNoise };
}

/** In cents. A third decimal is far larger than this, the errors of binary arithmetic are far smaller. */
const MAX_NOISE_CENTS = 0.0001;

export function readNumberAmount(value: number): AmountReading {
  const exact = Math.abs(value) * 100;
  const cents = Math.round(exact);
  if (cents > MAX_CENTS) return limitProblem('amount');
  if (Math.abs(exact - cents) > MAX_NOISE_CENTS) return limitProblem('cents');
  return { value: value < 0 && cents !== 0 ? -cents : cents, hasNoise: cents / 100 !== Math.abs(value) };
}

export const findForeignCurrency = (text: string): string | undefined =>
  /US\$|USD|EUR|€/i.exec(text)?.[0].toUpperCase();

type RateReading = { value: Rate } | ReadingProblem;

/** Reads "16", "16%", "16,00" and "10.6667 %". With `isFraction`, 0.16 means 16 %. */
export function readRate(text: string, isFraction: boolean): RateReading {
  if (text.length > 40) return { problem: NOT_A_RATE_TEXT };
  const match = /^(-?\d{1,12})(?:[.,](\d{0,12}))?(%?)$/.exec(text.replace(/\s/g, '').replace(/^[−–]/, '-'));
  if (!match) return { problem: NOT_A_RATE_TEXT };
  const value = Number(`${match[1]}.${match[2] || '0'}`);
  return toRate(isFraction && match[3] === '' ? value * 100 : value);
}

export function toRate(percent: number): RateReading {
  const exact = percent * RATE_SCALE;
  const rate = Math.round(exact);
  if (Math.abs(exact - rate) > 0.001) return limitProblem('rateDecimals');
  if (!(rate >= 0 && rate <= MAX_RATE)) return limitProblem('rate');
  return { value: rate };
}

const limitProblem = (rule: keyof typeof LIMIT_MESSAGES): ReadingProblem => ({
  problem: LIMIT_MESSAGES[rule],
  code: 'invalid',
});

const NOT_A_RATE_TEXT = 'No es un porcentaje.';
