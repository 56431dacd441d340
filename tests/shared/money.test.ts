import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DomainError } from '../../shared/errors.ts';
import {
  computeTax,
  divideHalfUp,
  formatMoney,
  formatRate,
  MAX_CENTS,
  MAX_RATE,
  parseMoney,
  parseRate,
  toDecimal,
  toDecimalText,
} from '../../shared/money.ts';
import { groupThousands } from '../../shared/thousands.ts';

const cents = fc.integer({ min: -MAX_CENTS, max: MAX_CENTS });
const amount = fc.integer({ min: 0, max: MAX_CENTS });
const rate = fc.integer({ min: 0, max: MAX_RATE });

const READ: [unknown, number][] = [
  ['1160.5', 116_050],
  ['1,160.50', 116_050],
  ['$1,160.50', 116_050],
  ['$ 1,160.50', 116_050],
  ['-$1,160.50', -116_050],
  ['$-1,160.50', -116_050],
  [' 5 ', 500],
  ['1 160.50', 116_050],
  ['1\u00a0160.50', 116_050],
  ['.5', 50],
  ['5.', 500],
  ['0.10', 10],
  ['0.100', 10],
  ['007', 700],
  ['-0', 0],
  ['9,999,999,999.99', MAX_CENTS],
  [1160.5, 116_050],
  [0.07, 7],
  [1.1, 110],
  [-3, -300],
  [-0, 0],
  [9_999_999_999.99, MAX_CENTS],
];

const UNREADABLE = [
  '',
  ' ',
  '.',
  '-',
  '$',
  'abc',
  '1e3',
  '1E3',
  '0x10',
  '1,16',
  '1,1600.00',
  '12,34',
  ',5',
  '1.2.3',
  '--5',
  '+5',
  '5-',
  '(5)',
  'NaN',
  'Infinity',
  '١٢',
  '5 pesos',
  '1'.repeat(61),
  null,
  undefined,
  true,
  {},
  [],
  ['5'],
  5n,
  Number.NaN,
  Number.POSITIVE_INFINITY,
];

const BEYOND = [
  '10000000000',
  10_000_000_000,
  '-10000000000',
  '0.001',
  '1.005',
  0.1 + 0.2,
  1.005,
  2 ** 53,
  '99999999999999999999',
  1e20,
  1e21,
  -1e300,
  1e-7,
  -1e-30,
];

describe('an amount', () => {
  it.each(READ)('%o is read as %i cents', (value, expected) => {
    expect(parseMoney(value, 'Subtotal')).toBe(expected);
  });

  it.each(UNREADABLE)('%o is unreadable, and the message names the field', (value) => {
    expect(refusalOf(() => parseMoney(value, 'Subtotal', 'subtotal'))).toMatchObject({
      kind: 'malformed',
      message: 'Subtotal: no es una cantidad.',
      fields: { subtotal: 'Subtotal: no es una cantidad.' },
    });
  });

  it.each(BEYOND)('%o is readable and refused: too many decimals, or too large', (value) => {
    expect(refusalOf(() => parseMoney(value, 'Subtotal'))).toMatchObject({
      kind: 'invalid',
      message: expect.stringMatching(
        /^Subtotal: (máximo dos decimales|no puede pasar de \$9,999,999,999\.99)\.$/,
      ),
    });
  });

  it('is read again from every form in which it is written', () => {
    fc.assert(
      fc.property(cents, (value) => {
        expect(parseMoney(formatMoney(value), 'x')).toBe(value);
        expect(parseMoney(toDecimalText(value), 'x')).toBe(value);
        expect(parseMoney(JSON.parse(JSON.stringify(toDecimal(value))), 'x')).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('has thousands separators in a field, with which it is read as without them', () => {
    const shown = ['5', '999.99', '1000', '117392.41', '-5', '12a', '1,16', '1000.1234'].map(groupThousands);
    expect(shown).toEqual(['5', '999.99', '1,000', '117,392.41', '-5', '12a', '1,16', '1000.1234']);
    fc.assert(
      fc.property(cents, (value) => {
        const text = toDecimalText(Math.abs(value));
        expect(parseMoney(groupThousands(text), 'x')).toBe(Math.abs(value));
      }),
    );
  });

  it('is shown with a dollar sign, commas and two decimals, and never as minus zero', () => {
    expect([0, -0, 5, -5, 116_050, -116_050, 100_000_000, MAX_CENTS].map(formatMoney)).toEqual([
      '$0.00',
      '$0.00',
      '$0.05',
      '-$0.05',
      '$1,160.50',
      '-$1,160.50',
      '$1,000,000.00',
      '$9,999,999,999.99',
    ]);
    fc.assert(
      fc.property(cents, (value) => {
        expect(formatMoney(value)).toMatch(/^-?\$\d{1,3}(,\d{3})*\.\d{2}$/);
      }),
    );
    expect(() => formatMoney(0.5)).toThrow(RangeError);
  });
});

describe('a rate', () => {
  it.each([
    ['16', 160_000],
    ['16 %', 160_000],
    ['16%', 160_000],
    ['10.6667', 106_667],
    ['0', 0],
    ['100', MAX_RATE],
    ['.5', 5000],
    [8, 80_000],
    [16.5, 165_000],
    ['-0', 0],
  ])('%o is read as %i', (value, expected) => {
    expect(parseRate(value)).toBe(expected);
  });

  it.each(['100.0001', 101, '-1', -0.5, '1.00001', '99999999999'])('%o is readable and refused', (value) => {
    expect(refusalOf(() => parseRate(value))).toMatchObject({
      kind: 'invalid',
      fields: { tasa: expect.any(String) },
    });
  });

  it.each(['', '%', 'x', '1e1', null, true, Number.NaN])('%o is unreadable', (value) => {
    expect(refusalOf(() => parseRate(value))).toMatchObject({ kind: 'malformed' });
  });

  it('is read again as it was written', () => {
    fc.assert(
      fc.property(rate, (value) => {
        expect(parseRate(formatRate(value))).toBe(value);
      }),
    );
    expect([160_000, 106_667, 0, 5000].map(formatRate)).toEqual(['16', '10.6667', '0', '0.5']);
  });
});

describe('the tax', () => {
  it.each([
    [3, 160_000, 0], // 0.0048
    [313, 160_000, 50], // 0.5008
    [5, 100_000, 1], // 0.005: halves away from zero
    [4, 125_000, 1], // 0.005
    [12, 125_000, 2], // 0.015
    [100_000, 160_000, 16_000],
    [MAX_CENTS, MAX_RATE, MAX_CENTS],
    [MAX_CENTS, 1, 1_000_000],
  ])('of %i cents at %i is %i', (subtotal, at, expected) => {
    expect(computeTax(subtotal, at)).toBe(expected);
  });

  it('is subtotal × rate to the nearest cent, halves away from zero', () => {
    fc.assert(
      fc.property(amount, rate, (subtotal, at) => {
        // The exact tax in millionths of a cent; the result may differ by half a cent.
        const exact = BigInt(subtotal) * BigInt(at);
        const distance = BigInt(computeTax(subtotal, at)) * 1_000_000n - exact;
        expect(distance > -500_000n && distance <= 500_000n).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it('has the same size for a negative amount as for a positive one', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 15n), fc.bigInt(1n, 10n ** 6n), (numerator, denominator) => {
        const rounded = divideHalfUp(numerator, denominator);
        expect(divideHalfUp(-numerator, denominator) + rounded).toBe(0);
        expect(divideHalfUp(-numerator, -denominator)).toBe(rounded);
      }),
    );
  });
});

function refusalOf(work: () => unknown): DomainError {
  try {
    work();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
