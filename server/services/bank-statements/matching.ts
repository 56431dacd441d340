import type { MatchOutcome } from '../../../shared/bank-statements.ts';
import { accountNumberOf } from '../../../shared/banks.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import type { Cents } from '../../../shared/money.ts';
import type { BankStatementMovement } from '../../formats/bank-statements/movements.ts';
import { appendToMapEntry, distinctIds } from '../stored-rows.ts';

export interface ExpectedTransfer {
  batchId: number;
  supplierId: number;
  /** Undefined where the account is no longer known. */
  clabe: string | undefined;
  amountCents: Cents;
  referencia: string;
  /** The reference in a file that was sent while references were still small numbers. */
  legacyReference?: string;
  invoiceIds: readonly number[];
  /** The first day on which a movement can pay the transfer. */
  sentOn: PlainDate;
  /** The first day on which a movement can return the transfer; null if it is not paid. */
  paidOn: PlainDate | null;
  /**
   * open: not paid yet;
   * held: not paid, because one of its lines is held by a mandatory check, owed in another currency or paid already; or
   * paid from another account;
   * paid: payments exist, but no movement confirms them;
   * confirmed: a movement confirms the payments;
   * returned: the bank sent the money back.
   */
  state: 'open' | 'held' | 'paid' | 'confirmed' | 'returned';
}

export type TransferIdentifiers = Pick<ExpectedTransfer, 'referencia' | 'legacyReference' | 'clabe'>;

export interface MatchResult {
  outcome: MatchOutcome;
  transfer?: ExpectedTransfer;
  /** ids of the batches that an ambiguous movement may belong to */
  batchIds?: readonly number[];
}

export class TransferMatcher {
  readonly #byIdentifier = new Map<string, ExpectedTransfer[]>();
  /** How many transfers no movement has confirmed yet, by amount and batch. */
  readonly #awaited = new Map<Cents, Map<number, { sentOn: PlainDate; count: number }>>();
  readonly #accountHolders: ReadonlyMap<string, ReadonlySet<number>>;

  /** @param accountHolders the suppliers of each stored account, by account number without leading zeros */
  constructor(
    transfers: readonly ExpectedTransfer[],
    accountHolders: ReadonlyMap<string, ReadonlySet<number>> = new Map(),
  ) {
    this.#accountHolders = accountHolders;
    for (const transfer of transfers) {
      if (isAwaitingMovement(transfer)) this.#changeAwaitedCount(transfer, 1);
      for (const digits of identifiersOf(transfer))
        appendToMapEntry(this.#byIdentifier, `${transfer.amountCents} ${digits}`, transfer);
    }
  }

  /**
   * Finds a movement's transfer by its amount and its reference or account. An amount alone is not enough. Two matching
   * transfers, or one that is held, are ambiguous. A transfer that was found is no candidate for later movements.
   * @param isDoubtful the movement may be stored already; then it matches only a transfer whose reference it states
   */
  match(movement: BankStatementMovement, isDoubtful = false): MatchResult {
    const { amountCents, fecha } = movement;
    const isReturn = amountCents > 0;
    const cents = Math.abs(amountCents);
    const fitsStateAndDay = (one: ExpectedTransfer) =>
      isReturn
        ? (one.state === 'paid' || one.state === 'confirmed') && one.paidOn !== null && one.paidOn <= fecha
        : isAwaitingMovement(one) && one.sentOn <= fecha;
    const numbers = extractNumbers(movement);
    const identified = new Set(
      [...numbers].flatMap(
        (digits) => this.#byIdentifier.get(`${cents} ${digits}`)?.filter(fitsStateAndDay) ?? [],
      ),
    );
    const [transfer, other] = identified;
    if (transfer && !other && transfer.state !== 'held' && !this.#namesOtherSupplier(transfer, numbers)) {
      if (!isDoubtful || numbers.has(transfer.referencia)) {
        if (isAwaitingMovement(transfer)) this.#changeAwaitedCount(transfer, -1);
        transfer.state = isReturn ? 'returned' : 'confirmed';
        transfer.paidOn = fecha;
        return { outcome: isReturn ? 'devuelto' : 'pagado', transfer };
      }
    }
    // Most incoming money is no return, so an equal amount alone does not make a movement ambiguous.
    const batchIds = transfer
      ? distinctIds([...identified].map(({ batchId }) => batchId))
      : isReturn
        ? []
        : this.#findAwaitingBatches(fecha, cents);
    return batchIds.length > 0 ? { outcome: 'ambiguo', batchIds } : { outcome: 'sin-partida' };
  }

  #namesOtherSupplier({ supplierId }: ExpectedTransfer, numbers: ReadonlySet<string>): boolean {
    const holders = [...numbers].flatMap((digits) => this.#accountHolders.get(digits) ?? []);
    return holders.length > 0 && !holders.some((suppliers) => suppliers.has(supplierId));
  }

  #findAwaitingBatches(day: PlainDate, cents: Cents): number[] {
    const batches = [...(this.#awaited.get(cents) ?? [])];
    return batches.flatMap(([batchId, { sentOn, count }]) => (sentOn <= day && count > 0 ? batchId : []));
  }

  #changeAwaitedCount({ amountCents, batchId, sentOn }: ExpectedTransfer, change: number): void {
    const batches = this.#awaited.get(amountCents) ?? new Map();
    const { count = 0 } = batches.get(batchId) ?? {};
    this.#awaited.set(amountCents, batches.set(batchId, { sentOn, count: count + change }));
  }
}

const isAwaitingMovement = ({ state }: ExpectedTransfer): boolean =>
  state === 'open' || state === 'held' || state === 'paid';

export const identifiersOf = ({ referencia, legacyReference, clabe }: TransferIdentifiers): Set<string> =>
  withoutLeadingZeros([
    referencia,
    ...(legacyReference && !DATE_LIKE_PATTERN.test(legacyReference) ? [legacyReference] : []),
    ...(clabe ? listAccountIdentifiers(clabe) : []),
  ]);

export const listAccountIdentifiers = (clabe: string): Set<string> =>
  withoutLeadingZeros([clabe, accountNumberOf(clabe)]);

/** Matches a year, either alone or together with a day and a month, and also a day whose year has two digits. */
const DATE_LIKE_PATTERN =
  /^(\d{0,4}20\d\d|20\d{4,6}|\d{1,2}(0[1-9]|1[0-2])[23]\d|[23]\d(0[1-9]|1[0-2])\d\d)$/;

export type MovementTexts = Pick<BankStatementMovement, 'referencia' | 'descripcion'>;

export const extractNumbers = ({ referencia, descripcion }: MovementTexts): Set<string> =>
  withoutLeadingZeros(
    `${referencia} ${descripcion}`.replace(DATE_TIME_AMOUNT_PATTERN, ' ').match(/\d+/g) ?? [],
  );

const DATE_TIME_AMOUNT_PATTERN =
  /(?<!\d)(?:\d{1,4}([/.-])\d{1,2}\1\d{2,4}|\d{1,2}(?::\d{2}){1,2}|\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+\.\d{1,2})(?!\d)/g;

const withoutLeadingZeros = (texts: readonly string[]): Set<string> =>
  new Set(texts.map((digits) => digits.replace(/^0+/, '')).filter(Boolean));
