import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  computeRemainingForeign,
  computeSettledPesoCents,
  convertPaymentToForeign,
  NO_FOREIGN_PAYMENTS,
  toBaseCents,
  toForeignCents,
} from '../../shared/foreign-amounts.ts';

const rates = fc.integer({ min: 1_000_000, max: 100_000_000 }).map((units) => (units / 1_000_000).toFixed(6));

/** Pays a debt part by part, stated in its currency or in pesos, until nothing is left. */
function payInParts(totalForeignCents: number, tipocambio: string, parts: readonly [number, boolean][]) {
  const totalCents = toBaseCents(totalForeignCents, tipocambio);
  let [paidCents, paid] = [0, NO_FOREIGN_PAYMENTS];
  const payable = () => ({
    pendingCents: totalCents - paidCents,
    remainingCents: computeRemainingForeign({ totalCents, paidCents, tipocambio }, paid),
  });
  const add = (amountCents: number, foreignCents: number | null) => {
    paidCents += amountCents;
    const stated = foreignCents === null ? 0 : amountCents;
    paid = {
      paymentCount: paid.paymentCount + 1,
      foreignCents: paid.foreignCents + (foreignCents ?? 0),
      settledPesoCents: paid.settledPesoCents + stated,
    };
  };
  for (const [share, isForeign] of parts) {
    const { pendingCents, remainingCents } = payable();
    if (pendingCents <= 1 || remainingCents <= 1) break;
    if (!isForeign) add(Math.max(1, Math.floor((pendingCents - 1) * share)), null);
    else {
      const foreignCents = Math.max(1, Math.floor((remainingCents - 1) * share));
      const settled = computeSettledPesoCents(foreignCents, payable(), tipocambio);
      expect(settled, 'a part of what remains is less than all of it').toBeLessThan(pendingCents);
      add(settled!, foreignCents);
    }
  }
  return { ...payable(), paid, totalCents };
}

const shares = fc.array(fc.tuple(fc.double({ min: 0.01, max: 0.6, noNaN: true }), fc.boolean()), {
  maxLength: 12,
});

it('a debt paid in any parts, stated in its currency or in pesos, ends at 0 in both with the part that pays the rest', () => {
  const property = fc.property(
    fc.integer({ min: 1_000, max: 100_000_000 }),
    rates,
    shares,
    (foreignCents, tipocambio, parts) => {
      const { pendingCents, remainingCents } = payInParts(foreignCents, tipocambio, parts);
      expect(remainingCents, 'while pesos are owed, dollars are').toBeGreaterThan(0);
      const payable = { pendingCents, remainingCents };
      expect(computeSettledPesoCents(remainingCents, payable, tipocambio)).toBe(pendingCents);
      expect(computeSettledPesoCents(remainingCents + 1, payable, tipocambio)).toBeUndefined();
      expect(convertPaymentToForeign(pendingCents, payable, tipocambio)).toEqual({
        cents: remainingCents,
        isExact: true,
      });
    },
  );
  fc.assert(property, { numRuns: 2000 });
});

it('a debt paid in its currency alone has exactly the rest left, however many parts there are', () => {
  const property = fc.property(
    fc.integer({ min: 1_000, max: 100_000_000 }),
    rates,
    shares,
    (foreignCents, tipocambio, parts) => {
      const inDollars = parts.map(([share]): [number, boolean] => [share, true]);
      const { remainingCents, paid } = payInParts(foreignCents, tipocambio, inDollars);
      expect(remainingCents).toBe(foreignCents - paid.foreignCents);
    },
  );
  fc.assert(property, { numRuns: 2000 });
});

it('an amount that is converted and back is the same, for currencies that are worth at least a peso', () => {
  const property = fc.property(fc.integer({ min: 1, max: 1_000_000_000 }), rates, (cents, tipocambio) => {
    expect(toForeignCents(toBaseCents(cents, tipocambio), tipocambio)).toBe(cents);
  });
  fc.assert(property, { numRuns: 2000 });
});

it('a debt in a currency worth less than a peso is settled by exactly its total', () => {
  const tipocambio = '0.113457';
  const totalCents = toBaseCents(1_000_000, tipocambio);
  const remainingCents = computeRemainingForeign(
    { totalCents, paidCents: 0, tipocambio },
    NO_FOREIGN_PAYMENTS,
  );
  expect(computeSettledPesoCents(1_000_000, { pendingCents: totalCents, remainingCents }, tipocambio)).toBe(
    totalCents,
  );
});

it('the debt in the currency follows from the pesos owed if the payments were stored at another rate', () => {
  const paid = { paymentCount: 1, foreignCents: 50_000, settledPesoCents: 850_000 };
  const debt = { totalCents: 1_800_000, paidCents: 850_000, tipocambio: '18' };
  expect(computeRemainingForeign(debt, paid)).toBe(toForeignCents(950_000, '18'));
});
