import { sql } from 'kysely';
import { isViolation } from '../../../db/errors.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import type { FundFieldValues, FundRow, PettyCashFund } from '../../../shared/petty-cash.ts';
import { type CashCount, checkPieces } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireOpenPeriod } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import {
  type BulkOptions,
  type ImportIdAndProgress,
  insertNewRows,
  requireOneWritten,
  type StoredDraft,
  type UnreadableInput,
  type WriteOutcome,
  writeDrafts,
} from '../write-drafts.ts';
import { countCashAndPostDifference, type FinalCashCountInput } from './counting.ts';
import { readCash } from './fund-cash.ts';
import {
  type CompletedFund,
  type FundColumns,
  type FundInput,
  fundRules,
  hasDifferentColumns,
  readFundDraftsAndFacts,
  STORED_FUND_COLUMNS,
  takenByFundRefusal,
} from './fund-rules.ts';
import { createMovement } from './movements.ts';
import { FUND_ENTITY, getFund, getFundRow, lockAndReadFund } from './reading.ts';
import {
  createRequest,
  listReplenishments,
  needsSecondPerson,
  requireFundingSourceOfFund,
} from './requests.ts';
import { updateAndAuditFund, writeAuthorizedMovement } from './write.ts';

/** Requests the opening amount, or pays it where one person is enough. @throws DomainError of the broken rule */
export const createFund = async (
  db: Db,
  actor: Actor,
  draft: FundFieldValues,
  aperturaCents?: Cents,
): Promise<PettyCashFund> =>
  requireOneWritten(await writeFunds(db, actor, [{ ...draft, aperturaCents }])).row;

/**
 * Raising the fixed amount requests the difference; the new amount applies once that money is in the fund.
 * @throws DomainError not-found, stale (with the stored fund), conflict fund_closed; of the broken rule
 */
export const updateFund = async (
  db: Db,
  actor: Actor,
  id: number,
  draft: FundFieldValues,
  version?: number,
): Promise<PettyCashFund> => requireOneWritten(await writeFunds(db, actor, [{ ...draft, id, version }])).row;

/**
 * With a count, the cash that was counted goes back to the fund's source on the day `fecha`; without one, the fund must
 * be empty.
 * @throws DomainError forbidden, not-found, stale, invalid (of the count, no source), conflict (fund_not_settled,
 * fund_closed, fund_moved, same_author, closed_period)
 */
export async function closeFund(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
  finalCount?: FinalCashCountInput & { fecha?: PlainDate | null },
): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadFund(trx, id, version);
    const { nombre } = before;
    const cash = finalCount ? 0 : await readCash(trx, before);
    const unsettled = listClosingObstacles(await getFundRow(trx, id, actor.today), finalCount !== undefined);
    if (cash !== 0) unsettled.unshift(texts.stillInIt(cash));
    if (unsettled.length > 0)
      throw new DomainError('conflict', texts.notSettled(nombre, unsettled), { code: 'fund_not_settled' });
    if (finalCount) {
      const { contadoCents: importeCents } = await countCashAndPostDifference(trx, actor, before, finalCount);
      const returned = {
        tipo: 'devolucion',
        fecha: finalCount.fecha,
        concepto: texts.closing,
        importeCents,
      } as const;
      if (importeCents > 0) requireFundingSourceOfFund(before);
      if (importeCents > 0) await createMovement(trx, actor, id, returned);
    }
    return updateAndAuditFund(trx, actor, before, { closedOn: actor.today });
  });
}

/** If the fund is closed by a count, expenses that nobody has asked to replenish are obstacles too. */
export function listClosingObstacles(fund: FundRow, isByCount: boolean): string[] {
  const { porComprobarCents, porAutorizarCents } = fund;
  const unrequestedCents = isByCount ? fund.porReponerCents - fund.solicitadoCents : 0;
  return [
    porComprobarCents > 0 && texts.stillAwaited(porComprobarCents),
    porAutorizarCents > 0 && texts.stillAsked(porAutorizarCents),
    unrequestedCents > 0 && texts.stillToReplenish(unrequestedCents),
  ].filter((one) => typeof one === 'string');
}

/**
 * The new holder takes the fund with the cash that is counted.
 * @throws DomainError forbidden, not-found, stale, invalid (of the count, of the new holder), conflict (fund_closed,
 * fund_moved, same_author, closed_period)
 */
export async function handOverFund(
  db: Db,
  actor: Actor,
  id: number,
  { responsableId, ...finalCount }: FinalCashCountInput & { responsableId?: number | null },
  version?: number,
): Promise<CashCount> {
  requireApprover(actor);
  if (!responsableId) throw toDomainError(createRefusal(texts.newHolder, 'responsableId'));
  throwIfRefused(checkPieces(finalCount.denominaciones ?? {}));
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadFund(trx, id, version);
    if (responsableId === before.responsableId)
      throwIfRefused(createRefusal(texts.alreadyHolds(before.responsable), 'responsableId'));
    await updateFund(trx, actor, id, { responsableId });
    return countCashAndPostDifference(trx, actor, before, finalCount, responsableId);
  });
}

/** @throws DomainError forbidden, not-found, stale, conflict (in_use where the fund has movements, closed_period) */
export async function deleteFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockAndReadFund(trx, id, version);
    const rowCountSubquery = (table: string) =>
      sql<number>`(select count(*) from ${sql.table(table)} where "fundId" = ${id})`;
    const { rows } = await sql<Record<'movements' | 'counts' | 'requests', number>>`
      select ${rowCountSubquery('petty_cash_movements')} as movements, ${rowCountSubquery('petty_cash_counts')} as counts,
        ${rowCountSubquery('petty_cash_replenishments')} as requests`.execute(trx);
    const { movements, counts, requests } = rows[0]!;
    const contents =
      (movements > 0 && (movements === 1 ? 'un movimiento' : `${movements} movimientos`)) ||
      (counts > 0 && 'arqueos') ||
      (requests > 0 && 'dinero pedido: retira antes la solicitud');
    if (contents)
      throw new DomainError(
        'conflict',
        `No se puede eliminar la caja chica «${before.nombre}»: tiene ${contents}.`,
        { code: 'in_use' },
      );
    await requireOpenPeriod(trx, actor, [before.openedOn]);
    await trx.deleteFrom('petty_cash_funds').where('id', '=', id).execute();
    queueAuditEntry(trx, actor, { action: 'delete', entity: FUND_ENTITY, entityId: id, before });
    return before;
  });
}

export const writeFunds = (
  db: Db,
  actor: Actor,
  inputs: readonly (FundInput | UnreadableInput)[],
  options: BulkOptions<CompletedFund> = {},
): Promise<WriteOutcome<CompletedFund, PettyCashFund>[]> =>
  writeDrafts(
    db,
    inputs,
    {
      read: (trx, read) => readFundDraftsAndFacts(trx, actor, read),
      rules: fundRules,
      warn: () => [],
      accept: (draft, { funds }) =>
        void (draft.statedNames && funds.push({ ...draft, ...draft.statedNames })),
      previous: ({ previous }) => previous,
      idOf: ({ previous }) => previous?.id,
      store: (trx, stored, _facts, bulk) => storeFunds(trx, actor, stored, bulk),
    },
    options,
  );

async function storeFunds(
  trx: Trx,
  actor: Actor,
  storedDrafts: readonly StoredDraft<CompletedFund, PettyCashFund>[],
  { importId }: ImportIdAndProgress<CompletedFund>,
): Promise<void> {
  const isImport = importId !== null;
  const stamp = { importId, createdAt: actor.at, updatedAt: actor.at };
  await insertNewRows(trx, 'petty_cash_funds', storedDrafts, (draft) => ({
    ...toFundColumns(draft),
    ...stamp,
  })).catch(isImport ? undefined : rethrowAsNameTaken);
  if (isImport) return;
  for (const one of storedDrafts) {
    const { id, draft } = one;
    one.row = draft.previous
      ? await storeFundChange(trx, actor, draft, draft.previous)
      : await payOrRequestOpening(trx, actor, id, draft);
  }
}

const toFundColumns = (draft: FundColumns) => {
  const columns = Object.fromEntries(
    STORED_FUND_COLUMNS.map((name) => [name, draft[name]]),
  ) as unknown as FundColumns;
  return { ...columns, nombreFold: fold(draft.nombre) };
};

async function payOrRequestOpening(
  trx: Trx,
  actor: Actor,
  id: number,
  draft: CompletedFund,
): Promise<PettyCashFund> {
  const fund = await getFund(trx, id);
  queueAuditEntry(trx, actor, { action: 'create', entity: FUND_ENTITY, entityId: id, after: fund });
  const { openedOn: fecha, aperturaCents: importeCents } = draft;
  if (importeCents === 0) return fund;
  const opening = { tipo: 'apertura', fecha, concepto: texts.opening, importeCents } as const;
  if (await needsSecondPerson(trx)) await createRequest(trx, actor, fund, opening);
  else await writeAuthorizedMovement(trx, actor, { ...opening, fundId: id });
  return fund;
}

async function storeFundChange(
  trx: Trx,
  actor: Actor,
  draft: CompletedFund,
  before: PettyCashFund,
): Promise<PettyCashFund> {
  const { montofijoCents } = before;
  const raisedCents = montofijoCents === null ? 0 : (draft.montofijoCents ?? 0) - montofijoCents;
  const after = raisedCents > 0 ? { ...draft, montofijoCents } : draft;
  const fund = hasDifferentColumns(after, before)
    ? await updateAndAuditFund(trx, actor, before, toFundColumns(after)).catch(rethrowAsNameTaken)
    : before;
  // An amount that waits for authorisation is not requested a second time.
  const importeCents =
    raisedCents - ((await needsSecondPerson(trx)) ? await sumPendingIncreases(trx, before.id) : 0);
  if (importeCents <= 0) return fund;
  const increase = { tipo: 'apertura', fecha: actor.today, concepto: texts.widening, amplia: 1 } as const;
  await createRequest(trx, actor, fund, { ...increase, importeCents });
  return getFund(trx, before.id);
}

async function sumPendingIncreases(trx: Trx, fundId: number): Promise<Cents> {
  const pending = (await listReplenishments(trx, fundId)).filter(
    ({ amplia, estado }) => amplia === 1 && estado === 'solicitada',
  );
  return pending.reduce((sum, { importeCents }) => sum + importeCents, 0);
}

/** Reports that somebody else has opened a fund of that name since the rules were checked. */
function rethrowAsNameTaken(error: unknown): never {
  throw isViolation(error, 'unique') ? toDomainError(takenByFundRefusal(texts.justTaken, 'nombre')) : error;
}
