import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';
import { append, distinctIds } from '../stored-rows.ts';

export interface AskedTransfer {
  batchId: number;
  supplierId: number;
  /** undefined: nobody knows any more where it went */
  clabe: string | undefined;
  amountCents: Cents;
  referencia: string;
  /** as a file that was sent says it, from when references were small numbers */
  formerReference?: string;
  invoiceIds: readonly number[];
  /** no movement of before pays it */
  sentOn: PlainDate;
  /** no return of before takes it back; null: it is not paid */
  paidOn: PlainDate | null;
  /**
   * open: not paid yet; held: neither, and a fixed check has held a line of it since it was sent; paid: there are its
   * payments, and no movement has told of it; told: one has; gone: sent back
   */
  state: 'open' | 'held' | 'paid' | 'told' | 'gone';
}

export type Names = Pick<AskedTransfer, 'referencia' | 'formerReference' | 'clabe'>;

export interface Matched {
  outcome: MovementOutcome;
  transfer?: AskedTransfer;
  /** the batches that an open one may be of, in their order */
  batchIds?: readonly number[];
}

/** Finds transfers by what a movement may name them by, so that each movement looks at few of them. */
export class TransferMatcher {
  readonly #named = new Map<string, AskedTransfer[]>();
  /** how many of an amount no movement has told of yet, by batch */
  readonly #awaited = new Map<Cents, Map<number, { sentOn: PlainDate; count: number }>>();
  readonly #holders: ReadonlyMap<string, ReadonlySet<number>>;

  /** @param holders the suppliers of each account on file, by its number without leading zeros */
  constructor(
    transfers: readonly AskedTransfer[],
    holders: ReadonlyMap<string, ReadonlySet<number>> = new Map(),
  ) {
    this.#holders = holders;
    for (const transfer of transfers) {
      if (isAwaited(transfer)) this.#count(transfer, 1);
      for (const digits of namesOf(transfer))
        append(this.#named, `${transfer.amountCents} ${digits}`, transfer);
    }
  }

  /**
   * Finds a movement's transfer by its amount, and its reference or the account that it went to. An amount alone says
   * nothing for sure, and neither do two transfers that are alike, or one that something holds. A transfer that is
   * found is no candidate for the next movement.
   * @param isDoubtful the movement may be one that is on file: only a reference says that it is another
   */
  match(movement: Movement, isDoubtful = false): Matched {
    const { amountCents, fecha } = movement;
    const isReturn = amountCents > 0;
    const cents = Math.abs(amountCents);
    const isCandidate = (one: AskedTransfer) =>
      isReturn
        ? (one.state === 'paid' || one.state === 'told') && one.paidOn !== null && one.paidOn <= fecha
        : isAwaited(one) && one.sentOn <= fecha;
    const numbers = numbersOf(movement);
    const named = new Set(
      [...numbers].flatMap((digits) => this.#named.get(`${cents} ${digits}`)?.filter(isCandidate) ?? []),
    );
    const [transfer, other] = named;
    if (transfer && !other && transfer.state !== 'held' && !this.#isOfAnother(transfer, numbers)) {
      if (!isDoubtful || numbers.has(transfer.referencia)) {
        if (isAwaited(transfer)) this.#count(transfer, -1);
        transfer.state = isReturn ? 'gone' : 'told';
        transfer.paidOn = fecha;
        return { outcome: isReturn ? 'devuelto' : 'pagado', transfer };
      }
    }
    // Money that comes in is mostly somebody else's.
    const batchIds = transfer
      ? distinctIds([...named].map(({ batchId }) => batchId))
      : isReturn
        ? []
        : this.#awaitedOn(fecha, cents);
    return batchIds.length > 0 ? { outcome: 'ambiguo', batchIds } : { outcome: 'sin-partida' };
  }

  /** The movement names an account of another supplier, and none of this one's. */
  #isOfAnother({ supplierId }: AskedTransfer, numbers: ReadonlySet<string>): boolean {
    const named = [...numbers].flatMap((digits) => this.#holders.get(digits) ?? []);
    return named.length > 0 && !named.some((suppliers) => suppliers.has(supplierId));
  }

  #awaitedOn(day: PlainDate, cents: Cents): number[] {
    const batches = [...(this.#awaited.get(cents) ?? [])];
    return batches.flatMap(([batchId, { sentOn, count }]) => (sentOn <= day && count > 0 ? batchId : []));
  }

  #count({ amountCents, batchId, sentOn }: AskedTransfer, more: number): void {
    const batches = this.#awaited.get(amountCents) ?? new Map();
    const { count = 0 } = batches.get(batchId) ?? {};
    this.#awaited.set(amountCents, batches.set(batchId, { sentOn, count: count + more }));
  }
}

const isAwaited = ({ state }: AskedTransfer): boolean =>
  state === 'open' || state === 'held' || state === 'paid';

/** A reference counts as a number by itself; an account as its CLABE, or its own number. */
export const namesOf = ({ referencia, formerReference, clabe }: Names): Set<string> =>
  plainDigits([
    referencia,
    ...(formerReference && !MAY_BE_A_DAY.test(formerReference) ? [formerReference] : []),
    ...(clabe ? accountNames(clabe) : []),
  ]);

export const accountNames = (clabe: string): Set<string> => plainDigits([clabe, accountNumberOf(clabe)]);

/** A year, with or without day and month before it or month and day after it, or a day with a year of two digits. */
const MAY_BE_A_DAY = /^(\d{0,4}20\d\d|20\d{4,6}|\d{1,2}(0[1-9]|1[0-2])[23]\d|[23]\d(0[1-9]|1[0-2])\d\d)$/;

export type Said = Pick<Movement, 'referencia' | 'descripcion'>;

/** The numbers that a movement says, without leading zeros; days, times and amounts are none. */
export const numbersOf = ({ referencia, descripcion }: Said): Set<string> =>
  plainDigits(`${referencia} ${descripcion}`.replace(NO_NUMBER, ' ').match(/\d+/g) ?? []);

const NO_NUMBER =
  /(?<!\d)(?:\d{1,4}([/.-])\d{1,2}\1\d{2,4}|\d{1,2}(?::\d{2}){1,2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{1,2})(?!\d)/g;

const plainDigits = (texts: readonly string[]): Set<string> =>
  new Set(texts.map((digits) => digits.replace(/^0+/, '')).filter(Boolean));
