import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';

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

/** Finds transfers by what a movement may name them by, so that each movement looks at few of them. */
export class TransferMatcher {
  readonly #named = new Map<string, AskedTransfer[]>();
  /** how many of an amount no movement has told of yet */
  readonly #awaited = new Map<Cents, number>();

  constructor(transfers: readonly AskedTransfer[]) {
    for (const transfer of transfers) {
      const { amountCents, referencia, clabe } = transfer;
      if (isAwaited(transfer)) this.#count(amountCents, 1);
      // A reference counts as a number by itself; an account as its CLABE, or its own number.
      for (const digits of plainDigits([referencia, ...(clabe ? [clabe, accountNumberOf(clabe)] : [])])) {
        const key = `${amountCents} ${digits}`;
        const others = this.#named.get(key);
        if (others) others.push(transfer);
        else this.#named.set(key, [transfer]);
      }
    }
  }

  /**
   * Finds a movement's transfer by its amount, and its reference or the account that it went to. An amount alone says
   * nothing for sure, and neither do two transfers that are alike, or one that something holds. A transfer that is
   * found is no candidate for the next movement.
   */
  match({ amountCents, referencia, descripcion }: Movement): Matched {
    const isReturn = amountCents > 0;
    const cents = Math.abs(amountCents);
    const isCandidate = (one: AskedTransfer) =>
      isReturn ? one.state === 'paid' || one.state === 'told' : isAwaited(one);
    const numbers = plainDigits(`${referencia} ${descripcion}`.match(/\d+/g) ?? []);
    const named = new Set(
      [...numbers].flatMap((digits) => this.#named.get(`${cents} ${digits}`)?.filter(isCandidate) ?? []),
    );
    const [transfer, other] = named;
    if (transfer && !other && transfer.state !== 'held') {
      if (isAwaited(transfer)) this.#count(cents, -1);
      transfer.state = isReturn ? 'gone' : 'told';
      return { outcome: isReturn ? 'devuelto' : 'pagado', transfer };
    }
    // Money that comes in is mostly somebody else's.
    if (transfer || (!isReturn && this.#awaited.get(cents))) return { outcome: 'ambiguo' };
    return { outcome: 'sin-partida' };
  }

  #count(cents: Cents, more: number): void {
    this.#awaited.set(cents, (this.#awaited.get(cents) ?? 0) + more);
  }
}

const isAwaited = ({ state }: AskedTransfer): boolean =>
  state === 'open' || state === 'held' || state === 'paid';

const plainDigits = (texts: readonly string[]): Set<string> =>
  new Set(texts.map((digits) => digits.replace(/^0+/, '')).filter(Boolean));
