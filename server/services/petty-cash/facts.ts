import { sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Trx } from '../../../db/schema.ts';
import { type Cents, parseMoney } from '../../../shared/money.ts';
import type { Movement } from '../../../shared/petty-cash.ts';
import { fold, isUuid, numberKey } from '../../../shared/text.ts';
import type { Actor } from '../audit/audit.ts';
import { BudgetBook } from '../budgets/budget-book.ts';
import { type ClosingDate, lockAndReadClosing } from '../closing/closing.ts';
import { lockRelations, Replacements } from '../document-relations.ts';
import { readSettings } from '../settings/settings.ts';
import { byId, distinctIds, readIds } from '../stored-rows.ts';
import { type HeldFund, holdFunds } from './cash.ts';
import { complete, type Draft, type MovementInput } from './draft.ts';
import { readMovements } from './reading.ts';
import { invoicesWithUuids, type UuidOwner, uuidsOfPettyCash } from './uuids.ts';

export interface MovementOptions {
  /** a user with the right has authorised it, or it comes from a count */
  isAuthorized?: boolean;
  /** rows of a file: one that equals a movement on file is not stored again, unless duplicates are allowed */
  ofTable?: { allowDuplicates: boolean };
  pause?: () => Promise<void>;
}

/** The facts that the rules ask about, read for all drafts at once. */
export interface MovementFacts {
  actor: Actor;
  options: MovementOptions;
  closing: ClosingDate;
  funds: ReadonlyMap<number, HeldFund>;
  /** for a table: funds that had movements before it */
  moved: ReadonlySet<number>;
  jobs: ReadonlySet<number>;
  rubros: ReadonlySet<number>;
  /** by the UUID of their CFDI */
  expenses: ReadonlyMap<string, UuidOwner>;
  invoices: Awaited<ReturnType<typeof invoicesWithUuids>>;
  replacements: Replacements;
  /** whether money that goes into a fund takes a second person */
  needsAnother: boolean;
  /** null: no cap on one expense */
  capCents: Cents | null;
  /** absent where no obra of theirs has a budget */
  budgets?: BudgetBook;
  /** movements that were paid for a request */
  authorized: ReadonlySet<number>;
  /** for movements that come back: ids that are taken */
  present: ReadonlySet<number>;
  known: KnownMovements;
}

/** Funds are locked first, as everywhere; the number of statements does not grow with the drafts. */
export async function readFacts(
  trx: Trx,
  actor: Actor,
  inputs: readonly MovementInput[],
  options: MovementOptions,
): Promise<{ facts: MovementFacts; drafts: Draft[] }> {
  const changed = distinctIds(inputs.map(({ id }) => id));
  const readPrevious = () => (changed.length > 0 ? readMovements(trx, isOneOf(trx, 'm.id', changed)) : []);
  const ofFunds = [...inputs.map(({ fundId, deleted }) => fundId ?? deleted?.fundId)];
  for (const { fundId } of await readPrevious()) ofFunds.push(fundId);
  const funds = byId(await holdFunds(trx, 'id', distinctIds(ofFunds)));
  // Read again now that the funds are locked.
  const previousById = byId(await readPrevious());
  const closing = await lockAndReadClosing(trx);
  const settings = await readSettings(trx);
  const term = Number(settings['caja.plazo']);
  const drafts: Draft[] = [];
  for (const input of inputs) {
    drafts.push(complete(input, { actor, previousById, funds, term }));
    if (drafts.length % DRAFTS_BETWEEN_PAUSES === 0) await options.pause?.();
  }
  const isNew = ({ uuid, previous }: Draft) => uuid !== null && uuid !== previous?.uuid;
  // PostgreSQL cannot search for text that it cannot store; the rules refuse such a UUID.
  const uuids = drafts.flatMap((one) => (isNew(one) && isUuid(one.uuid!) ? one.uuid! : []));
  if (uuids.length > 0) await lockRelations(trx);
  const replacements = await Replacements.read(trx, uuids);
  const owned = [...uuids, ...uuids.flatMap((uuid) => replacements.predecessorsOf({ uuid, rfc: undefined }))];
  const coming = drafts.flatMap(({ id, deleted }) => (deleted ? id! : []));
  const jobIds = distinctIds(drafts.map(({ jobId }) => jobId));
  const cap = settings['caja.tope'];
  return {
    drafts,
    facts: {
      actor,
      options,
      closing,
      funds,
      moved: await readIds(trx, 'petty_cash_movements', options.ofTable ? [...funds.keys()] : [], 'fundId'),
      jobs: await readIds(trx, 'jobs', jobIds),
      rubros: await readIds(trx, 'rubros', distinctIds(drafts.map(({ rubroId }) => rubroId))),
      expenses: await uuidsOfPettyCash(trx, owned),
      invoices: await invoicesWithUuids(trx, owned),
      replacements,
      needsAnother: settings.autorizacion === 'otra',
      capCents: cap === '' ? null : parseMoney(cap, 'caja.tope'),
      budgets: await BudgetBook.load(trx, jobIds),
      authorized: await readIds(trx, 'petty_cash_replenishments', changed, 'ownMovementId'),
      present: await readIds(trx, 'petty_cash_movements', coming),
      known: await readKnown(trx, options.ofTable ? drafts : []),
    },
  };
}

const DRAFTS_BETWEEN_PAUSES = 1000;

type MovementKey = Pick<
  Movement,
  'fundId' | 'tipo' | 'fecha' | 'importeCents' | 'jobId' | 'rubroId' | 'concepto' | 'beneficiario' | 'folio'
>;

class KnownMovements {
  readonly #counts = new Map<string, number>();
  readonly #alike = new Map<string, string>();
  readonly #lines = new Map<string, number>();

  add(movement: MovementKey): void {
    const key = keyOf(movement);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    this.#alike.set(amountKeyOf(movement), movement.concepto);
  }

  /** Each movement on file accounts for one equal row. */
  takeOne(row: MovementKey): boolean {
    const key = keyOf(row);
    const left = this.#counts.get(key) ?? 0;
    if (left > 0) this.#counts.set(key, left - 1);
    return left > 0;
  }

  /** The line of an earlier equal row, where the file's own key does not tell the two apart. */
  lineOf(row: Draft): number | undefined {
    const key = row.uuid ?? `${row.clave} ${keyOf(row)}`;
    const first = this.#lines.get(key);
    if (first === undefined) this.#lines.set(key, row.line!);
    return first;
  }

  /** The concept of another movement of the same day and amount. */
  alike = (row: MovementKey): string | undefined => this.#alike.get(amountKeyOf(row));
}

const amountKeyOf = ({ fundId, tipo, fecha, importeCents }: MovementKey) =>
  [fundId, tipo, fecha, importeCents].join();

const keyOf = (movement: MovementKey): string => {
  const { jobId, rubroId, concepto, beneficiario, folio } = movement;
  const words = [fold(concepto), fold(beneficiario), numberKey(folio)];
  return JSON.stringify([amountKeyOf(movement), jobId, rubroId, words]);
};

async function readKnown(trx: Trx, rows: readonly Draft[]): Promise<KnownMovements> {
  const known = new KnownMovements();
  const days = rows.flatMap(({ fecha }) => fecha || []).sort();
  if (days.length === 0) return known;
  const { rows: stored } =
    await sql<MovementKey>`select "fundId", tipo, fecha, "importeCents", "jobId", "rubroId",
      concepto, beneficiario, folio
    from petty_cash_movements
    where ${isOneOf(trx, 'fundId', distinctIds(rows.map(({ fundId }) => fundId)))}
      and fecha between ${days[0]} and ${days.at(-1)} order by fecha, id`.execute(trx);
  for (const movement of stored) known.add(movement);
  return known;
}
