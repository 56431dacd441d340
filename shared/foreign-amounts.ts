import { type Cents, divideHalfUp, formatMoney } from './money.ts';

/** Exchange rates are exact decimals, computed as integers in units of 10^-12. */
const RATE_UNITS_PER_ONE = 10n ** 12n;

/** Parses a stored rate, a decimal with at most 12 digits after the point. */
export function toRateUnits(tipocambio: string): bigint {
  const [whole, fraction = ''] = tipocambio.split('.');
  return BigInt(whole + fraction.padEnd(12, '0'));
}

export const formatForeign = (cents: Cents, moneda: string): string => `${formatMoney(cents)} ${moneda}`;

export const toBaseCents = (foreignCents: Cents, tipocambio: string): Cents =>
  divideHalfUp(BigInt(foreignCents) * toRateUnits(tipocambio), RATE_UNITS_PER_ONE);

export const toForeignCents = (cents: Cents, tipocambio: string): Cents =>
  divideHalfUp(BigInt(cents) * RATE_UNITS_PER_ONE, toRateUnits(tipocambio));

/** Returns the pesos for one unit of the currency, such as "17.3005". */
export const formatImpliedRate = (cents: Cents, foreignCents: Cents): string =>
  (cents / foreignCents).toFixed(4);

/** Applied credit notes count as payments. */
export interface ForeignPaymentSums {
  /** the number of all payments */
  paymentCount: number;
  /** the sum of the payments stated in the invoice's currency: in that currency, and in pesos */
  foreignCents: Cents;
  settledPesoCents: Cents;
}

export const NO_FOREIGN_PAYMENTS: ForeignPaymentSums = {
  paymentCount: 0,
  foreignCents: 0,
  settledPesoCents: 0,
};

interface ForeignDebt {
  totalCents: Cents;
  paidCents: Cents;
  tipocambio: string;
}

/**
 * Returns the largest rounding error: half a cent of the currency at its rate, and half a centavo a payment.
 * @param paymentCount the number of earlier payments and credits
 */
export const maxRoundingError = (tipocambio: string, paymentCount: number): Cents =>
  Math.max(1, Number(toRateUnits(tipocambio) / (2n * RATE_UNITS_PER_ONE))) + Math.ceil(paymentCount / 2);

/**
 * What is owed in the currency of the invoice: its total, less the payments stated in that currency, less those stated
 * in pesos at the invoice's rate. It is at least a cent while pesos are owed. If the invoice had another rate when the
 * payments were stored, their sum differs from what is owed in pesos; then the pesos owed are converted.
 */
export function computeRemainingForeign(
  { totalCents, paidCents, tipocambio }: ForeignDebt,
  paidSums: ForeignPaymentSums,
): Cents {
  const pendingCents = totalCents - paidCents;
  if (pendingCents <= 0) return 0;
  const inPesos = toForeignCents(paidCents - paidSums.settledPesoCents, tipocambio);
  const rest = toForeignCents(totalCents, tipocambio) - paidSums.foreignCents - inPesos;
  const differenceCents = Math.abs(toBaseCents(rest, tipocambio) - pendingCents);
  const isExplained = differenceCents <= maxRoundingError(tipocambio, paidSums.paymentCount + 1);
  return Math.max(1, isExplained ? rest : toForeignCents(pendingCents, tipocambio));
}

/**
 * Computes the pesos that a payment or credit stated in the invoice's currency settles. If it differs from what remains
 * by less than a centavo, it settles all pesos owed. Otherwise it settles its amount at the invoice's rate, but at
 * least a centavo stays owed.
 * @returns undefined where the amount is more than what is owed
 */
export function computeSettledPesoCents(
  foreignCents: Cents,
  { pendingCents, remainingCents }: { pendingCents: Cents; remainingCents: Cents },
  tipocambio: string,
): Cents | undefined {
  const rest = BigInt(remainingCents - foreignCents);
  if ((rest < 0n ? -rest : rest) * toRateUnits(tipocambio) < RATE_UNITS_PER_ONE) return pendingCents;
  return rest < 0n ? undefined : Math.min(toBaseCents(foreignCents, tipocambio), pendingCents - 1);
}

/** Converts a payment in pesos to the invoice's currency; `isExact`: the result settles exactly those pesos. */
export function convertPaymentToForeign(
  amountCents: Cents,
  unpaid: { pendingCents: Cents; remainingCents: Cents },
  tipocambio: string,
): { cents: Cents; isExact: boolean } {
  const { pendingCents, remainingCents } = unpaid;
  const cents = amountCents === pendingCents ? remainingCents : toForeignCents(amountCents, tipocambio);
  return { cents, isExact: cents > 0 && computeSettledPesoCents(cents, unpaid, tipocambio) === amountCents };
}
