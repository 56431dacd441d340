import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Movement, MovementFieldValues } from '../../../shared/petty-cash.ts';
import { signedAmountOf } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { bankMatchedRefusal, readMatchesOfCashMovements } from '../bank-matches.ts';
import { requireOpenPeriod } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { retainAttachmentsForRestore } from '../retained-attachments.ts';
import { readLastDeleted } from '../stored-rows.ts';
import { type SavedResult, toSavedResult } from '../write-drafts.ts';
import type { DeletedMovement } from './draft.ts';
import { insufficientCashRefusal, readCash } from './fund-cash.ts';
import { getMovement, lockRowInFund } from './reading.ts';
import { reopenRequestPaidBy } from './requests.ts';
import { UNRESTRICTED_KINDS } from './rules.ts';
import { MOVEMENT_ENTITY, writeMovements } from './write.ts';

/** A movement is an expense unless the draft states another kind. @throws DomainError of the broken rule */
export const createMovement = async (
  db: Db,
  actor: Actor,
  fundId: number,
  draft: MovementFieldValues,
): Promise<SavedResult<'movement', Movement>> =>
  toSavedResult('movement', await writeMovements(db, actor, [{ ...draft, fundId }]));

/** @throws DomainError of the broken rule */
export const updateMovement = async (
  db: Db,
  actor: Actor,
  id: number,
  draft: MovementFieldValues,
  version?: number,
): Promise<SavedResult<'movement', Movement>> =>
  toSavedResult('movement', await writeMovements(db, actor, [{ ...draft, id, version }]));

/** @throws DomainError not-found where no row with this id was deleted; otherwise the error of the broken rule */
export const restoreMovement = (
  db: Db,
  actor: Actor,
  id: number,
): Promise<SavedResult<'movement', Movement>> =>
  inTransaction(db, async (trx) => {
    const deleted = await readLastDeleted<DeletedMovement>(trx, MOVEMENT_ENTITY, id);
    if (!deleted) throw new DomainError('not-found', `No existe un movimiento eliminado ${id}.`);
    return toSavedResult('movement', await writeMovements(trx, actor, [{ deleted }]));
  });

/** @throws DomainError forbidden, not-found, stale, conflict (movement_fixed: no voucher is awaited; closed_period) */
export async function acceptWithoutVoucher(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<Movement> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before } = await lockMovement(trx, id, version);
    if (before.comprobarAntes === null) throw movementFixedError(texts.notAwaited);
    await requireOpenPeriod(trx, actor, [before.fecha]);
    await trx
      .updateTable('petty_cash_movements')
      .set({ comprobarAntes: null, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const movement = await getMovement(trx, id);
    queueAuditEntry(trx, actor, {
      action: 'update',
      entity: MOVEMENT_ENTITY,
      entityId: id,
      before,
      after: movement,
    });
    return movement;
  });
}

/**
 * Deleting the movement that paid a request reopens the request.
 * @throws DomainError not-found, stale, forbidden, invalid fund_short, conflict (movement_fixed, bank_matched,
 * closed_period)
 */
export async function deleteMovement(db: Db, actor: Actor, id: number, version?: number): Promise<Movement> {
  return inTransaction(db, async (trx) => {
    const { before, fund } = await lockMovement(trx, id, version);
    if (!UNRESTRICTED_KINDS.includes(before.tipo)) requireApprover(actor);
    if (before.tipo === 'gasto' && before.replenishmentId !== null) throw movementFixedError(texts.grouped);
    const matched = (await readMatchesOfCashMovements(trx, [id])).get(id);
    if (matched) throwIfRefused(bankMatchedRefusal(matched));
    await requireOpenPeriod(trx, actor, [before.fecha]);
    if (signedAmountOf(before) > 0) {
      const cash = await readCash(trx, fund);
      if (cash < signedAmountOf(before)) throwIfRefused(insufficientCashRefusal(fund, cash, 'importe'));
    }
    const attachments = await retainAttachmentsForRestore(trx, actor, { movementId: id });
    await trx.deleteFrom('petty_cash_movements').where('id', '=', id).execute();
    await reopenRequestPaidBy(trx, actor, before);
    const body = { ...before, ...(attachments.length > 0 ? { attachments } : {}) };
    queueAuditEntry(trx, actor, { action: 'delete', entity: MOVEMENT_ENTITY, entityId: id, before: body });
    return before;
  });
}

const lockMovement = (trx: Trx, id: number, version: number | undefined) =>
  lockRowInFund(trx, 'petty_cash_movements', getMovement, { id, version, staleMessage: texts.stale });

const movementFixedError = (message: string) =>
  new DomainError('conflict', message, { code: 'movement_fixed' });
