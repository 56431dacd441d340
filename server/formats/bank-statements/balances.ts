import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { StatementMovement } from './movements.ts';

interface StatementBalances {
  saldoinicialCents: Cents;
  saldofinalCents: Cents;
  /** the line of the first movement whose balance does not follow from the one before it */
  saldorenglon: number | null;
}

/**
 * Finds an account's balances before and after its movements, from the balances that the file states beside them.
 * Some banks list the oldest movement first, others the newest. Both orders are tried, and the one is taken in which
 * more balances follow from the one before.
 * @returns undefined where no balance is known; 'ambiguous' where both orders of one day's movements would be right
 */
export function findStatementBalances(
  movements: readonly StatementMovement[],
): StatementBalances | 'ambiguous' | undefined {
  const [oldestFirst, newestFirst] = [movements, movements.toReversed()].map((sequence) =>
    traceRunningBalances(sequence.toSorted((a, b) => Number(a.fecha > b.fecha) - Number(a.fecha < b.fecha))),
  );
  if (!oldestFirst || !newestFirst) return undefined;
  const { following, ...oldest } = oldestFirst;
  const { following: followingBackwards, ...newest } = newestFirst;
  if (following !== followingBackwards) return following > followingBackwards ? oldest : newest;
  if (oldest.saldofinalCents === newest.saldofinalCents) return oldest;
  const [first, last] = [movements[0]!.fecha, movements.at(-1)!.fecha];
  if (first === last && oldest.saldorenglon === null) return 'ambiguous';
  return first > last ? newest : oldest;
}

export const lastMovementDay = (movements: readonly StatementMovement[]): PlainDate =>
  movements.reduce((last, { fecha }) => (fecha > last ? fecha : last), movements[0]!.fecha);

/** `following`: how many of the balances fit the same opening balance. */
function traceRunningBalances(chronological: readonly StatementMovement[]) {
  const counts = new Map<Cents, number>();
  let movedCents = 0;
  let opening: Cents | undefined;
  let balance: Cents | undefined;
  let saldorenglon: number | null = null;
  for (const { line, amountCents, saldoCents } of chronological) {
    movedCents += amountCents;
    if (balance !== undefined) balance += amountCents;
    if (saldoCents === undefined) continue;
    if (saldoCents === 'unreadable' || (balance !== undefined && balance !== saldoCents))
      saldorenglon ??= line;
    if (saldoCents === 'unreadable') continue;
    balance = saldoCents;
    const fitting = saldoCents - movedCents;
    opening ??= fitting;
    counts.set(fitting, (counts.get(fitting) ?? 0) + 1);
  }
  if (opening === undefined || balance === undefined) return undefined;
  return {
    saldoinicialCents: opening,
    saldofinalCents: balance,
    saldorenglon,
    following: Math.max(...counts.values()),
  };
}
