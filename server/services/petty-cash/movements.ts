import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import {
  checkMovement,
  checkRequired,
  effectOf,
  handsOf,
  type Movement,
  type MovementDraft,
  type MovementKind,
  type PettyCashFund,
  type SavedMovement,
  spentByOf,
} from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { type KeptAttachment, keepAttachments, restoreAttachments } from '../attachments-kept.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { requireReferences } from '../references.ts';
import { isSame, lastDeleted, lockRow, requireSeen } from '../stored-rows.ts';
import { amountsOf } from './amounts.ts';
import { requireCash } from './cash.ts';
import { MOVEMENTS, movementColumns, storeMovement } from './movement-rows.ts';
import { lockFund } from './petty-cash.ts';
import { getMovement } from './reading.ts';
import { holdExpense, receiptOf } from './receipts.ts';
import { needsAnother, reopenRequest, requestOf } from './requests.ts';
import { requireFreeUuid } from './uuids.ts';

/** What whoever keeps a box may capture; the rest changes what the firm has put into it. */
export const EVERYBODYS: readonly MovementKind[] = ['gasto', 'devolucion'];

/**
 * A gasto unless the draft says otherwise.
 * @throws DomainError not-found (no such fund), forbidden (money put in, or set right, by who may not), invalid
 *   (fund_short, over_cap, amounts_disagree, budget_exceeded), conflict (closed_period, uuid_taken, fund_closed;
 *   same_author where what goes in is to be asked for)
 */
export async function createMovement(
  db: Db,
  actor: Actor,
  fundId: number,
  draft: MovementDraft,
): Promise<SavedMovement> {
  const { tipo = 'gasto' } = draft;
  if (tipo === 'reposicion') refuse(refusal(texts.ownWay, 'tipo'));
  if (!EVERYBODYS.includes(tipo)) requireApprover(actor);
  const asked = { ...draft, ...amountsOf(draft), tipo, fecha: draft.fecha ?? actor.today };
  refuse(checkRequired(asked));
  return inTransaction(db, async (trx) => {
    const fund = await lockFund(trx, fundId);
    const values = { ...asked, ...(await receiptOf(trx, actor, asked)) };
    refuse(checkMovement(values, { ...actor, openedOn: fund.openedOn }));
    await requireAsked(trx, effectOf(values));
    await requireOpen(trx, actor, [values.fecha]);
    const { jobId = null, rubroId = null } = draft;
    await requireReferences(trx, { jobId, rubroId });
    await requireCash(trx, fund, effectOf(values));
    const warnings = await holdExpense(trx, actor, fund, values);
    const movement = await storeMovement(trx, actor, {
      ...values,
      concepto: values.concepto!,
      fundId,
      origenderecursoId: movesOrigin(tipo) ? fund.origenderecursoId : null,
      spentBy: tipo === 'gasto' ? spentByOf(fund.responsableId, actor.userId) : '',
    });
    return { movement, warnings: [...warnings, ...warnOf(movement)] };
  });
}

/**
 * Changes what the draft names; the fund and the kind stay, and of what is in a reposición also what it replenishes.
 * @throws DomainError as a new one, stale (with the stored movement), conflict movement_fixed
 */
export async function updateMovement(
  db: Db,
  actor: Actor,
  id: number,
  draft: MovementDraft,
  version?: number,
): Promise<SavedMovement> {
  return inTransaction(db, async (trx) => {
    const { before, fund } = await lockMovement(trx, id, version);
    const given = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const asked = { ...before, uuid: before.uuid ?? '', ...given, ...amountsOf(draft, before) } as Movement;
    if (!EVERYBODYS.includes(before.tipo)) requireApprover(actor);
    const after: Movement = {
      ...asked,
      ...(await receiptOf(trx, actor, { ...asked, uuid: asked.uuid ?? '' }, before)),
    };
    requireChangeable(before, after);
    if (before.tipo === 'gasto' && after.importeCents !== before.importeCents)
      after.spentBy = spentByOf(...handsOf(before), fund.responsableId, actor.userId);
    const columns = movementColumns(after);
    if (isSame(columns, movementColumns(before))) return { movement: before, warnings: warnOf(before) };
    refuse(checkMovement({ ...after, uuid: after.uuid ?? '' }, { ...actor, openedOn: fund.openedOn }));
    await requireSameMoney(trx, before, after);
    await requireOpen(trx, actor, [before.fecha, after.fecha]);
    await requireReferences(trx, { jobId: after.jobId, rubroId: after.rubroId });
    await requireCash(trx, fund, effectOf(after) - effectOf(before));
    const warnings = await holdExpense(trx, actor, fund, after, before);
    if (after.uuid && after.uuid !== before.uuid) await requireFreeUuid(trx, after.uuid, id);
    await trx
      .updateTable('petty_cash_movements')
      .set({
        ...columns,
        userId: actor.userId,
        updatedAt: actor.at,
        version: before.version + 1,
      })
      .where('id', '=', id)
      .execute();
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'update', entity: MOVEMENTS, entityId: id, before, after: movement });
    return { movement, warnings: [...warnings, ...warnOf(movement)] };
  });
}

/**
 * Says that an expense will have no receipt, and that none is awaited any more.
 * @throws DomainError forbidden, not-found, stale, conflict (movement_fixed: it has one, or none is awaited; closed_period)
 */
export async function acceptWithoutReceipt(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<Movement> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before } = await lockMovement(trx, id, version);
    if (before.comprobarAntes === null) throw fixed(texts.notAwaited);
    await requireOpen(trx, actor, [before.fecha]);
    await trx
      .updateTable('petty_cash_movements')
      .set({ comprobarAntes: null, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'update', entity: MOVEMENTS, entityId: id, before, after: movement });
    return movement;
  });
}

/**
 * What was asked for and put in is, once deleted, asked for again.
 * @returns what was deleted
 * @throws DomainError not-found, stale, forbidden, invalid fund_short, conflict (movement_fixed, closed_period)
 */
export async function deleteMovement(db: Db, actor: Actor, id: number, version?: number): Promise<Movement> {
  return inTransaction(db, async (trx) => {
    const { before, fund } = await lockMovement(trx, id, version);
    if (!EVERYBODYS.includes(before.tipo)) requireApprover(actor);
    if (before.tipo === 'gasto' && before.replenishmentId !== null) throw fixed(texts.grouped);
    await requireOpen(trx, actor, [before.fecha]);
    await requireCash(trx, fund, -effectOf(before));
    const attachments = await keepAttachments(trx, actor, { movementId: id });
    await trx.deleteFrom('petty_cash_movements').where('id', '=', id).execute();
    await reopenRequest(trx, actor, before);
    const kept = { ...before, ...(attachments.length > 0 ? { attachments } : {}) };
    audit(trx, actor, { action: 'delete', entity: MOVEMENTS, entityId: id, before: kept });
    return before;
  });
}

/**
 * Brings a deleted movement back under its id, with its files, from what the audit trail kept of it.
 * @throws DomainError not-found (never deleted, or its fund is gone), forbidden, invalid (fund_short), conflict (it
 *   exists, its CFDI is something else's by now, movement_fixed: money that went in; closed_period)
 */
export async function restoreMovement(db: Db, actor: Actor, id: number): Promise<SavedMovement> {
  return inTransaction(db, async (trx) => {
    const deleted = await lastDeleted<Movement & { attachments?: KeptAttachment[] }>(trx, MOVEMENTS, id);
    if (!deleted) throw new DomainError('not-found', `No existe un movimiento eliminado ${id}.`);
    if (!EVERYBODYS.includes(deleted.tipo)) requireApprover(actor);
    const fund = await lockFund(trx, deleted.fundId);
    // Where it was asked for, that waits to be authorised again: the money would go in twice.
    if (effectOf(deleted) > 0) throw fixed(texts.noRestore);
    refuse(checkMovement({ ...deleted, uuid: deleted.uuid ?? '' }, { ...actor, openedOn: fund.openedOn }));
    await requireOpen(trx, actor, [deleted.fecha]);
    await requireReferences(trx, { jobId: deleted.jobId, rubroId: deleted.rubroId });
    const exists = await trx
      .selectFrom('petty_cash_movements')
      .select('id')
      .where('id', '=', id)
      .executeTakeFirst();
    if (exists) throw notDeleted(id);
    await requireCash(trx, fund, effectOf(deleted));
    if (deleted.uuid) await requireFreeUuid(trx, deleted.uuid);
    const { fundId, userId, importId, createdAt } = deleted;
    const columns = { ...movementColumns(deleted), replenishmentId: null };
    const restored = await trx
      .insertInto('petty_cash_movements')
      .values({
        ...columns,
        id,
        fundId,
        userId,
        importId,
        createdAt,
        updatedAt: actor.at,
        version: deleted.version + 1,
      })
      .onConflict((conflict) => conflict.column('id').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!restored) throw notDeleted(id);
    const warnings = await restoreAttachments(trx, actor, { movementId: id }, deleted.attachments ?? []);
    const movement = await getMovement(trx, id);
    audit(trx, actor, { action: 'restore', entity: MOVEMENTS, entityId: id, after: movement });
    return { movement, warnings };
  });
}

const notDeleted = (id: number) =>
  new DomainError('conflict', `El movimiento ${id} no está eliminado.`, { code: 'not_deleted' });

/** @throws DomainError conflict same_author, where what goes into a box takes two people */
async function requireAsked(trx: Trx, effectCents: number): Promise<void> {
  if (effectCents > 0 && (await needsAnother(trx)))
    throw new DomainError('conflict', texts.asksFirst, { code: 'same_author' });
}

/** The fund first, as whoever else moves money of it does. */
async function lockMovement(
  trx: Trx,
  id: number,
  version: number | undefined,
): Promise<{ before: Movement; fund: PettyCashFund }> {
  const { fundId } = await getMovement(trx, id);
  const fund = await lockFund(trx, fundId);
  await lockRow(trx, 'petty_cash_movements', id);
  const before = await getMovement(trx, id);
  requireSeen(before, version, texts.stale);
  return { before, fund };
}

/** @throws DomainError conflict (movement_fixed: somebody authorised so much; same_author: it puts more into the box) */
async function requireSameMoney(trx: Trx, before: Movement, after: Movement): Promise<void> {
  if (after.importeCents === before.importeCents) return;
  if ((await requestOf(trx, before)) !== undefined) throw fixed(texts.requestFixed);
  if (effectOf(after) > effectOf(before)) await requireAsked(trx, effectOf(after));
}

/** @throws DomainError conflict movement_fixed */
function requireChangeable(before: Movement, after: Movement): void {
  if (before.tipo === 'reposicion') throw fixed(texts.replenishmentFixed);
  if (after.tipo !== before.tipo) throw fixed(texts.kindFixed);
  const isSameMoney = after.importeCents === before.importeCents;
  if (before.countId !== null && !isSameMoney) throw fixed(texts.countFixed);
  if (before.replenishmentId === null) return;
  const loses = after.comprobante === 'ninguno' && before.comprobante !== 'ninguno';
  if (!isSameMoney || loses) throw fixed(texts.grouped);
}

const fixed = (message: string) => new DomainError('conflict', message, { code: 'movement_fixed' });

const movesOrigin = (tipo: MovementKind): boolean => tipo === 'apertura' || tipo === 'devolucion';

const warnOf = ({ comprobante, uuid }: Movement): string[] =>
  comprobante === 'cfdi' && uuid === null ? [texts.noUuid] : [];
