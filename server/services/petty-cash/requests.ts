import { type RawBuilder, sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { pluralize } from '../../../shared/counts.ts';
import type { Instant, PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import { involvedUserIdsOf, type Movement, type PettyCashFund } from '../../../shared/petty-cash.ts';
import type { Replenishment, ReplenishmentWithMovement } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal, throwIfRefused } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { readSettings } from '../settings/settings.ts';
import {
  type DocumentToSign,
  loadSignatureNoteLookup,
  requireSecondPerson,
} from '../signatures/second-person.ts';
import { idsOf } from '../stored-rows.ts';
import { getFund, readMovements, unreimbursedCondition } from './reading.ts';
import { updateAndAuditFund, writeAuthorizedMovement } from './write.ts';

const REPLENISHMENT_ENTITY = 'petty-cash-replenishments';

type RequestValues = Pick<Replenishment, 'tipo' | 'fecha' | 'importeCents'> &
  Partial<Pick<Replenishment, 'concepto' | 'comments' | 'amplia'>> & { expenses?: readonly Movement[] };

export const needsSecondPerson = async (db: Db): Promise<boolean> =>
  (await readSettings(db)).autorizacion === 'otra';

/** Pays the request too if one person is enough. @throws DomainError invalid (source, day), conflict closed_period */
export async function createRequest(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  { expenses = [], ...values }: RequestValues,
): Promise<ReplenishmentWithMovement> {
  requireFundingSourceOfFund(fund);
  requireValidDay(values.fecha, fund, actor);
  const { tipo, fecha, concepto = '', importeCents, amplia = 0, comments = '' } = values;
  const { id } = await trx
    .insertInto('petty_cash_replenishments')
    .values({
      fundId: fund.id,
      fecha,
      requestedBy: actor.userId,
      holderId: fund.responsableId,
      comments,
      concepto,
      amplia,
      tipo: tipo === 'reposicion' ? null : tipo,
      ownCents: tipo === 'reposicion' ? null : importeCents,
      createdAt: actor.at,
      updatedAt: actor.at,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const expenseIds = expenses.map((one) => one.id);
  if (expenseIds.length > 0)
    await trx
      .updateTable('petty_cash_movements')
      .set({ replenishmentId: id })
      .where(isOneOf(trx, 'id', expenseIds))
      .execute();
  const replenishment = await getReplenishment(trx, id);
  queueAuditEntry(trx, actor, {
    action: 'create',
    entity: REPLENISHMENT_ENTITY,
    entityId: id,
    after: toAuditBody(replenishment, expenses),
  });
  const mayPay = mayEnter('approval', actor.roles) && !(await needsSecondPerson(trx));
  return mayPay ? payRequest(trx, actor, fund, replenishment) : { replenishment, movement: null };
}

export async function payRequest(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  { id, tipo, fecha, importeCents, count, concepto, amplia }: Replenishment,
): Promise<ReplenishmentWithMovement> {
  const replacesExpenses = tipo === 'reposicion';
  const movement = await writeAuthorizedMovement(trx, actor, {
    fundId: fund.id,
    tipo,
    fecha,
    concepto: concepto || `Reposición de ${pluralize(count, 'gasto', 'gastos')}`,
    importeCents,
    replenishmentId: replacesExpenses ? id : null,
  });
  await trx
    .updateTable('petty_cash_replenishments')
    .set(({ eb }) => ({
      fecha,
      authorizedBy: actor.userId,
      ownMovementId: replacesExpenses ? null : movement.id,
      updatedAt: actor.at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  if (amplia) await raiseFixedAmount(trx, actor, fund.id, importeCents);
  return { replenishment: await getReplenishment(trx, id), movement };
}

export async function reopenRequestPaidBy(trx: Trx, actor: Actor, movement: Movement): Promise<void> {
  const isPaidByIt =
    movement.tipo === 'reposicion'
      ? sql`r.id = ${movement.replenishmentId}`
      : sql`r."ownMovementId" = ${movement.id}`;
  const [before] = await readReplenishments(trx, isPaidByIt);
  if (!before) return;
  const { id } = before;
  await trx
    .updateTable('petty_cash_replenishments')
    .set({ authorizedBy: null, ownMovementId: null, updatedAt: actor.at, version: before.version + 1 })
    .where('id', '=', id)
    .execute();
  if (before.amplia) await raiseFixedAmount(trx, actor, before.fundId, -before.importeCents);
  auditReplenishmentChange(trx, actor, before, await getReplenishment(trx, id));
}

async function raiseFixedAmount(trx: Trx, actor: Actor, fundId: number, cents: number): Promise<void> {
  const before = await getFund(trx, fundId);
  if (before.montofijoCents === null) return;
  const montofijoCents = before.montofijoCents + cents;
  await updateAndAuditFund(trx, actor, before, {
    montofijoCents: montofijoCents > 0 ? montofijoCents : null,
  });
}

/**
 * Refuses an actor who holds the fund, requested the money, or has spent money of the fund that was not given back yet.
 * Handing the fund over and taking it back does not change that.
 * @param requesters users who requested the money, and who held the fund then
 * @throws DomainError conflict same_author
 */
export async function requireUninvolvedSigner(
  trx: Trx,
  actor: Actor,
  { id, responsableId }: PettyCashFund,
  { requesters, ...document }: Omit<DocumentToSign, 'authorIds'> & { requesters: readonly (number | null)[] },
): Promise<void> {
  const spent = await readMovements(trx, sql`m."fundId" = ${id} and ${unreimbursedCondition}`);
  const authorIds = [responsableId, ...requesters, ...spent.flatMap(involvedUserIdsOf)];
  const sameHolder = { message: texts.sameHolder, code: 'same_author' };
  await requireSecondPerson(trx, actor, { ...document, authorIds }, sameHolder);
}

export const listReplenishments = (db: Db, fundId: number, limit?: number): Promise<Replenishment[]> =>
  readReplenishments(db, sql`r."fundId" = ${fundId}`, limit);

/** @throws DomainError not-found */
export async function getReplenishment(db: Db, id: number): Promise<Replenishment> {
  const [found] = await readReplenishments(db, sql`r.id = ${id}`);
  if (!found) throw new DomainError('not-found', `No existe la solicitud de reposición ${id}.`);
  return found;
}

async function readReplenishments(
  db: Db,
  where: RawBuilder<unknown>,
  limit?: number,
): Promise<Replenishment[]> {
  const expensesExpression = (value: RawBuilder<unknown>) =>
    sql`(select ${value} from petty_cash_movements m where m."replenishmentId" = r.id and m.tipo = 'gasto')`;
  const { rows } = await sql<Omit<Replenishment, 'estado' | 'note'> & { updatedAt: Instant }>`
    select r.id, r."fundId", coalesce(r.tipo, 'reposicion') as tipo, r.concepto, r.fecha,
      coalesce(r."ownCents", ${expensesExpression(sql`sum(m."importeCents")`)}, 0) as "importeCents",
      ${expensesExpression(sql`count(*)`)} as count, r.amplia, r."holderId", r."requestedBy",
      requesters.username as requester, r."authorizedBy", authorizers.username as authorizer,
      coalesce(r."ownMovementId", (select given.id from petty_cash_movements given
        where given."replenishmentId" = r.id and given.tipo = 'reposicion')) as "movementId",
      r.comments, r."createdAt", r."updatedAt", r.version
    from petty_cash_replenishments r
    join users requesters on requesters.id = r."requestedBy"
    left join users authorizers on authorizers.id = r."authorizedBy"
    where ${where} order by r.id desc ${limit === undefined ? sql`` : sql`limit ${limit}`}`.execute(db);
  const paid = rows.filter(({ authorizedBy }) => authorizedBy !== null);
  const noteOf = await loadSignatureNoteLookup(db, REPLENISHMENT_ENTITY, idsOf(paid));
  return rows.map(({ updatedAt, ...row }) => ({
    ...row,
    estado: row.movementId === null ? 'solicitada' : 'pagada',
    note: noteOf(row.id, row.authorizedBy, updatedAt),
  }));
}

export const readRequestedExpenses = (db: Db, replenishmentId: number): Promise<Movement[]> =>
  readMovements(db, sql`m."replenishmentId" = ${replenishmentId} and m.tipo = 'gasto'`);

export function auditReplenishmentChange(
  trx: Trx,
  actor: Actor,
  before: Replenishment,
  after: Replenishment,
): void {
  const changed = { before: toAuditBody(before), after: toAuditBody(after) };
  queueAuditEntry(trx, actor, {
    action: 'update',
    entity: REPLENISHMENT_ENTITY,
    entityId: before.id,
    ...changed,
  });
}

export const toAuditBody = (
  { note: _, ...replenishment }: Replenishment,
  expenses?: readonly Movement[],
) => ({
  ...replenishment,
  ...(expenses && { movementIds: expenses.map(({ id }) => id) }),
});

export function requireFundingSourceOfFund({ origenderecursoId }: PettyCashFund): void {
  if (origenderecursoId === null) throwIfRefused(createRefusal(texts.noOrigin, 'origenderecursoId'));
}

function requireValidDay(day: PlainDate, { openedOn }: PettyCashFund, { today }: Actor): void {
  if (day < openedOn) throwIfRefused(createRefusal(texts.beforeOpening(openedOn), 'fecha'));
  if (day > today) throwIfRefused(createRefusal(texts.later, 'fecha'));
}
