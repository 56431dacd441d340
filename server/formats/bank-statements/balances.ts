import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { BankStatementMovement } from './movements.ts';

interface BankStatementBalances {
  saldoinicialCents: Cents;
  saldofinalCents: Cents;
  /** the line of the first movement whose balance does not follow from the one before it */
  saldorenglon: number | null;
}

/**
 * Finds an account's balances before and after its movements, from the balances that the file states next to movements.
 * Some banks list the oldest movement first, others the newest. Both orders are tried; the order in which more balances
 * agree with each other is used.
 * @returns undefined where no balance is known; 'ambiguous' where both orders of one day's movements would be right
 */
export function findBankStatementBalances(
  movements: readonly BankStatementMovement[],
): BankStatementBalances | 'ambiguous' | undefined {
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

export const lastMovementDay = (movements: readonly BankStatementMovement[]): PlainDate =>
  movements.reduce((last, { fecha }) => (fecha > last ? fecha : last), movements[0]!.fecha);

/** @returns with `following`, the number of stated balances that lead back to the same opening balance */
function traceRunningBalances(movementsByDay: readonly BankStatementMovement[]) {
  const counts = new Map<Cents, number>();
  let movedCents = 0;
  let opening: Cents | undefined;
  let balance: Cents | undefined;
  let saldorenglon: number | null = null;
  for (const { line, amountCents, saldoCents } of movementsByDay) {
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
