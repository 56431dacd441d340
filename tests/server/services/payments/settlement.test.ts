import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  absorbRounding,
  computeApplicableNoteCents,
  computeAppliedCredit,
  computeSettlement,
} from '../../../../server/services/payments/settlement.ts';
import { type Cents, divideHalfUp, toDecimalText } from '../../../../shared/money.ts';
import { bankAmountOf } from '../../../../shared/payments.ts';

/** Rates in millionths, since the SAT allows six decimals. */
const rate = () => fc.integer({ min: 5_000_000, max: 100_000_000 });
const rateText = (millionths: number) => (millionths / 1e6).toFixed(6);
const atRate = (own: Cents, millionths: number) => divideHalfUp(BigInt(own) * BigInt(millionths), 1_000_000n);
const inDollars = (millionths: number) => ({ moneda: 'USD', tipocambio: rateText(millionths) });

describe('the settled amount of an invoice in dollars', () => {
  it('never exceeds its total, and closes it with the last part, in any order and at any rates', () => {
    const part = fc.record({ own: fc.integer({ min: 100, max: 100_000_000 }), day: rate() });
    const property = fc.property(rate(), fc.array(part, { minLength: 1, maxLength: 60 }), (own, parts) => {
      const invoice = inDollars(own);
      let pending = atRate(
        parts.reduce((sum, one) => sum + one.own, 0),
        own,
      );
      for (const [index, paid] of parts.entries()) {
        const line = {
          moneda: 'USD',
          pagado: toDecimalText(paid.own),
          amountCents: atRate(paid.own, paid.day),
        };
        const exact = computeSettlement(line, invoice);
        expect(exact.amountCents).toBe(atRate(paid.own, own));
        expect(bankAmountOf(exact)).toBe(line.amountCents);
        const settles = absorbRounding(exact, pending, invoice, index);
        expect(settles.amountCents).toBeLessThanOrEqual(pending);
        expect(bankAmountOf(settles), 'the bank gave what it gave').toBe(line.amountCents);
        pending -= settles.amountCents;
      }
      expect(pending).toBe(0);
    });
    fc.assert(property, { numRuns: 500 });
  });

  it('is, for a credit note, at its own rate, and applying all that is left uses it up exactly', () => {
    const property = fc.property(
      rate(),
      rate(),
      fc.integer({ min: 100, max: 100_000_000 }),
      (own, day, cents) => {
        const invoice = inDollars(own);
        const totalCents = atRate(cents, day);
        const note = { totalCents, appliedCents: 0, moneda: 'USD', detail: { totalCents: cents } };
        expect(computeApplicableNoteCents(note, invoice)).toBe(atRate(cents, own));
        const half = computeAppliedCredit(
          note,
          invoice,
          Math.floor(computeApplicableNoteCents(note, invoice) / 2),
        );
        const rest = { ...note, appliedCents: bankAmountOf(half) };
        const last = computeAppliedCredit(rest, invoice, computeApplicableNoteCents(rest, invoice));
        expect(bankAmountOf(half) + bankAmountOf(last)).toBe(totalCents);
        expect(Math.abs(half.amountCents + last.amountCents - atRate(cents, own))).toBeLessThanOrEqual(
          Math.ceil(own / day),
        );
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  it('is as stated if nothing was converted, or in another currency', () => {
    const paid = { moneda: 'USD', pagado: '100.00', amountCents: 180_000 };
    const asItStands = { amountCents: 180_000, importebancoCents: null, importemonedaCents: null };
    expect(computeSettlement(paid, { moneda: null, tipocambio: null })).toEqual(asItStands);
    expect(computeSettlement(paid, { moneda: 'EUR', tipocambio: '20.5' })).toEqual(asItStands);
    expect(computeSettlement({ ...paid, pagado: null }, inDollars(17_123_400))).toEqual(asItStands);
    const pesos = { moneda: null, tipocambio: null };
    expect(absorbRounding(asItStands, 180_001, pesos, 9), 'a cent of a debt in pesos is a debt').toEqual(
      asItStands,
    );
  });
});
