import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { checkRequiredFields, type Movement } from '../../../shared/petty-cash.ts';
import type { Replenishment, ReplenishmentWithMovement } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { deleteMovement } from './movements.ts';
import { lockAndReadFund, lockRowInFund, readMovements, replenishableCondition } from './reading.ts';
import {
  auditReplenishmentChange,
  createRequest,
  getReplenishment,
  payRequest,
  readRequestedExpenses,
  requireFundingSourceOfFund,
  requireUninvolvedSigner,
  toAuditBody,
} from './requests.ts';

interface ReplenishmentRequestInput {
  tipo?: Replenishment['tipo'];
  fecha?: PlainDate | null;
  /** for a reposición; absent: all that can be replenished */
  movementIds?: readonly number[];
  /** for an apertura or an ajuste */
  concepto?: string;
  importeCents?: Cents;
  comments?: string;
}

/**
 * Only approvers may request an amount that is not a sum of expenses. If no second person has to authorise it, the
 * money is in the fund at once.
 * @throws DomainError forbidden, not-found, invalid (nothing to replenish, no source, what is missing), conflict
 * (closed_period, fund_closed)
 */
export async function requestReplenishment(
  db: Db,
  actor: Actor,
  fundId: number,
  {
    tipo = 'reposicion',
    fecha,
    movementIds,
    concepto = '',
    importeCents,
    comments = '',
  }: ReplenishmentRequestInput,
): Promise<ReplenishmentWithMovement> {
  const day = fecha ?? actor.today;
  if (tipo !== 'reposicion') requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const fund = await lockAndReadFund(trx, fundId);
    const draft = { tipo, fecha: day, comments };
    if (tipo === 'reposicion') {
      const givenFields = [importeCents !== undefined && 'importe', concepto !== '' && 'concepto'];
      const refusedFields = givenFields.filter((name) => typeof name === 'string');
      if (refusedFields.length > 0) throwIfRefused(createRefusal(texts.sumOfExpenses, ...refusedFields));
      const expenses = await readReplenishableExpenses(trx, fundId, movementIds);
      const sum = expenses.reduce((cents, one) => cents + one.importeCents, 0);
      return createRequest(trx, actor, fund, { ...draft, importeCents: sum, expenses });
    }
    if (movementIds !== undefined) throwIfRefused(createRefusal(texts.onlyReplenished, 'movementIds'));
    throwIfRefused(checkRequiredFields({ fecha: day, concepto, importeCents }));
    if (importeCents! < 0) throwIfRefused(createRefusal(texts.notPositive, 'importe'));
    return createRequest(trx, actor, fund, { ...draft, concepto, importeCents: importeCents! });
  });
}

/**
 * @throws DomainError forbidden, not-found, stale, invalid, conflict (same_author, already_replenished,
 * closed_period, fund_closed)
 */
export async function authorizeReplenishment(
  db: Db,
  actor: Actor,
  id: number,
  { fecha, version }: { fecha?: PlainDate | null; version?: number } = {},
): Promise<ReplenishmentWithMovement> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before, fund } = await lockReplenishment(trx, id, version);
    if (before.estado === 'pagada') throw alreadyReplenishedError();
    requireFundingSourceOfFund(fund);
    const requesters = [before.requestedBy, before.holderId];
    const request = {
      entity: 'petty-cash-replenishments',
      id,
      since: before.createdAt,
      requesters,
    } as const;
    await requireUninvolvedSigner(trx, actor, fund, request);
    const paid = await payRequest(trx, actor, fund, { ...before, fecha: fecha ?? before.fecha });
    auditReplenishmentChange(trx, actor, before, paid.replenishment);
    return paid;
  });
}

/**
 * Withdrawing a request takes the same right as making it. Its expenses can then be requested again.
 * @throws DomainError forbidden, not-found, stale, conflict (already_replenished, fund_closed)
 */
export async function withdrawReplenishment(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<Replenishment> {
  return inTransaction(db, async (trx) => {
    const { before } = await lockReplenishment(trx, id, version);
    if (before.tipo !== 'reposicion') requireApprover(actor);
    if (before.estado === 'pagada') throw alreadyReplenishedError();
    const expenses = await readRequestedExpenses(trx, id);
    await trx
      .updateTable('petty_cash_movements')
      .set({ replenishmentId: null })
      .where('replenishmentId', '=', id)
      .execute();
    await trx.deleteFrom('petty_cash_replenishments').where('id', '=', id).execute();
    queueAuditEntry(trx, actor, {
      action: 'delete',
      entity: 'petty-cash-replenishments',
      entityId: id,
      before: toAuditBody(before, expenses),
    });
    return before;
  });
}

/** @throws DomainError forbidden, not-found, invalid fund_short, conflict (closed_period, fund_closed) */
export async function undoReplenishment(db: Db, actor: Actor, id: number): Promise<Replenishment> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before } = await lockReplenishment(trx, id);
    if (before.movementId !== null) await deleteMovement(trx, actor, before.movementId);
    return getReplenishment(trx, id);
  });
}

async function readReplenishableExpenses(
  trx: Trx,
  fundId: number,
  ids: readonly number[] | undefined,
): Promise<Movement[]> {
  const all = await readMovements(trx, sql`m."fundId" = ${fundId} and ${replenishableCondition}`);
  const chosen = ids && new Set(ids);
  const unknownId = ids?.find((id) => !all.some((one) => one.id === id));
  if (unknownId !== undefined) throwIfRefused(createRefusal(texts.notOfFund(unknownId), 'movementIds'));
  const expenses = chosen ? all.filter(({ id }) => chosen.has(id)) : all;
  if (expenses.length === 0) throwIfRefused(createRefusal(texts.nothingToReplenish, 'movementIds'));
  return expenses;
}

const lockReplenishment = (trx: Trx, id: number, version?: number) =>
  lockRowInFund(trx, 'petty_cash_replenishments', getReplenishment, {
    id,
    version,
    staleMessage: texts.requestStale,
  });

const alreadyReplenishedError = () =>
  new DomainError('conflict', texts.alreadyReplenished, { code: 'already_replenished' });
