import type { MovementOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement } from '../../formats/bank-statements/movements.ts';
import { append, distinctIds } from '../stored-rows.ts';

export interface AskedTransfer {
  batchId: number;
  supplierId: number;
  /** Undefined where the account is no longer known. */
  clabe: string | undefined;
  amountCents: Cents;
  referencia: string;
  /** The reference in a file that was sent while references were still small numbers. */
  formerReference?: string;
  invoiceIds: readonly number[];
  /** No earlier movement can pay it. */
  sentOn: PlainDate;
  /** No earlier movement can return it; null where it is not paid. */
  paidOn: PlainDate | null;
  /**
   * open: not paid yet; held: not paid, and a check that cannot be waived holds one of its lines; paid: payments exist,
   * but no movement confirms them; confirmed: a movement does; returned: the bank sent it back.
   */
  state: 'open' | 'held' | 'paid' | 'told' | 'gone';
}

export type Names = Pick<AskedTransfer, 'referencia' | 'formerReference' | 'clabe'>;

export interface Matched {
  outcome: MovementOutcome;
  transfer?: AskedTransfer;
  /** Batches that an ambiguous movement may belong to, in their order. */
  batchIds?: readonly number[];
}

/**
 * Matches movements with transfers. Transfers are indexed by their identifiers, so that each movement is compared with
 * few of them.
 */
export class TransferMatcher {
  readonly #named = new Map<string, AskedTransfer[]>();
  /** Numbers of transfers that no movement has confirmed yet, by amount and batch. */
  readonly #awaited = new Map<Cents, Map<number, { sentOn: PlainDate; count: number }>>();
  readonly #holders: ReadonlyMap<string, ReadonlySet<number>>;

  /** @param accountHolders the suppliers of each account on file, by its number without leading zeros */
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
   * Finds a movement's transfer by its amount and its reference or account. An amount alone is not enough; two matching
   * transfers, or one that is held, are ambiguous. A transfer that is found is no candidate for later movements.
   * @param isDoubtful the movement may be on file already: then only the reference proves that it is another
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
    // Most incoming money is no return, so that the amount alone does not make it ambiguous.
    const batchIds = transfer
      ? distinctIds([...named].map(({ batchId }) => batchId))
      : isReturn
        ? []
        : this.#awaitedOn(fecha, cents);
    return batchIds.length > 0 ? { outcome: 'ambiguo', batchIds } : { outcome: 'sin-partida' };
  }

  /** Whether the movement names an account of another supplier, and none of this one. */
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

/** The numbers by which movements name a transfer: its reference, its CLABE, or the account number within that. */
export const namesOf = ({ referencia, formerReference, clabe }: Names): Set<string> =>
  plainDigits([
    referencia,
    ...(formerReference && !MAY_BE_A_DAY.test(formerReference) ? [formerReference] : []),
    ...(clabe ? accountNames(clabe) : []),
  ]);

export const accountNames = (clabe: string): Set<string> => plainDigits([clabe, accountNumberOf(clabe)]);

/** Matches a year alone or with a day and month, and days with a year of two digits. */
const MAY_BE_A_DAY = /^(\d{0,4}20\d\d|20\d{4,6}|\d{1,2}(0[1-9]|1[0-2])[23]\d|[23]\d(0[1-9]|1[0-2])\d\d)$/;

export type Said = Pick<Movement, 'referencia' | 'descripcion'>;

/** Extracts the numbers in a movement's texts, without leading zeros. Dates, times and amounts are left out. */
export const numbersOf = ({ referencia, descripcion }: Said): Set<string> =>
  plainDigits(`${referencia} ${descripcion}`.replace(NO_NUMBER, ' ').match(/\d+/g) ?? []);

const NO_NUMBER =
  /(?<!\d)(?:\d{1,4}([/.-])\d{1,2}\1\d{2,4}|\d{1,2}(?::\d{2}){1,2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{1,2})(?!\d)/g;

const plainDigits = (texts: readonly string[]): Set<string> =>
  new Set(texts.map((digits) => digits.replace(/^0+/, '')).filter(Boolean));
