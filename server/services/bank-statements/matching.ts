import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';

/** What a bank was asked to pay a supplier of a batch, and how far it has come. */
export interface AskedTransfer {
  batchId: number;
  supplierId: number;
  /** undefined: nobody knows any more where it went */
  clabe: string | undefined;
  amountCents: Cents;
  referencia: string;
  /**
   * open: not paid yet; held: neither, and something has held a line of it since it was sent; paid: there are its
   * payments, and no movement has told of it; told: one has; gone: sent back
   */
  state: 'open' | 'held' | 'paid' | 'told' | 'gone';
}

export interface Matched {
  outcome: MovementOutcome;
  transfer?: AskedTransfer;
}

/**
 * Whose transfer a movement is of: by its amount, and its reference or the account that it went to. An amount alone says
 * nothing for sure, and neither do two transfers that are alike, or one that something holds. What is found is no candidate for the next movement.
 */
export function matchMovement(movement: Movement, transfers: readonly AskedTransfer[]): Matched {
  const isReturn = movement.amountCents > 0;
  const cents = Math.abs(movement.amountCents);
  const candidates = transfers.filter(
    ({ amountCents, state }) =>
      amountCents === cents &&
      (isReturn
        ? state === 'paid' || state === 'told'
        : state === 'open' || state === 'held' || state === 'paid'),
  );
  const named = candidates.filter((one) => isNamed(movement, one));
  const [transfer, other] = named;
  if (transfer && !other && transfer.state !== 'held') {
    transfer.state = isReturn ? 'gone' : 'told';
    return { outcome: isReturn ? 'devuelto' : 'pagado', transfer };
  }
  // Money that comes in is mostly somebody else's.
  if (transfer || (candidates.length > 0 && !isReturn)) return { outcome: 'ambiguo' };
  return { outcome: 'sin-partida' };
}

/** A reference counts as a number by itself; an account as its CLABE, or its own number. */
function isNamed(
  { referencia, descripcion }: Movement,
  { referencia: asked, clabe }: AskedTransfer,
): boolean {
  const numbers = `${referencia} ${descripcion}`.match(/\d+/g) ?? [];
  const plain = new Set(numbers.map((digits) => digits.replace(/^0+/, '')));
  const wanted = [asked, ...(clabe ? [clabe, accountNumberOf(clabe)] : [])];
  return wanted.some((digits) => plain.has(digits.replace(/^0+/, '')) && digits.replace(/^0+/, '') !== '');
}
