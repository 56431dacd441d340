import { isViolation } from '../../../db/errors.ts';
import { forUpdate } from '../../../db/expressions.ts';
import type { Db, Trx } from '../../../db/schema.ts';
import { inTransaction } from '../../../db/transaction.ts';
import { DomainError } from '../../../shared/errors.ts';
import type { Cents } from '../../../shared/money.ts';
import { checkFund, type FundDraft, type PettyCashFund } from '../../../shared/petty-cash.ts';
import { pettyCashTexts as texts } from '../../../shared/petty-cash-texts.ts';
import { refusal, refuse } from '../../../shared/refusal.ts';
import { fold } from '../../../shared/text.ts';
import { type Actor, audit } from '../audit/audit.ts';
import { requireOpen } from '../closing/closing.ts';
import { requireApprover } from '../payment-batches/stages.ts';
import { requireReferences } from '../references.ts';
import { lockRow, requireSeen } from '../stored-rows.ts';
import { CLI_USERNAME } from '../users/reading.ts';
import { readCash } from './cash.ts';
import { storeMovement } from './movement-rows.ts';
import { getFund, getFundRow } from './reading.ts';
import { askFor, listReplenishments, needsAnother } from './requests.ts';

const ENTITY = 'petty-cash-funds';

/**
 * Opens a fund, and asks for what it begins with: where one person is enough, that is in it at once.
 * @throws DomainError forbidden, invalid (what is missing, an unknown source), conflict (fund_taken, closed_period)
 */
export async function createFund(
  db: Db,
  actor: Actor,
  draft: FundDraft,
  aperturaCents: Cents = 0,
): Promise<PettyCashFund> {
  requireApprover(actor);
  const openedOn = draft.openedOn ?? actor.today;
  refuse(checkFund({ ...draft, openedOn }));
  if (openedOn > actor.today) refuse(refusal(texts.openedLater, 'openedOn'));
  if (aperturaCents < 0) refuse(refusal(texts.negativeOpening, 'apertura'));
  return inTransaction(db, async (trx) => {
    await requireOpen(trx, actor, [openedOn]);
    const { jobId = null, pagosOrigenId = null, montofijoCents = null, topeCents = null } = draft;
    const { nombre = '', origenderecursoId = null, comments = '' } = draft;
    const responsableId = draft.responsableId!; // looked at above
    await requireReferences(trx, { responsableId, origenderecursoId, pagosOrigenId, jobId });
    await requireHolder(trx, responsableId);
    await requireFree(trx, { nombre, pagosOrigenId });
    const { id } = await trx
      .insertInto('petty_cash_funds')
      .values({
        nombre,
        nombreFold: fold(nombre),
        responsableId,
        jobId,
        montofijoCents,
        topeCents,
        origenderecursoId,
        pagosOrigenId,
        openedOn,
        comments,
        importId: null,
        createdAt: actor.at,
        updatedAt: actor.at,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
      .catch(fasterOne);
    const fund = await getFund(trx, id);
    audit(trx, actor, { action: 'create', entity: ENTITY, entityId: id, after: fund });
    const opening = { tipo: 'apertura', fecha: openedOn, concepto: texts.opening } as const;
    const asked = { ...opening, importeCents: aperturaCents };
    if (aperturaCents > 0 && (await needsAnother(trx))) await askFor(trx, actor, fund, asked);
    else if (aperturaCents > 0)
      await storeMovement(trx, actor, {
        ...asked,
        fundId: id,
        subtotalCents: aperturaCents,
        origenderecursoId,
      });
    await requireAboveZero(trx, fund, 0);
    return fund;
  });
}

/**
 * Changes what the draft names. What leaves the box by payments to suppliers may change its balance; a fixed amount that
 * is raised asks for the difference, and is raised once that is in the box.
 * @throws DomainError forbidden, not-found, stale (with the stored fund), invalid (fund_short), conflict (fund_taken,
 *   fund_closed, closed_period)
 */
export async function updateFund(
  db: Db,
  actor: Actor,
  id: number,
  draft: FundDraft,
  version?: number,
): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const asked: PettyCashFund = { ...before, ...changed };
    refuse(checkFund(asked));
    const raisedCents =
      before.montofijoCents === null ? 0 : (asked.montofijoCents ?? 0) - before.montofijoCents;
    const after = raisedCents > 0 ? { ...asked, montofijoCents: before.montofijoCents } : asked;
    const isStored = (fund: PettyCashFund) =>
      Object.keys(changed).every((name) => before[name as keyof FundDraft] === fund[name as keyof FundDraft]);
    if (isStored(asked)) return before;
    if (after.openedOn > actor.today) refuse(refusal(texts.openedLater, 'openedOn'));
    // Who answers for a box is no figure of the day on which it was opened.
    const isMoved = after.openedOn !== before.openedOn || after.pagosOrigenId !== before.pagosOrigenId;
    if (isMoved) await requireOpen(trx, actor, [before.openedOn, after.openedOn]);
    const { responsableId, origenderecursoId, pagosOrigenId, jobId } = after;
    await requireReferences(trx, { responsableId, origenderecursoId, pagosOrigenId, jobId });
    if (responsableId !== before.responsableId) await requireHolder(trx, responsableId);
    await requireFree(trx, after, id);
    await requireNoneBefore(trx, after);
    const fund = isStored(after) ? before : await saveFund(trx, actor, before, after, isMoved);
    // What waits for somebody else raises it already: whoever asks once more for the same amount asks for nothing.
    const moreCents = raisedCents - ((await needsAnother(trx)) ? await sumWidening(trx, id) : 0);
    if (moreCents <= 0) return fund;
    await askFor(trx, actor, fund, {
      tipo: 'apertura',
      fecha: actor.today,
      concepto: texts.widening,
      importeCents: moreCents,
      amplia: 1,
    });
    return getFund(trx, id);
  });
}

/** By how much the fixed amount will be raised once what was asked for is authorised. */
async function sumWidening(trx: Trx, fundId: number): Promise<Cents> {
  const waiting = (await listReplenishments(trx, fundId)).filter(
    ({ amplia, estado }) => amplia === 1 && estado === 'solicitada',
  );
  return waiting.reduce((sum, { importeCents }) => sum + importeCents, 0);
}

async function saveFund(
  trx: Trx,
  actor: Actor,
  before: PettyCashFund,
  after: PettyCashFund,
  isMoved: boolean,
): Promise<PettyCashFund> {
  const cash = isMoved ? await readCash(trx, before) : 0;
  await trx
    .updateTable('petty_cash_funds')
    .set({
      nombre: after.nombre,
      nombreFold: fold(after.nombre),
      responsableId: after.responsableId,
      jobId: after.jobId,
      montofijoCents: after.montofijoCents,
      topeCents: after.topeCents,
      origenderecursoId: after.origenderecursoId,
      pagosOrigenId: after.pagosOrigenId,
      openedOn: after.openedOn,
      comments: after.comments,
      updatedAt: actor.at,
      version: before.version + 1,
    })
    .where('id', '=', before.id)
    .execute()
    .catch(fasterOne);
  const fund = await getFund(trx, before.id);
  if (isMoved) await requireAboveZero(trx, fund, cash);
  audit(trx, actor, { action: 'update', entity: ENTITY, entityId: before.id, before, after: fund });
  return fund;
}

/**
 * Closes a fund in which there is nothing, and of which nothing is awaited: what it was stays, and nothing is added.
 * @throws DomainError forbidden, not-found, stale, conflict (fund_not_settled, fund_closed)
 */
export async function closeFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const { porComprobarCents, porAutorizarCents } = await getFundRow(trx, id, actor.today);
    const cash = await readCash(trx, before);
    const open = [
      cash !== 0 && texts.stillInIt(cash),
      porComprobarCents > 0 && texts.stillAwaited(porComprobarCents),
      porAutorizarCents > 0 && texts.stillAsked(porAutorizarCents),
    ].filter((one) => typeof one === 'string');
    if (open.length > 0)
      throw new DomainError('conflict', texts.notSettled(before.nombre, open), { code: 'fund_not_settled' });
    await trx
      .updateTable('petty_cash_funds')
      .set({ closedOn: actor.today, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute();
    const fund = await getFund(trx, id);
    audit(trx, actor, { action: 'update', entity: ENTITY, entityId: id, before, after: fund });
    return fund;
  });
}

/** @throws DomainError forbidden, not-found, stale, conflict (in_use where the fund has movements, closed_period) */
export async function deleteFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  requireApprover(actor);
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const count = await countOf(trx, 'petty_cash_movements', id);
    if (count > 0) throw inUse(before, count === 1 ? 'un movimiento' : `${count} movimientos`);
    if ((await countOf(trx, 'petty_cash_counts', id)) > 0) throw inUse(before, 'arqueos');
    if ((await countOf(trx, 'petty_cash_replenishments', id)) > 0)
      throw inUse(before, 'dinero pedido: retira antes la solicitud');
    await requireOpen(trx, actor, [before.openedOn]);
    await trx.deleteFrom('petty_cash_funds').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before });
    return before;
  });
}

/**
 * The fund, held until the transaction ends: meanwhile nobody else puts anything in it or takes anything out.
 * @throws DomainError not-found, stale, conflict fund_closed
 */
export async function lockFund(trx: Trx, id: number, version?: number): Promise<PettyCashFund> {
  await lockRow(trx, 'petty_cash_funds', id);
  const current = await getFund(trx, id);
  requireSeen(current, version, texts.fundStale);
  if (current.closedOn !== null)
    throw new DomainError('conflict', texts.closed(current.nombre, current.closedOn), {
      code: 'fund_closed',
    });
  return current;
}

/** Who holds a box can sign in; whoever takes that away from them waits, and is told of the box. */
async function requireHolder(trx: Trx, userId: number | null): Promise<void> {
  const holder = await trx
    .selectFrom('users')
    .select(['active', 'username'])
    .where('id', '=', userId)
    .modifyEnd(forUpdate(trx))
    .executeTakeFirst();
  if (!holder?.active || holder.username === CLI_USERNAME)
    refuse(refusal(texts.inactiveHolder, 'responsableId'));
}

async function requireFree(
  trx: Trx,
  { nombre, pagosOrigenId }: { nombre: string; pagosOrigenId: number | null },
  self = 0,
): Promise<void> {
  const funds = () => trx.selectFrom('petty_cash_funds').select('id').where('id', '<>', self);
  const namesake = await funds().where('nombreFold', '=', fold(nombre)).executeTakeFirst();
  if (namesake) throw taken(texts.nameTaken(nombre), 'nombre', namesake.id);
  if (pagosOrigenId === null) return;
  const box = await funds().where('pagosOrigenId', '=', pagosOrigenId).executeTakeFirst();
  if (!box) return;
  const source = await trx
    .selectFrom('funding_sources')
    .select('origenderecursonombre as name')
    .where('id', '=', pagosOrigenId)
    .executeTakeFirstOrThrow();
  throw taken(texts.sourceTaken(`«${source.name}»`), 'pagosOrigenId', box.id);
}

const taken = (message: string, field: string, existingId?: number) =>
  new DomainError('conflict', message, {
    code: 'fund_taken',
    fields: { [field]: message },
    extra: existingId === undefined ? undefined : { existingId },
  });

/** Another one was faster by a moment. */
function fasterOne(error: unknown): never {
  throw isViolation(error, 'unique') ? taken(texts.justTaken, 'nombre') : error;
}

/** @throws DomainError invalid fund_short, where what leaves it made less of what there was */
async function requireAboveZero(trx: Trx, fund: PettyCashFund, beforeCents: Cents): Promise<void> {
  const cash = await readCash(trx, fund);
  if (cash >= 0 || cash >= beforeCents) return;
  const message = texts.paidMore(fund.nombre, cash);
  throw new DomainError('invalid', message, { code: 'fund_short', fields: { pagosOrigenId: message } });
}

/** A movement from before the box was opened would stand outside of it. */
async function requireNoneBefore(trx: Trx, { id, openedOn }: PettyCashFund): Promise<void> {
  const first = await trx
    .selectFrom('petty_cash_movements')
    .select('fecha')
    .where('fundId', '=', id)
    .where('fecha', '<', openedOn)
    .orderBy('fecha')
    .limit(1)
    .executeTakeFirst();
  if (first) refuse(refusal(texts.opensAfterMovements(first.fecha), 'openedOn'));
}

async function countOf(
  trx: Trx,
  table: 'petty_cash_movements' | 'petty_cash_counts' | 'petty_cash_replenishments',
  fundId: number,
) {
  const { count } = await trx
    .selectFrom(table)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('fundId', '=', fundId)
    .executeTakeFirstOrThrow();
  return count;
}

const inUse = ({ nombre }: PettyCashFund, what: string) =>
  new DomainError('conflict', `No se puede eliminar la caja chica «${nombre}»: tiene ${what}.`, {
    code: 'in_use',
  });
