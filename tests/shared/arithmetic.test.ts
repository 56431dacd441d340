import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { evaluateMoney, evaluateTaxRate, isOperation } from '../../shared/arithmetic.ts';
import { DomainError } from '../../shared/errors.ts';
import { MAX_CENTS, parseMoney, toDecimalText } from '../../shared/money.ts';

const messageOf = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return `${error.kind}: ${error.message}`;
    throw error;
  }
  return 'no refusal';
};
const refused = (text: string) => messageOf(() => evaluateMoney(text, 'Subtotal', 'subtotal'));

describe('an expression in an amount field', () => {
  it.each([
    ['1200*3+50', 365_000],
    ['(1,000 + 250.50) / 2', 62_525],
    ['=1,200*3', 360_000],
    ['= $500 × 2', 100_000],
    ['3x1,200', 360_000],
    ['100 − 40', 6_000],
    ['1000÷3', 33_333],
    ['2000/3', 66_667],
    ['0.005*1', 1],
    ['10--5', 1_500],
    ['-5+10', 500],
    ['2*(3+(4-1))*10', 12_000],
    ['0.1+0.2', 30],
    ['1.125*8', 900],
    ['1/3*3', 100],
    ['.5*2', 100],
    ['1.*2', 200],
    ['5-5', 0],
  ])('%s yields %i cents', (text, cents) => {
    expect(evaluateMoney(text, 'Subtotal')).toBe(cents);
    expect(isOperation(text)).toBe(true);
  });

  it('that is a plain number is read as strictly as ever', () => {
    for (const text of ['$1,160.50', '=1160.5', ' 1160.50 ']) {
      expect(evaluateMoney(text, 'Subtotal')).toBe(116_050);
      expect(isOperation(text)).toBe(false);
    }
    expect(evaluateMoney('-5', 'Subtotal')).toBe(-500);
    expect(evaluateMoney('-$5', 'Subtotal')).toBe(-500);
    expect(refused('1.005')).toBe('invalid: Subtotal: máximo dos decimales.');
    expect(refused('=1.005')).toBe('invalid: Subtotal: máximo dos decimales.');
    expect(refused('abc')).toBe('malformed: Subtotal: no es una cantidad.');
    expect(refused('1,16')).toBe('malformed: Subtotal: no es una cantidad.');
  });

  it('is rounded only if it is a product or a quotient: a third decimal that stays in a sum is refused', () => {
    expect(refused('1.005+1')).toBe('invalid: Subtotal: máximo dos decimales.');
    expect(refused('(1.005)')).toBe('invalid: Subtotal: máximo dos decimales.');
    expect(evaluateMoney('1.005+1.005', 'Subtotal')).toBe(201);
    expect(evaluateMoney('1.005*1', 'Subtotal')).toBe(101);
  });

  it.each([
    ['1/0', 'invalid: Subtotal: no se puede dividir entre cero.'],
    ['1/(2-2)', 'invalid: Subtotal: no se puede dividir entre cero.'],
    ['5-10', 'invalid: Subtotal: el resultado es negativo.'],
    ['9999999999*2', 'invalid: Subtotal: no puede pasar de $9,999,999,999.99.'],
    ['9'.repeat(190), 'malformed: Subtotal: no es una cantidad.'],
    [`${'9'.repeat(95)}*${'9'.repeat(95)}`, 'invalid: Subtotal: no puede pasar de $9,999,999,999.99.'],
    ...[
      '1+',
      '*2',
      '(1+2',
      '1+2)',
      '()',
      '1++',
      '2(3)',
      '1,16*2',
      '1.2.3+1',
      'n/a',
      '1e3*2',
      '=+',
      '2**3',
      '1+a',
      `1${'+1'.repeat(100)}`,
      `${'('.repeat(150)}1+1`,
    ].map((text) => [text, 'malformed: Subtotal: la operación no se entiende.']),
  ])('%s is refused', (text, message) => {
    expect(refused(text)).toBe(message);
  });

  it('may be a rate, too, with its four decimals', () => {
    expect(evaluateTaxRate('8+8')).toBe(160_000);
    expect(evaluateTaxRate('32/3 %')).toBe(106_667);
    expect(evaluateTaxRate('16 %')).toBe(160_000);
    expect(messageOf(() => evaluateTaxRate('60*2'))).toBe('invalid: Tasa: debe estar entre 0 y 100.');
    expect(messageOf(() => evaluateTaxRate('1-2'))).toBe('invalid: Tasa: debe estar entre 0 y 100.');
    expect(messageOf(() => evaluateTaxRate('16/0'))).toBe('invalid: Tasa: no se puede dividir entre cero.');
    expect(messageOf(() => evaluateTaxRate('16.00001'))).toBe('invalid: Tasa: máximo cuatro decimales.');
  });
});

/** The reference: an expression tree of exact fractions, evaluated without parsing text. */
interface Tree {
  text: string;
  /** undefined: division by zero */
  value: Ratio | undefined;
}
type Ratio = { over: bigint; under: bigint };

const reduced = (over: bigint, under: bigint): Ratio => {
  let [a, b] = [over < 0n ? -over : over, under < 0n ? -under : under];
  while (b) [a, b] = [b, a % b];
  const by = (under < 0n ? -1n : 1n) * (a || 1n);
  return { over: over / by, under: under / by };
};

const figure: fc.Arbitrary<Tree> = fc
  .tuple(fc.integer({ min: 0, max: 999_999 }), fc.constantFrom('', '$', ' '), fc.boolean())
  .map(([cents, before, grouped]) => {
    const text = toDecimalText(cents);
    const shown = grouped ? text.replace(/\B(?=(\d{3})+\.)/g, ',') : text;
    return { text: before + shown, value: reduced(BigInt(cents), 100n) };
  });

const { operation } = fc.letrec<{ tree: Tree; operation: Tree }>((tie) => ({
  tree: fc.oneof({ depthSize: 'small', withCrossShrink: true }, figure, tie('operation')),
  operation: fc.tuple(tie('tree'), fc.constantFrom('+', '-', '*', '/'), tie('tree')).map(([a, sign, b]) => ({
    text: `(${a.text} ${sign} ${b.text})`,
    value: a.value && b.value && combine(a.value, sign, b.value),
  })),
}));

function combine(a: Ratio, sign: string, b: Ratio): Ratio | undefined {
  if (sign === '+') return reduced(a.over * b.under + b.over * a.under, a.under * b.under);
  if (sign === '-') return reduced(a.over * b.under - b.over * a.under, a.under * b.under);
  if (sign === '*') return reduced(a.over * b.over, a.under * b.under);
  return b.over === 0n ? undefined : reduced(a.over * b.under, a.under * b.over);
}

describe('any expression', () => {
  it('yields the result of exact fractions, rounded once, halves away from zero', () => {
    fc.assert(
      fc.property(
        operation.filter(({ text }) => text.replace(/[\s$]/g, '').length <= 200),
        ({ text, value }) => {
          const { over, under } = value ?? { over: 0n, under: 1n };
          const cents = (over * 200n + (over < 0n ? -under : under)) / (under * 2n);
          if (!value) expect(refused(text)).toMatch(/entre cero/);
          else if (cents < 0n) expect(refused(text)).toMatch(/es negativo/);
          else if (cents > BigInt(MAX_CENTS)) expect(refused(text)).toMatch(/no puede pasar/);
          else expect(evaluateMoney(text, 'Subtotal')).toBe(Number(cents));
        },
      ),
      { numRuns: 2000 },
    );
  });

  it('is at worst refused, and plain text is read as by parseMoney', () => {
    const typed = fc.string({ unit: fc.constantFrom(...'0123456789.,+-*/()=$ x×÷−%a') });
    fc.assert(
      fc.property(typed, (text) => {
        const outcome = refused(text);
        expect(outcome).toMatch(/^(no refusal|(malformed|invalid): Subtotal: .+\.$)/);
        if (isOperation(text) || /=/.test(text)) return;
        expect(outcome).toBe(messageOf(() => parseMoney(text, 'Subtotal', 'subtotal')));
      }),
      { numRuns: 5000 },
    );
  });
});
