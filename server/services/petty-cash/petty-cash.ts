import { isViolation } from '../../../db/errors.ts';
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
import { requireReferences } from '../references.ts';
import { isSame, lockRow, requireSeen } from '../stored-rows.ts';
import { readCash } from './cash.ts';
import { storeMovement } from './movement-rows.ts';
import { getFund } from './reading.ts';

const ENTITY = 'petty-cash-funds';

/**
 * Opens a fund, and puts into it what it begins with.
 * @throws DomainError invalid (what is missing, an unknown source), conflict (fund_taken, closed_period)
 */
export async function createFund(
  db: Db,
  actor: Actor,
  draft: FundDraft,
  aperturaCents: Cents = 0,
): Promise<PettyCashFund> {
  const openedOn = draft.openedOn ?? actor.today;
  refuse(checkFund({ ...draft, openedOn }));
  if (openedOn > actor.today) refuse(refusal(texts.openedLater, 'openedOn'));
  if (aperturaCents < 0) refuse(refusal(texts.negativeOpening, 'apertura'));
  return inTransaction(db, async (trx) => {
    await requireOpen(trx, actor, [openedOn]);
    const { jobId = null, pagosOrigenId = null, montofijoCents = null, topeCents = null } = draft;
    const { nombre = '', origenderecursoId = null, responsableId = null, comments = '' } = draft;
    await requireReferences(trx, { responsableId, origenderecursoId, pagosOrigenId, jobId });
    await requireFree(trx, { nombre, pagosOrigenId });
    const { id } = await trx
      .insertInto('petty_cash_funds')
      .values({
        nombre,
        nombreFold: fold(nombre),
        responsableId,
        responsable: '',
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
    if (aperturaCents > 0)
      await storeMovement(trx, actor, {
        ...opening,
        fundId: id,
        subtotalCents: aperturaCents,
        importeCents: aperturaCents,
        origenderecursoId,
      });
    await requireAboveZero(trx, fund, 0);
    return fund;
  });
}

/**
 * Changes what the draft names. What leaves the box by payments to suppliers may change its balance.
 * @throws DomainError not-found, stale (with the stored fund), invalid (fund_short), conflict (fund_taken, closed_period)
 */
export async function updateFund(
  db: Db,
  actor: Actor,
  id: number,
  draft: FundDraft,
  version?: number,
): Promise<PettyCashFund> {
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const changed = Object.fromEntries(Object.entries(draft).filter(([, value]) => value !== undefined));
    const after: PettyCashFund = { ...before, ...changed };
    refuse(checkFund(after));
    if (after.openedOn > actor.today) refuse(refusal(texts.openedLater, 'openedOn'));
    // Who answers for a box is no figure of the day on which it was opened.
    const isMoved = after.openedOn !== before.openedOn || after.pagosOrigenId !== before.pagosOrigenId;
    if (isMoved) await requireOpen(trx, actor, [before.openedOn, after.openedOn]);
    const { responsableId, origenderecursoId, pagosOrigenId, jobId } = after;
    const columns = fundColumns(after);
    if (isSame(columns, fundColumns(before))) return before;
    await requireReferences(trx, { responsableId, origenderecursoId, pagosOrigenId, jobId });
    await requireFree(trx, after, id);
    await requireNoneBefore(trx, after);
    const cash = isMoved ? await readCash(trx, before) : 0;
    await trx
      .updateTable('petty_cash_funds')
      .set({ ...columns, updatedAt: actor.at, version: before.version + 1 })
      .where('id', '=', id)
      .execute()
      .catch(fasterOne);
    const fund = await getFund(trx, id);
    if (isMoved) await requireAboveZero(trx, fund, cash);
    audit(trx, actor, { action: 'update', entity: ENTITY, entityId: id, before, after: fund });
    return fund;
  });
}

/** What is set of a fund, as it is stored. */
function fundColumns(fund: PettyCashFund) {
  const { nombre, responsableId, jobId, montofijoCents, topeCents } = fund;
  const { origenderecursoId, pagosOrigenId, openedOn, comments } = fund;
  return {
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
  };
}

/** @throws DomainError not-found, stale, conflict (in_use where the fund has movements, closed_period) */
export async function deleteFund(db: Db, actor: Actor, id: number, version?: number): Promise<PettyCashFund> {
  return inTransaction(db, async (trx) => {
    const before = await lockFund(trx, id, version);
    const count = await countOf(trx, 'petty_cash_movements', id);
    if (count > 0) throw inUse(before, count === 1 ? 'un movimiento' : `${count} movimientos`);
    if ((await countOf(trx, 'petty_cash_counts', id)) > 0) throw inUse(before, 'arqueos');
    await requireOpen(trx, actor, [before.openedOn]);
    await trx.deleteFrom('petty_cash_funds').where('id', '=', id).execute();
    audit(trx, actor, { action: 'delete', entity: ENTITY, entityId: id, before });
    return before;
  });
}

/** The fund, held until the transaction ends: meanwhile nobody else puts anything in it or takes anything out. */
export async function lockFund(trx: Trx, id: number, version?: number): Promise<PettyCashFund> {
  await lockRow(trx, 'petty_cash_funds', id);
  const current = await getFund(trx, id);
  requireSeen(current, version, texts.fundStale);
  return current;
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

async function countOf(trx: Trx, table: 'petty_cash_movements' | 'petty_cash_counts', fundId: number) {
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
