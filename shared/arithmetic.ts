import {
  type Cents,
  divideHalfUp,
  MAX_CENTS,
  MAX_RATE,
  moneyError,
  parseMoney,
  parseRate,
  RATE_SCALE,
  type Rate,
} from './money.ts';

/**
 * Evaluates "1,200*3+50", "(1,000 + 250.50) / 2" or "=$500×2" exactly, in fractions of BigInt, rounded once at the end
 * to the cent, halves away from zero. A third decimal in a plain number or a sum is refused.
 * @throws DomainError malformed (not understood) or invalid (by zero, negative, too large), naming the field
 */
export function evaluateMoney(text: string, label: string, field = label): Cents {
  const operation = normalizeOperation(text);
  if (operation === undefined) return parseMoney(withoutEqualsSign(text), label, field);
  const [numerator, denominator] = evaluateFraction(operation, label, field);
  if ((numerator * 100n) % denominator !== 0n && !/[*/]/.test(operation))
    throw moneyError('invalid', field, `${label}: máximo dos decimales.`);
  const cents = divideHalfUp(numerator * 100n, denominator);
  if (cents < 0) throw moneyError('invalid', field, `${label}: el resultado es negativo.`);
  if (cents > MAX_CENTS) throw moneyError('invalid', field, `${label}: no puede pasar de $9,999,999,999.99.`);
  return cents;
}

export function evaluateTaxRate(text: string, label = 'Tasa', field = 'tasa'): Rate {
  const operation = normalizeOperation(text.replace(/%\s*$/, ''));
  if (operation === undefined) return parseRate(withoutEqualsSign(text), label, field);
  const [numerator, denominator] = evaluateFraction(operation, label, field);
  const rate = divideHalfUp(numerator * BigInt(RATE_SCALE), denominator);
  if (rate < 0 || rate > MAX_RATE) throw moneyError('invalid', field, `${label}: debe estar entre 0 y 100.`);
  return rate;
}

/** "-5" and "=5" are plain numbers, not operations. */
export const isOperation = (text: string): boolean => normalizeOperation(text) !== undefined;

/** Returns the operation with + - * / and ( ) only, or undefined where the text is a plain number. */
function normalizeOperation(text: string): string | undefined {
  const bare = withoutEqualsSign(text)
    .replace(/[\s\u00a0\u202f]/g, '')
    .replace(/(?<![\d.])\$(?=[-−]?[\d.])/g, '')
    .replace(/(?<=[\d.)])[xX×·](?=[-−+\d.(])/g, '*')
    .replaceAll('÷', '/')
    .replaceAll('−', '-');
  return /[+*/()]|[^-]-/.test(bare) ? bare : undefined;
}

const withoutEqualsSign = (text: string) => text.replace(/^\s*=/, '');

type Fraction = readonly [numerator: bigint, denominator: bigint];

/** Nobody types a longer operation for an amount; the limit also bounds recursion and the size of numbers. */
const MAX_OPERATION_LENGTH = 200;

function evaluateFraction(text: string, label: string, field: string): Fraction {
  let at = 0;
  const unclearError = () => moneyError('malformed', field, `${label}: la operación no se entiende.`);
  const readSign = (signs: string): string | undefined => {
    const sign = text[at];
    if (sign === undefined || !signs.includes(sign)) return undefined;
    at++;
    return sign;
  };

  const sum = (): Fraction => {
    let [n, d] = parseProduct();
    for (let sign = readSign('+-'); sign; sign = readSign('+-')) {
      const [m, e] = parseProduct();
      [n, d] = [sign === '+' ? n * e + m * d : n * e - m * d, d * e];
    }
    return [n, d];
  };

  const parseProduct = (): Fraction => {
    let [n, d] = parseFactor();
    for (let sign = readSign('*/'); sign; sign = readSign('*/')) {
      const [m, e] = parseFactor();
      if (sign === '*') [n, d] = [n * m, d * e];
      else if (m === 0n) throw moneyError('invalid', field, `${label}: no se puede dividir entre cero.`);
      else [n, d] = m < 0n ? [-n * e, d * -m] : [n * e, d * m];
    }
    return [n, d];
  };

  const parseFactor = (): Fraction => {
    const sign = readSign('+-');
    if (sign) {
      const [n, d] = parseFactor();
      return [sign === '-' ? -n : n, d];
    }
    if (!readSign('(')) return parseNumber();
    const inner = sum();
    if (!readSign(')')) throw unclearError();
    return inner;
  };

  const parseNumber = (): Fraction => {
    const [found] = /^[\d,]*\.?\d*/.exec(text.slice(at)) ?? [''];
    const [whole = '', fraction = ''] = found.split('.');
    if (!/\d/.test(found) || !/^(\d*|\d{1,3}(,\d{3})+)$/.test(whole)) throw unclearError();
    at += found.length;
    return [BigInt(whole.replaceAll(',', '') + fraction), 10n ** BigInt(fraction.length)];
  };

  if (text.length > MAX_OPERATION_LENGTH) throw unclearError();
  const result = sum();
  if (at < text.length) throw unclearError();
  return result;
}
