import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';
import { append } from '../stored-rows.ts';

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

type Names = Pick<AskedTransfer, 'referencia' | 'formerReference' | 'clabe'>;

export interface Matched {
  outcome: MovementOutcome;
  transfer?: AskedTransfer;
}

/** Finds transfers by what a movement may name them by, so that each movement looks at few of them. */
export class TransferMatcher {
  readonly #named = new Map<string, AskedTransfer[]>();
  /** how many of an amount no movement has told of yet, by the day on which they were sent */
  readonly #awaited = new Map<Cents, Map<PlainDate, number>>();
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
    if (transfer || (!isReturn && this.#isAwaitedOn(fecha, cents))) return { outcome: 'ambiguo' };
    return { outcome: 'sin-partida' };
  }

  /** The movement names an account of another supplier, and none of this one's. */
  #isOfAnother({ supplierId }: AskedTransfer, numbers: ReadonlySet<string>): boolean {
    const named = [...numbers].flatMap((digits) => this.#holders.get(digits) ?? []);
    return named.length > 0 && !named.some((suppliers) => suppliers.has(supplierId));
  }

  #isAwaitedOn(day: PlainDate, cents: Cents): boolean {
    return [...(this.#awaited.get(cents) ?? [])].some(([sentOn, count]) => sentOn <= day && count > 0);
  }

  #count({ amountCents, sentOn }: AskedTransfer, more: number): void {
    const days = this.#awaited.get(amountCents) ?? new Map<PlainDate, number>();
    this.#awaited.set(amountCents, days.set(sentOn, (days.get(sentOn) ?? 0) + more));
  }
}

const isAwaited = ({ state }: AskedTransfer): boolean =>
  state === 'open' || state === 'held' || state === 'paid';

/** A reference counts as a number by itself; an account as its CLABE, or its own number. */
const namesOf = ({ referencia, formerReference, clabe }: Names): Set<string> =>
  plainDigits([
    referencia,
    ...(formerReference && !MAY_BE_A_DAY.test(formerReference) ? [formerReference] : []),
    ...(clabe ? accountNames(clabe) : []),
  ]);

export const accountNames = (clabe: string): Set<string> => plainDigits([clabe, accountNumberOf(clabe)]);

/** A year, with or without day and month before it or month and day after it, or a day with a year of two digits. */
const MAY_BE_A_DAY = /^(\d{0,4}20\d\d|20\d{4,6}|\d{1,2}(0[1-9]|1[0-2])[23]\d|[23]\d(0[1-9]|1[0-2])\d\d)$/;

/** The numbers that a movement says, without leading zeros; days, times and amounts are none. */
const numbersOf = ({ referencia, descripcion }: Pick<Movement, 'referencia' | 'descripcion'>): Set<string> =>
  plainDigits(`${referencia} ${descripcion}`.replace(NO_NUMBER, ' ').match(/\d+/g) ?? []);

const NO_NUMBER =
  /(?<!\d)(?:\d{1,4}([/.-])\d{1,2}\1\d{2,4}|\d{1,2}(?::\d{2}){1,2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{1,2})(?!\d)/g;

const plainDigits = (texts: readonly string[]): Set<string> =>
  new Set(texts.map((digits) => digits.replace(/^0+/, '')).filter(Boolean));

export interface StoredMovement extends Omit<Movement, 'line'> {
  id: number;
  identity: string;
  outcome: MovementOutcome;
  /** what it paid, or took back */
  transfer?: Names;
}

interface Identified {
  movement: Movement;
  identity: string;
}

/**
 * Finds the movements of a file that are on file already: by all that they say, or, where another download of the bank
 * says it in other words, by day, amount and the digits of reference or text. Each on file is one of the file.
 * @returns those that share only some digits with one on file as doubtful
 */
export function recognize<One extends Identified>(
  movements: readonly One[],
  stored: readonly StoredMovement[],
): (One & { stored: StoredMovement | undefined; isDoubtful: boolean })[] {
  const found = new Map<One, StoredMovement>();
  const taken = new Set<StoredMovement>();
  const doubtful = new Set<One>();
  const take = (one: One, other: StoredMovement) => {
    found.set(one, other);
    taken.add(other);
  };
  const exact = new Map(stored.map((one) => [one.identity, one]));
  for (const one of movements) {
    const same = exact.get(one.identity);
    if (same) take(one, same);
  }
  const rest = new Map<string, { other: StoredMovement; own: Set<string>; reference: Set<string> }[]>();
  for (const other of stored) {
    if (taken.has(other)) continue;
    const own = new Set([...numbersOf(other), ...(other.transfer ? namesOf(other.transfer) : [])]);
    const known = { other, own, reference: numbersOf({ ...other, descripcion: '' }) };
    for (const digits of own) append(rest, keyOf(other, digits), known);
  }
  const open = movements.filter((one) => !found.has(one));
  // What says most goes first.
  const ways = [
    (isByReference: boolean, isByAll: boolean) => isByReference && isByAll,
    (isByReference: boolean) => isByReference,
    (_: boolean, isByAll: boolean) => isByAll,
  ];
  for (const isSame of ways)
    for (const one of open) {
      if (found.has(one)) continue;
      const { movement } = one;
      const numbers = numbersOf(movement);
      const references = numbersOf({ ...movement, descripcion: '' });
      const alike = [...numbers].flatMap((digits) =>
        (rest.get(keyOf(movement, digits)) ?? []).filter(({ other }) => !taken.has(other)),
      );
      const same = alike.find(({ own, reference }) =>
        isSame(
          [...references].some((digits) => own.has(digits)) ||
            [...reference].some((digits) => numbers.has(digits)),
          isWithin(numbers, own) || isWithin(own, numbers),
        ),
      );
      if (same) take(one, same.other);
      else if (alike.length > 0) doubtful.add(one);
    }
  return movements.map((one) => ({
    ...one,
    stored: found.get(one),
    isDoubtful: doubtful.has(one) && !found.has(one),
  }));
}

const keyOf = ({ fecha, amountCents }: Omit<Movement, 'line'>, digits: string) =>
  `${fecha} ${amountCents} ${digits}`;

const isWithin = (some: ReadonlySet<string>, all: ReadonlySet<string>): boolean =>
  [...some].every((one) => all.has(one));
