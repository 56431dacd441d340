import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  checkMovement,
  type Movement,
  type MovementDraft,
  movementTexts,
} from '../../../shared/petty-cash.ts';
import { refuse } from '../../../shared/refusal.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { requireReferences } from '../references.ts';
import { lastDeleted, lockRow, requireSeen } from '../stored-rows.ts';
import { lockFund } from './petty-cash.ts';
import { getMovement } from './reading.ts';

/** A saved movement, and what its author should know about it. */
interface SavedMovement {
  movement: Movement;
  warnings: string[];
}

const ENTITY = 'petty-cash-movements';

/**
 * A gasto unless the draft says otherwise. The balance may fall below zero: what is captured last is not
 * always what happened last.
 * @throws DomainError not-found (no such fund), invalid, conflict closed_period
 */
export async function createMovement(
  db: Db,
  actor: Actor,
  fundId: number,
  draft: MovementDraft,
): Promise<SavedMovement> {
  return inTransaction(db, async (trx) => {
    const { openedOn } = await lockFund(trx, fundId);
    const { kind = 'gasto', jobId = null, rubroId = null } = draft;
    refuse(checkMovement({ ...draft, kind }, openedOn));
    await requireOpen(trx, actor, [draft.movementdate!]);
    await requireReferences(trx, { jobId, rubroId });
    const { id } = await trx
      .insertInto('petty_cash_movements')
      .values({
        fundId,
        movementdate: draft.movementdate!,
        kind,
        concept: draft.concept!,
        comprobante: draft.comprobante ?? '',
        amountCents: draft.amountCents!,
        jobId,
        rubroId,
        comments: draft.comments ?? '',
        userId: actor.userId,
        importId: null,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'create', entity: ENTITY, entityId: id, after: movement });
    return { movement, warnings: warnOfDate(movement, actor) };
  });
}

/**
 * Changes what the draft names; the fund stays.
 * @throws DomainError not-found, stale (with the stored movement), invalid, conflict closed_period
 */
export async function updateMovement(
  db: Db,
  actor: Actor,
  id: number,
  draft: MovementDraft,
  version?: number,
): Promise<SavedMovement> {
  return inTransaction(db, async (trx) => {
    const before = await lockMovement(trx, id, version);
    const { openedOn } = await lockFund(trx, before.fundId);
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: Movement = { ...before, ...changed };
    refuse(checkMovement(after, openedOn));
    await requireOpen(trx, actor, [before.movementdate, after.movementdate]);
    await requireReferences(trx, { jobId: after.jobId, rubroId: after.rubroId });
    await trx
      .updateTable('petty_cash_movements')
      .set({
        movementdate: after.movementdate,
        kind: after.kind,
        concept: after.concept,
        comprobante: after.comprobante,
        amountCents: after.amountCents,
        jobId: after.jobId,
        rubroId: after.rubroId,
        comments: after.comments,
        userId: actor.userId,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'update', entity: ENTITY, entityId: id, before, after: movement });
    return { movement, warnings: warnOfDate(movement, actor) };
  });
}

/** @returns what was deleted @throws DomainError not-found, stale, conflict closed_period */
export async function deleteMovement(db: Db, actor: Actor, id: number, version?: number): Promise<Movement> {
  return inTransaction(db, async (trx) => {
    const before = await lockMovement(trx, id, version);
    await requireOpen(trx, actor, [before.movementdate]);
    await trx.deleteFrom('petty_cash_movements').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before });
    return before;
  });
}

/**
 * Brings a deleted movement back under its id, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted, or its fund is gone), conflict (it exists, closed_period), invalid
 */
export async function restoreMovement(db: Db, actor: Actor, id: number): Promise<Movement> {
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<Movement>(trx, ENTITY, id);
    if (!deleted) throw new DomainError('not-found', `No existe un movimiento eliminado ${id}.`);
    const { openedOn } = await lockFund(trx, deleted.fundId);
    refuse(checkMovement(deleted, openedOn));
    await requireOpen(trx, actor, [deleted.movementdate]);
    await requireReferences(trx, { jobId: deleted.jobId, rubroId: deleted.rubroId });
    const { jobtitle: _job, nombrerubro: _rubro, ...row } = deleted;
    const restored = await trx
      .insertInto('petty_cash_movements')
      .values({ ...row, updatedAt: actor.at, version: deleted.version + 1 })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!restored) {
      throw new DomainError('conflict', `El movimiento ${id} no está eliminado.`, { code: 'not_deleted' });
    }
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'restore', entity: ENTITY, entityId: id, after: movement });
    return movement;
  });
}

async function lockMovement(trx: Trx, id: number, version: number | undefined): Promise<Movement> {
  await lockRow(trx, 'petty_cash_movements', id);
  const current = await getMovement(trx, id);
  requireSeen(current, version, movementTexts.stale);
  return current;
}

const warnOfDate = ({ movementdate }: Movement, { today }: Actor): string[] =>
  movementdate > today ? [movementTexts.later] : [];
