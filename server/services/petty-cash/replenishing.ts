import { type RawBuilder, sql } from 'kysely';
import { isOneOf } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import type { PlainDate } from '../../../shared/dates.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Movement, PettyCashFund } from '../../../shared/petty-cash.ts';
import type { Replenished, Replenishment } from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { mayEnter } from '../../../shared/roles.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { readSettings } from '../settings/settings.ts';
import { lockRow, requireSeen } from '../stored-rows.ts';
import { storeMovement } from './movement-rows.ts';
import { deleteMovement } from './movements.ts';
import { lockFund } from './petty-cash.ts';
import { isReplenishable, readMovements } from './reading.ts';

const ENTITY = 'petty-cash-replenishments';

interface ReplenishmentDraft {
  fecha?: PlainDate | null;
  /** without them all that can be replenished */
  movementIds?: readonly number[];
  comments?: string;
}

/**
 * Asks for the money of what was spent and proved. Where who asks may authorise it, it is given back at once.
 * @throws DomainError not-found, invalid (nothing to replenish, no origin), conflict closed_period
 */
export async function requestReplenishment(
  db: Db,
  actor: Actor,
  fundId: number,
  { fecha, movementIds, comments = '' }: ReplenishmentDraft,
): Promise<Replenished> {
  return inTransaction(db, async (trx) => {
    const fund = await lockFund(trx, fundId);
    const expenses = await replenishableOf(trx, fundId, movementIds);
    requireOrigin(fund);
    const day = fecha ?? actor.today;
    requireDay(day, fund, actor);
    const { id } = await trx
      .insertInto('petty_cash_replenishments')
      .values({
        fundId,
        fecha: day,
        requestedBy: actor.userId,
        comments,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await trx
      .updateTable('petty_cash_movements')
      .set({ replenishmentId: id })
      .where(
        isOneOf(
          trx,
          'id',
          expenses.map((one) => one.id),
        ),
      )
      .execute();
    const replenishment = await getReplenishment(trx, id);
    audit(trx, actor, {
      action: 'create',
      entity: ENTITY,
      entityId: id,
      after: auditOf(replenishment, expenses),
    });
    if (!(await mayAuthorize(trx, actor, fund, expenses))) return { replenishment, movement: null };
    return pay(trx, actor, fund, replenishment);
  });
}

/**
 * Gives back what was asked for, from the origin of the box.
 * @throws DomainError forbidden, not-found, stale, invalid, conflict (same_author, already_replenished, closed_period)
 */
export async function authorizeReplenishment(
  db: Db,
  actor: Actor,
  id: number,
  { fecha, version }: { fecha?: PlainDate | null; version?: number } = {},
): Promise<Replenished> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before, fund } = await lockReplenishment(trx, id, version);
    if (before.estado === 'pagada') throw alreadyReplenished();
    requireOrigin(fund);
    const expenses = await expensesOf(trx, id);
    const { autorizacion } = await readSettings(trx);
    const isOwn = before.requestedBy === actor.userId || isSpender(actor, fund, expenses);
    if (autorizacion === 'otra' && isOwn)
      throw new DomainError('conflict', texts.sameHolder, { code: 'same_author' });
    const day = fecha ?? before.fecha;
    requireDay(day, fund, actor);
    const paid = await pay(trx, actor, fund, { ...before, fecha: day });
    noteChange(trx, actor, before, paid.replenishment);
    return paid;
  });
}

/**
 * Takes back what was asked for: its expenses are to be replenished again.
 * @throws DomainError not-found, stale, conflict already_replenished
 */
export async function withdrawReplenishment(
  db: Db,
  actor: Actor,
  id: number,
  version?: number,
): Promise<Replenishment> {
  return inTransaction(db, async (trx) => {
    const { before } = await lockReplenishment(trx, id, version);
    if (before.estado === 'pagada') throw alreadyReplenished();
    const expenses = await expensesOf(trx, id);
    await trx
      .updateTable('petty_cash_movements')
      .set({ replenishmentId: null })
      .where('replenishmentId', '=', id)
      .execute();
    await trx.deleteFrom('petty_cash_replenishments').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before: auditOf(before, expenses) });
    return before;
  });
}

/**
 * Takes out of the box what was given back: its expenses are asked for again.
 * @returns what is asked for
 * @throws DomainError forbidden, not-found, invalid fund_short, conflict closed_period
 */
export async function undoReplenishment(db: Db, actor: Actor, id: number): Promise<Replenishment> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const { before } = await lockReplenishment(trx, id, undefined);
    if (before.movementId !== null) await deleteMovement(trx, actor, before.movementId);
    return getReplenishment(trx, id);
  });
}

/** What was asked for of a fund, the newest first. */
export const listReplenishments = (db: Db, fundId: number): Promise<Replenishment[]> =>
  selectReplenishments(db, sql`r."fundId" = ${fundId}`);

/** @throws DomainError not-found */
export async function getReplenishment(db: Db, id: number): Promise<Replenishment> {
  const [found] = await selectReplenishments(db, sql`r.id = ${id}`);
  if (!found) throw new DomainError('not-found', `No existe la solicitud de reposición ${id}.`);
  return found;
}

async function selectReplenishments(db: Db, where: RawBuilder<unknown>): Promise<Replenishment[]> {
  const ofGastos = (value: RawBuilder<unknown>) =>
    sql`(select ${value} from petty_cash_movements m where m."replenishmentId" = r.id and m.tipo = 'gasto')`;
  const { rows } = await sql<Omit<Replenishment, 'estado'>>`
    select r.id, r."fundId", r.fecha, ${ofGastos(sql`coalesce(sum(m."importeCents"), 0)`)} as "importeCents",
      ${ofGastos(sql`count(*)`)} as count, r."requestedBy", requesters.username as requester, r."authorizedBy",
      authorizers.username as authorizer, given.id as "movementId", r.comments, r."createdAt", r.version
    from petty_cash_replenishments r
    join users requesters on requesters.id = r."requestedBy"
    left join users authorizers on authorizers.id = r."authorizedBy"
    left join petty_cash_movements given on given."replenishmentId" = r.id and given.tipo = 'reposicion'
    where ${where} order by r.id desc`.execute(db);
  return rows.map((row) => ({ ...row, estado: row.movementId === null ? 'solicitada' : 'pagada' }));
}

export const expensesOf = (db: Db, replenishmentId: number): Promise<Movement[]> =>
  readMovements(db, sql`m."replenishmentId" = ${replenishmentId} and m.tipo = 'gasto'`);

async function pay(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  { id, fecha, importeCents, count }: Replenishment,
): Promise<Replenished> {
  await requireOpen(trx, actor, [fecha]);
  const movement = await storeMovement(trx, actor, {
    fundId: fund.id,
    tipo: 'reposicion',
    fecha,
    concepto: `Reposición de ${count} ${count === 1 ? 'gasto' : 'gastos'}`,
    subtotalCents: importeCents,
    importeCents,
    replenishmentId: id,
    origenderecursoId: fund.origenderecursoId,
  });
  await trx
    .updateTable('petty_cash_replenishments')
    .set(({ eb }) => ({
      fecha,
      authorizedBy: actor.userId,
      updatedAt: actor.at,
      version: eb('version', '+', 1),
    }))
    .where('id', '=', id)
    .execute();
  return { replenishment: await getReplenishment(trx, id), movement };
}

/** Whether who asks for it may give it, too. */
async function mayAuthorize(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  expenses: readonly Movement[],
): Promise<boolean> {
  if (!mayEnter('approval', actor.roles)) return false;
  const { autorizacion } = await readSettings(trx);
  return autorizacion === 'misma' || !isSpender(actor, fund, expenses);
}

const isSpender = ({ userId }: Actor, fund: PettyCashFund, expenses: readonly Movement[]): boolean =>
  fund.responsableId === userId || expenses.some((expense) => expense.userId === userId);

async function replenishableOf(
  trx: Trx,
  fundId: number,
  ids: readonly number[] | undefined,
): Promise<Movement[]> {
  const all = await readMovements(trx, sql`m."fundId" = ${fundId} and ${isReplenishable}`);
  const chosen = ids && new Set(ids);
  const foreign = ids?.find((id) => !all.some((one) => one.id === id));
  if (foreign !== undefined) refuse(refusal(texts.notOfFund(foreign), 'movementIds'));
  const expenses = chosen ? all.filter(({ id }) => chosen.has(id)) : all;
  if (expenses.length === 0) refuse(refusal(texts.nothingToReplenish, 'movementIds'));
  return expenses;
}

function requireOrigin({ origenderecursoId }: PettyCashFund): void {
  if (origenderecursoId === null) refuse(refusal(texts.noOrigin, 'origenderecursoId'));
}

function requireDay(day: PlainDate, { openedOn }: PettyCashFund, { today }: Actor): void {
  if (day < openedOn) refuse(refusal(texts.beforeOpening(openedOn), 'fecha'));
  if (day > today) refuse(refusal(texts.later, 'fecha'));
}

/** The fund first, as whoever else moves money of it does. */
async function lockReplenishment(
  trx: Trx,
  id: number,
  version: number | undefined,
): Promise<{ before: Replenishment; fund: PettyCashFund }> {
  const { fundId } = await getReplenishment(trx, id);
  const fund = await lockFund(trx, fundId);
  await lockRow(trx, 'petty_cash_replenishments', id);
  const before = await getReplenishment(trx, id);
  requireSeen(before, version, texts.stale);
  return { before, fund };
}

const alreadyReplenished = () =>
  new DomainError('conflict', texts.alreadyReplenished, { code: 'already_replenished' });

/** What the audit trail says of it once it is paid, or no longer. */
function noteChange(trx: Trx, actor: Actor, before: Replenishment, after: Replenishment): void {
  audit(trx, actor, { action: 'update', entity: ENTITY, entityId: before.id, before, after });
}

const auditOf = (replenishment: Replenishment, expenses: readonly Movement[]) => ({
  ...replenishment,
  movementIds: expenses.map(({ id }) => id),
});
