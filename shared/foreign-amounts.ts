import { type Cents, divideHalfUp, formatMoney } from './money.ts';

/** Exchange rates are exact decimals; they are computed with in units of 10^-12. */
const RATE_UNIT = 10n ** 12n;

/** Reads a stored rate: digits, with at most 12 behind the point. */
export function rateUnits(tipocambio: string): bigint {
  const [whole, fraction = ''] = tipocambio.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

/** Returns "$1,000.00 USD". */
export const formatForeign = (cents: Cents, moneda: string): string => `${formatMoney(cents)} ${moneda}`;

export const toBaseCents = (foreignCents: Cents, tipocambio: string): Cents =>
  divideHalfUp(BigInt(foreignCents) * rateUnits(tipocambio), RATE_UNIT);

export const toForeignCents = (cents: Cents, tipocambio: string): Cents =>
  divideHalfUp(BigInt(cents) * RATE_UNIT, rateUnits(tipocambio));

/** Pesos for one unit of the currency, for showing: "17.3005". */
export const rateBetween = (cents: Cents, foreignCents: Cents): string => (cents / foreignCents).toFixed(4);

/** What was paid of a foreign invoice until now. */
export interface ForeignParts {
  /** the number of its payments and credits */
  parts: number;
  /** the sum of what was stated in the invoice's currency, in it and in pesos */
  foreignCents: Cents;
  statedCents: Cents;
}

export const NO_PARTS: ForeignParts = { parts: 0, foreignCents: 0, statedCents: 0 };

interface ForeignDebt {
  totalCents: Cents;
  paidCents: Cents;
  tipocambio: string;
}

/**
 * The largest rounding error in pesos: half a cent of the currency, at its rate, and half a centavo for each part.
 * @param parts the number of earlier payments and credits
 */
export const roundingError = (tipocambio: string, parts: number): Cents =>
  Math.max(1, Number(rateUnits(tipocambio) / (2n * RATE_UNIT))) + Math.ceil(parts / 2);

/**
 * What is owed in the currency of the invoice: its total, less the parts stated in it, less the sum of the others at its
 * rate. While pesos are owed it is at least a cent. Where the parts do not explain what is owed in pesos, because the
 * invoice had another rate when they were stored, it is that amount at the rate of now.
 */
export function remainingForeign(
  { totalCents, paidCents, tipocambio }: ForeignDebt,
  paid: ForeignParts,
): Cents {
  const pendingCents = totalCents - paidCents;
  if (pendingCents <= 0) return 0;
  const inPesos = toForeignCents(paidCents - paid.statedCents, tipocambio);
  const rest = toForeignCents(totalCents, tipocambio) - paid.foreignCents - inPesos;
  const differenceCents = Math.abs(toBaseCents(rest, tipocambio) - pendingCents);
  const isExplained = differenceCents <= roundingError(tipocambio, paid.parts + 1);
  return Math.max(1, isExplained ? rest : toForeignCents(pendingCents, tipocambio));
}

/**
 * What a part stated in the currency settles in pesos: all that is owed where it pays the rest (a difference that is worth
 * less than a centavo is none), else its amount at the rate, and less than all that is owed.
 * @returns undefined where it is more than what is owed
 */
export function settledByForeign(
  foreignCents: Cents,
  { pendingCents, remainingCents }: { pendingCents: Cents; remainingCents: Cents },
  tipocambio: string,
): Cents | undefined {
  const rest = BigInt(remainingCents - foreignCents);
  if ((rest < 0n ? -rest : rest) * rateUnits(tipocambio) < RATE_UNIT) return pendingCents;
  return rest < 0n ? undefined : Math.min(toBaseCents(foreignCents, tipocambio), pendingCents - 1);
}

/** The amount in the currency of a part stated in pesos: exact where the part then settles those pesos. */
export function foreignPartOf(
  amountCents: Cents,
  payable: { pendingCents: Cents; remainingCents: Cents },
  tipocambio: string,
): { cents: Cents; isExact: boolean } {
  const { pendingCents, remainingCents } = payable;
  const cents = amountCents === pendingCents ? remainingCents : toForeignCents(amountCents, tipocambio);
  return { cents, isExact: cents > 0 && settledByForeign(cents, payable, tipocambio) === amountCents };
}
