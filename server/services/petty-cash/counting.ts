import { sql } from 'kysely';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import type { Movement, PettyCashFund } from '../../../shared/petty-cash.ts';
import {
  type CashCount,
  checkPieces,
  type PieceCounts,
  parseDenomination,
  sumPieces,
} from '../../../shared/petty-cash-counts.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { createRefusal, throwIfRefused, toDomainError } from '../../../shared/refusal.ts';
import { type Actor, queueAuditEntry } from '../audit/audit.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { readCash } from './fund-cash.ts';
import { fullNameExpression, getFundRow, lockAndReadFund } from './reading.ts';
import { needsSecondPerson, requireUninvolvedSigner } from './requests.ts';
import { writeAuthorizedMovement } from './write.ts';

const CASH_COUNT_ENTITY = 'petty-cash-counts';

interface CashCountInput {
  /** pieces by denomination */
  denominaciones?: Readonly<Record<string, number>>;
  sorpresa?: boolean;
  comments?: string;
  /** why there is a difference; with it the difference is posted at once */
  motivo?: string;
}

/**
 * Locks the fund, so that nobody else moves its money meanwhile.
 * @throws DomainError not-found, invalid, forbidden (the actor may not post a difference)
 */
export async function countCash(
  db: Db,
  actor: Actor,
  fundId: number,
  draft: CashCountInput,
): Promise<CashCount> {
  throwIfRefused(checkPieces(draft.denominaciones ?? {}));
  return inTransaction(db, async (trx) => {
    const fund = await lockAndReadFund(trx, fundId);
    if (draft.sorpresa && fund.responsableId === actor.userId)
      throwIfRefused(createRefusal(texts.ownSurprise, 'sorpresa'));
    const count = await storeCashCount(trx, actor, fund, draft);
    return draft.motivo && count.diferenciaCents !== 0
      ? postDifferenceAtOnce(trx, actor, count, draft.motivo)
      : count;
  });
}

export interface FinalCashCountInput extends Omit<CashCountInput, 'sorpresa'> {
  /** the expected amount that the user was shown, to detect that money was moved since; absent: none was shown */
  esperado?: Cents;
}

/**
 * Counts the cash before a fund is closed or handed over. A difference needs a reason, and is posted at once.
 * @throws DomainError invalid, conflict (fund_moved, same_author, closed_period)
 */
export async function countCashAndPostDifference(
  trx: Trx,
  actor: Actor,
  fund: PettyCashFund,
  { esperado, motivo, ...draft }: FinalCashCountInput,
  recibeId?: number,
): Promise<CashCount> {
  const count = await storeCashCount(trx, actor, fund, draft, recibeId);
  const { diferenciaCents, esperadoCents } = count;
  if (esperado !== undefined && esperado !== esperadoCents)
    throw new DomainError('conflict', texts.moved(esperado, esperadoCents), { code: 'fund_moved' });
  if (diferenciaCents === 0) return count;
  if (diferenciaCents > 0 && (await needsSecondPerson(trx)))
    throw new DomainError('conflict', texts.surplusFirst(diferenciaCents), { code: 'same_author' });
  if (!motivo) throw toDomainError(createRefusal(texts.differs(count), 'motivo'));
  return postDifferenceAtOnce(trx, actor, count, motivo);
}

async function postDifferenceAtOnce(
  trx: Trx,
  actor: Actor,
  count: CashCount,
  motivo: string,
): Promise<CashCount> {
  requireApprover(actor);
  await writeCountAdjustment(trx, actor, count, motivo);
  return getCashCount(trx, count.id);
}

async function storeCashCount(
  trx: Trx,
  actor: Actor,
  { id: fundId, responsableId, ...fund }: PettyCashFund,
  { denominaciones = {}, sorpresa = false, comments = '' }: CashCountInput,
  recibeId: number | null = null,
): Promise<CashCount> {
  throwIfRefused(checkPieces(denominaciones));
  const pieces = parsePieces(denominaciones);
  const { porComprobarCents, porReponerCents } = await getFundRow(trx, fundId, actor.today);
  const esperadoCents = await readCash(trx, { ...fund, id: fundId });
  const { id } = await trx
    .insertInto('petty_cash_counts')
    .values(({ selectFrom, fn }) => ({
      fundId,
      fecha: actor.today,
      denominaciones: JSON.stringify(pieces),
      contadoCents: sumPieces(pieces),
      esperadoCents,
      porComprobarCents,
      porReponerCents,
      lastMovementId: selectFrom('petty_cash_movements')
        .select(fn.max('id').as('id'))
        .where('fundId', '=', fundId),
      sorpresa: sorpresa ? 1 : 0,
      comments,
      userId: actor.userId,
      responsableId,
      recibeId,
      createdAt: actor.at,
    }))
    .returning('id')
    .executeTakeFirstOrThrow();
  const count = await getCashCount(trx, id);
  queueAuditEntry(trx, actor, { action: 'create', entity: CASH_COUNT_ENTITY, entityId: id, after: count });
  return count;
}

/**
 * A surplus is money that goes into the fund, so whoever counted it or held the fund at that time may not post it.
 * @throws DomainError forbidden, not-found, invalid (no reason, fund_short), conflict (no_difference, movement_fixed,
 * same_author, closed_period, fund_closed)
 */
export async function postCountDifference(
  db: Db,
  actor: Actor,
  id: number,
  motivo: string,
): Promise<{ count: CashCount; movement: Movement }> {
  requireApprover(actor);
  if (motivo === '') throwIfRefused(createRefusal(texts.reason, 'motivo'));
  return inTransaction(db, async (trx) => {
    const { fundId } = await getCashCount(trx, id);
    await lockAndReadFund(trx, fundId);
    const movement = await writeCountAdjustment(trx, actor, await getCashCount(trx, id), motivo);
    return { count: await getCashCount(trx, id), movement };
  });
}

async function writeCountAdjustment(
  trx: Trx,
  actor: Actor,
  count: CashCount,
  motivo: string,
): Promise<Movement> {
  const { id, fundId, fecha, diferenciaCents: importeCents, adjustmentId, createdAt: since } = count;
  const requesters = [count.userId, count.responsableId];
  if (importeCents === 0) throw new DomainError('conflict', texts.noDifference, { code: 'no_difference' });
  if (adjustmentId !== null) throw new DomainError('conflict', texts.settled, { code: 'movement_fixed' });
  const document = { entity: 'petty-cash-counts', id, since, requesters } as const;
  if (importeCents > 0)
    await requireUninvolvedSigner(trx, actor, await lockAndReadFund(trx, fundId), document);
  const concepto = `${importeCents < 0 ? 'Faltante' : 'Sobrante'} del arqueo ${id}: ${motivo}`.slice(0, 300);
  return writeAuthorizedMovement(trx, actor, {
    fundId,
    fecha,
    tipo: 'ajuste',
    concepto,
    importeCents,
    countId: id,
  });
}

/** @throws DomainError not-found */
export async function getCashCount(db: Db, id: number): Promise<CashCount> {
  const [found] = await readCashCounts(db, sql`c.id = ${id}`);
  if (!found) throw new DomainError('not-found', `No existe el arqueo ${id}.`);
  return found;
}

export const listCashCounts = (db: Db, fundId: number): Promise<CashCount[]> =>
  readCashCounts(db, sql`c."fundId" = ${fundId}`);

type CashCountRow = Omit<CashCount, 'pieces' | 'sorpresa' | 'diferenciaCents'> & {
  denominaciones: string;
  sorpresa: number;
};

async function readCashCounts(db: Db, where: ReturnType<typeof sql>): Promise<CashCount[]> {
  const { rows } = await sql<CashCountRow>`
    select c.id, c."fundId", c.fecha, c.denominaciones, c."contadoCents", c."esperadoCents", c."porComprobarCents",
      c."porReponerCents", c."lastMovementId", c.sorpresa, c.comments, c."userId", users.username, c."createdAt",
      m.id as "adjustmentId", c."responsableId", ${fullNameExpression('givers')} as responsable, c."recibeId",
      ${fullNameExpression('takers')} as recibe
    from petty_cash_counts c
    join users on users.id = c."userId"
    left join users givers on givers.id = c."responsableId"
    left join users takers on takers.id = c."recibeId"
    left join petty_cash_movements m on m."countId" = c.id
    where ${where} order by c.id desc limit 50`.execute(db);
  return rows.map(({ denominaciones, sorpresa, ...row }) => ({
    ...row,
    pieces: JSON.parse(denominaciones) as PieceCounts,
    sorpresa: sorpresa === 1,
    diferenciaCents: row.contadoCents - row.esperadoCents,
  }));
}

const parsePieces = (sent: Readonly<Record<string, number>>): PieceCounts =>
  Object.fromEntries(
    Object.entries(sent).flatMap(([name, count]) => (count > 0 ? [[parseDenomination(name)!, count]] : [])),
  );
