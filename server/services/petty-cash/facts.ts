import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { type Cents, parseMoney } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { documentNumberKey, fold, isUuid } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { type MatchedMovement, readMatchesOfCashMovements } from '../bank-matches.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type LastClosedDay, lockAndReadClosing } from '../closing/closing.ts';
import { Replacements } from '../document-relations.ts';
import { readSettings } from '../settings/settings.ts';
import { distinctIds, mapById, readExistingIds } from '../stored-rows.ts';
import { completeDraft, type MovementDraft, type MovementInput } from './draft.ts';
import { type LockedFund, lockFunds } from './fund-cash.ts';
import { readMovements } from './reading.ts';
import { readUuidFacts, type UuidFacts } from './voucher-uuids.ts';

export interface MovementOptions {
  /** a user with the right has authorised it, or it comes from a count */
  isAuthorized?: boolean;
  /** for the rows of a file: a row that equals a stored movement is skipped, unless duplicates are allowed */
  tableImport?: { allowDuplicates: boolean };
  pause?: () => Promise<void>;
}

export interface MovementFacts extends UuidFacts {
  actor: Actor;
  options: MovementOptions;
  closing: LastClosedDay;
  funds: ReadonlyMap<number, LockedFund>;
  /** for the rows of a file: the funds that had movements before this import; otherwise empty */
  fundsWithMovements: ReadonlySet<number>;
  jobIds: ReadonlySet<number>;
  rubroIds: ReadonlySet<number>;
  needsSecondPerson: boolean;
  /** the limit of one expense; null: there is none */
  maxExpenseCents: Cents | null;
  /** absent where no obra of the drafts has a budget */
  budgets?: BudgetBook;
  /** ids of the movements that paid a request */
  authorizedIds: ReadonlySet<number>;
  /** the bank movements that are matched with changed movements, by the id of the changed movement */
  bankMovementsById: ReadonlyMap<number, MatchedMovement>;
  existingIds: ReadonlySet<number>;
  movementIndex: MovementIndex;
}

/** Locks the funds first, as everywhere, and runs a fixed number of queries for any number of drafts. */
export async function readDraftsAndFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly MovementInput[],
  options: MovementOptions,
): Promise<{ facts: MovementFacts; drafts: MovementDraft[] }> {
  const changed = distinctIds(inputs.map(({ id }) => id));
  const readPrevious = () => (changed.length > 0 ? readMovements(trx, isOneOf(trx, 'm.id', changed)) : []);
  const fundIds = [...inputs.map(({ fundId, deleted }) => fundId ?? deleted?.fundId)];
  for (const { fundId } of await readPrevious()) fundIds.push(fundId);
  const funds = mapById(await lockFunds(trx, 'id', distinctIds(fundIds)));
  // Read again now that the funds are locked.
  const previousById = mapById(await readPrevious());
  const closing = await lockAndReadClosing(trx);
  const settings = await readSettings(trx);
  const receiptDays = Number(settings['caja.plazo']);
  const drafts: MovementDraft[] = [];
  for (const input of inputs) {
    drafts.push(completeDraft(input, { actor, previousById, funds, receiptDays }));
    if (drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await options.pause?.();
  }
  const isNew = ({ uuid, previous }: MovementDraft) => uuid !== null && uuid !== previous?.uuid;
  // PostgreSQL cannot search for text that it cannot store; the rules refuse such a UUID.
  const uuids = drafts.flatMap((one) => (isNew(one) && isUuid(one.uuid!) ? one.uuid! : []));
  const replacements = await Replacements.lockAndRead(trx, uuids);
  const restoredIds = drafts.flatMap(({ id, deleted }) => (deleted ? id! : []));
  const jobIds = distinctIds(drafts.map(({ jobId }) => jobId));
  const cap = settings['caja.tope'];
  return {
    drafts,
    facts: {
      actor,
      options,
      closing,
      funds,
      fundsWithMovements: await readExistingIds(
        trx,
        'petty_cash_movements',
        options.tableImport ? [...funds.keys()] : [],
        'fundId',
      ),
      jobIds: await readExistingIds(trx, 'jobs', jobIds),
      rubroIds: await readExistingIds(trx, 'rubros', distinctIds(drafts.map(({ rubroId }) => rubroId))),
      ...(await readUuidFacts(trx, uuids, replacements)),
      needsSecondPerson: settings.autorizacion === 'otra',
      maxExpenseCents: cap === '' ? null : parseMoney(cap, 'caja.tope'),
      budgets: await BudgetBook.readAndLock(trx, jobIds),
      authorizedIds: await readExistingIds(trx, 'petty_cash_replenishments', changed, 'ownMovementId'),
      bankMovementsById: changed.length > 0 ? await readMatchesOfCashMovements(trx, changed) : new Map(),
      existingIds: await readExistingIds(trx, 'petty_cash_movements', restoredIds),
      movementIndex: await readMovementIndex(trx, options.tableImport ? drafts : []),
    },
  };
}

const DRAFTS_BETWEEN_PAUSES = 1000;

type MovementKey = Pick<
  Movement,
  'fundId' | 'tipo' | 'fecha' | 'importeCents' | 'jobId' | 'rubroId' | 'concepto' | 'beneficiario' | 'folio'
>;

class MovementIndex {
  readonly #counts = new Map<string, number>();
  readonly #similar = new Map<string, string>();
  readonly #lines = new Map<string, number>();

  add(movement: MovementKey): void {
    const key = movementKey(movement);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#similar.set(similarMovementKey(movement), movement.concepto);
  }

  consumeEqualMovement(row: MovementKey): boolean {
    const key = movementKey(row);
    const remaining = this.#counts.get(key) ?? 0;
    if (remaining > 0) this.#counts.set(key, remaining - 1);
    return remaining > 0;
  }

  /** Rows with different `clave` are not equal. */
  findOrRecordLine(row: MovementDraft): number | undefined {
    const key = row.uuid ?? `${row.clave} ${movementKey(row)}`;
    const first = this.#lines.get(key);
    if (first === undefined) this.#lines.set(key, row.line!);
    return first;
  }

  /** Returns the concept of another movement of the same day and amount. */
  findSimilar = (row: MovementKey): string | undefined => this.#similar.get(similarMovementKey(row));
}

const similarMovementKey = ({ fundId, tipo, fecha, importeCents }: MovementKey) =>
  [fundId, tipo, fecha, importeCents].join();

const movementKey = (movement: MovementKey): string => {
  const { jobId, rubroId, concepto, beneficiario, folio } = movement;
  const words = [fold(concepto), fold(beneficiario), documentNumberKey(folio)];
  return JSON.stringify([similarMovementKey(movement), jobId, rubroId, words]);
};

async function readMovementIndex(trx: Trx, rows: readonly MovementDraft[]): Promise<MovementIndex> {
  const movementIndex = new MovementIndex();
  const days = rows.flatMap(({ fecha }) => fecha || []).sort();
  if (days.length === 0) return movementIndex;
  const { rows: stored } =
    await sql<MovementKey>`select "fundId", tipo, fecha, "importeCents", "jobId", "rubroId",
      concepto, beneficiario, folio
    from petty_cash_movements
    where ${isOneOf(trx, 'fundId', distinctIds(rows.map(({ fundId }) => fundId)))}
      and fecha between ${days[0]} and ${days.at(-1)} order by fecha, id`.execute(trx);
  for (const movement of stored) movementIndex.add(movement);
  return movementIndex;
}
